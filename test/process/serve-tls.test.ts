// serve over TLS with tokens, as users start it: what it says, what a client gets, and how it ends.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CUT_OFF_MS, runCli, startCli } from "../helpers/run-cli.ts";
import { messagesOf, openH2 } from "../reference/h2-client.ts";
import { type Json, take } from "../reference/wire-client.ts";

const folder = join(import.meta.dirname, "../fixtures/tls");
const ca = join(folder, "ca.pem");
const TLS = [
	"--tls-cert",
	join(folder, "localhost.pem"),
	"--tls-key",
	join(folder, "localhost.key"),
];

async function startServe(words: string[], env = {}) {
	const run = startCli(["serve", ...TLS, ...words], { env });
	const [, url = ""] = await run.stderr.until(/ at (https:\S+)/);
	return { run, url };
}

describe.concurrent("serve --tls-cert --tls-key", () => {
	it("is listed and followed over HTTPS, with a token out of the environment", async () => {
		const env = { SERVED: "s3cret", ASKED: "s3cret" };
		const { run, url } = await startServe(["--token", "me=env:SERVED"], env);
		const to = [url, "--ca", ca];
		const token = ["--bearer-env", "ASKED"];
		const listed = await runCli(["list", ...to, ...token], { env });
		expect(JSON.parse(listed.lines[0] ?? "").delivery).toContain("webhook");
		const tick = ["clock.tick", "-a", "periodMs=20", "-n", "2"];
		const words = ["stream", ...to, ...tick, ...token];
		expect((await runCli(words, { env })).lines).toHaveLength(2);
		const without = await runCli(["list", ...to]);
		expect(without.status).toBe(4);
		run.kill("SIGTERM");
		const ended = await run.done;
		expect(ended.status).toBe(143);
		expect(ended.stderr).not.toContain("s3cret");
	});

	it.each(["SIGTERM", "SIGINT"] as const)(
		"ends streams with their final frame at %s, though a client does not read",
		async (signal) => {
			const { run, url } = await startServe([]);
			await using client = await openH2(url);
			await using deaf = await openH2(url);
			const params = { name: "clock.tick", arguments: { periodMs: 10 } };
			const stream = messagesOf(client.start("events/stream", params));
			expect((await take<Json>(stream, 1))[0].method).toMatch(/active$/);
			deaf.start("events/stream", params).pause();
			const startedAt = performance.now();
			run.kill(signal);
			let last: Json;
			for await (const message of stream) last = message;
			expect(last.result.resultType).toBe("complete");
			await run.done;
			expect(performance.now() - startedAt).toBeLessThan(CUT_OFF_MS);
		},
	);

	it("or plainly, takes webhooks that come in beside the demo, by a configuration file", async () => {
		const config = {
			sources: [
				{ kind: "demo" },
				{ kind: "inbound", hooks: [{ name: "orders.created" }] },
			],
		};
		const folder = mkdtempSync(join(tmpdir(), "mcp-events-config-"));
		writeFileSync(join(folder, "serve.json"), JSON.stringify(config));
		const words = ["serve", "--config", "serve.json"];
		const run = startCli(words, { cwd: folder });
		const [, url = ""] = await run.stderr.until(/ at (http:\S+)/);
		const posted = await fetch(url.replace("/mcp", "/inbound/orders.created"), {
			method: "POST",
			headers: { "content-type": "application/json" },
			body: '{"n":1}',
		});
		expect(posted.status).toBe(200);
		const polled = await runCli(["list", url]);
		expect(polled.lines.map((line) => JSON.parse(line).name)).toEqual([
			"clock.tick",
			"dice.rolled",
			"orders.created",
		]);
		run.kill("SIGTERM");
		await run.done;
		rmSync(folder, { recursive: true });
	});

	it("says what is wrong with files that do not belong together", async () => {
		const other = join(folder, "elsewhere.key");
		const run = await runCli(["serve", ...TLS.slice(0, 3), other]);
		expect(run.status).toBe(2);
		expect(run.stderr).toContain("the TLS certificate and key cannot be used");
		expect(run.stderr).not.toContain(readFileSync(other, "utf8").slice(30, 60));
	});
});
