// listen through a tunnel, where it takes longer: forced ends, retries, other tunnels; and what else tries a sender.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { Agent, request } from "undici";
import { describe, expect, it } from "vitest";
import { openWebhookSender } from "../fixtures/servers/webhook-sender.ts";
import { isAlive } from "../helpers/fake-cloudflared.ts";
import { startCli } from "../helpers/run-cli.ts";
import { readyAt, startListenThrough } from "../process/tunnel-runs.ts";

const NGROK = join(import.meta.dirname, "../fixtures/programs/fake-ngrok.mjs");

describe("listen --tunnel", () => {
	it("ends it on a forced exit too", async () => {
		const { runs, sender, run } = await startListenThrough("stubborn");
		await run.stderr.until(readyAt(1));
		const { pid } = await runs.run(1);
		run.kill("SIGTERM");
		await sender.until(() => sender.subscriptions.size === 0);
		run.kill("SIGTERM");
		expect((await run.done).status).toBe(143);
		await expect.poll(() => isAlive(pid)).toBe(false);
	});

	it("that cannot be had ends with what cloudflared said and the ways out, before anything is subscribed", async () => {
		const { run, urls } = await startListenThrough("refused");
		const { status, stderr } = await run.done;
		expect(status).toBe(3);
		expect(stderr).toMatch(/why: .*api\.trycloudflare\.com: no such host/);
		expect(stderr).toMatch(/next: .*--public-url URL/);
		expect(urls("subscribe")).toEqual([]);
	});

	it("takes the command of another tunnel", async () => {
		const command = `'${NGROK}' http {port}`;
		const run = startCli(["listen", "--tunnel", command, "--for", "2s"]);
		const [, port] = await run.stderr.until(/receives at http:\S+:(\d+)/);
		const [, at] = await run.stderr.until(/ready, by webhook at (\S+)\/hooks/);
		expect(at).toBe(`https://to-${port}.ngrok-free.app`);
		expect((await run.done).status).toBe(0);
	});

	it("that cannot be held any longer ends the listener, which unsubscribes before", async () => {
		const { runs, sender, run } = await startListenThrough("ok");
		await run.stderr.until(readyAt(1));
		runs.removeProgram();
		await runs.tell(await runs.run(1), "die");
		const { status, stderr } = await run.done;
		expect(status).toBe(3);
		expect(stderr).toMatch(/could not be started.*\n.*no such program/);
		expect(sender.subscriptions.size).toBe(0);
	});

	it.each([
		[
			["--tunnel", "--public-url", "https://x.example"],
			"--tunnel and --public-url",
		],
		[["--tunnel", "--tls", "self-signed"], "--tunnel and --tls"],
		[["--tunnel", "--host", "10.0.0.1"], "--tunnel and --host 10.0.0.1"],
		[["--tunnel", "ngrok 'http {port}"], "has a quote or a backslash"],
		[["--tunnel", "ngrok start mine"], "does not say where the tunnel leads"],
		[["--reply", "503x2,explode"], '"explode" is no step'],
	])("refuses %j", async (words, what) => {
		const { status, stderr } = await startCli(["listen", ...words]).done;
		expect(status).toBe(2);
		expect(stderr).toContain(what);
	});
});

describe("listen --reply", () => {
	it("answers by the script, shows the event once, and tells of the attempts at the end", async () => {
		await using sender = await openWebhookSender({ retryMs: 1_100 });
		const words = [sender.url, "orders.created", "-n", "1"];
		const run = startCli(["listen", ...words, "--reply", "503x2,200"]);
		await run.stderr.until(/ready, by webhook/);
		sender.emit("evt_1");
		const { status, lines, stderr } = await run.done;
		expect([status, lines.length]).toEqual([0, 1]);
		const posts = sender.posts.filter(({ eventId }) => eventId === "evt_1");
		expect(posts.map((post) => post.status)).toEqual([503, 503, 200]);
		expect(stderr).toMatch(
			/evt_1: 3 attempts, answered 503, 503, 200; gaps [1-9]\d*\.\d s, [1-9]\d*\.\d s; fresh timestamp: yes; fresh signature: yes; same id: yes/,
		);
	});
});

describe("listen --tls self-signed", () => {
	it("receives over TLS from a sender that trusts the CA in the file that it names", async () => {
		const run = startCli(["listen", "--tls", "self-signed", "-n", "1"]);
		const [, ca = ""] = await run.stderr.until(/to trust: (\S+)/);
		const [, secret = ""] = await run.stderr.until(/(whsec_\S+)/);
		const [, url = ""] = await run.stderr.until(/ready, by webhook at (\S+)/);
		const at = new Date();
		const body = '{"a":1}';
		const trusted = readFileSync(ca, "utf8");
		expect(trusted).not.toContain("PRIVATE");
		const dispatcher = new Agent({ connect: { ca: trusted } });
		const answer = await request(url, {
			method: "POST",
			body,
			dispatcher,
			headers: {
				"content-type": "application/json",
				"webhook-id": "msg_1",
				"webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
				"webhook-signature": new Webhook(secret).sign("msg_1", at, body),
			},
		});
		await dispatcher.close();
		expect([url.split(":")[0], answer.statusCode]).toEqual(["https", 204]);
		expect((await run.done).lines).toEqual([body]);
		expect(existsSync(ca)).toBe(false);
	});
});
