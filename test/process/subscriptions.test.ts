// secret, subscribe, unsubscribe and subscriptions as processes, against a server that sends webhooks.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished } from "vitest";
import { readBody } from "../fixtures/servers/listen.ts";
import { openWebhookSender } from "../fixtures/servers/webhook-sender.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-subscriptions-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Somebody else's receiver: it echoes challenges and keeps what came. */
async function openForeignReceiver() {
	const bodies: string[] = [];
	const server = createServer(async (request, response) => {
		const text = await readBody(request);
		bodies.push(text);
		const { challenge } = JSON.parse(text);
		response.end(challenge ? JSON.stringify({ challenge }) : "");
	});
	await new Promise<void>((resolve) =>
		server.listen(0, "127.0.0.1", () => resolve()),
	);
	onTestFinished(() => {
		server.close();
		server.closeAllConnections();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/in`, bodies };
}

it("makes a secret that another package can sign with, another each time", async () => {
	const runs = await Promise.all([
		runCli(["secret"], { stdoutForm: "any" }),
		runCli(["secret"], { stdoutForm: "any" }),
	]);
	const [one = "", other = ""] = runs.map(({ stdout }) => stdout.trim());
	expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
	expect(one).not.toBe(other);
	expect(new Webhook(one).sign("msg_1", new Date(), "{}")).toMatch(/^v1,/);
	expect(runs[0]?.stderr).toBe("");
});

it("subscribes for a receiver elsewhere, refreshes it with the same secret, lists it and ends it", async () => {
	await using sender = await openWebhookSender();
	const receiver = await openForeignReceiver();
	const state = ["--state", temporaryFolder()];
	const words = [sender.url, "orders.created", ...state];
	const to = ["--to", receiver.url];
	const first = await runCli(["subscribe", ...words, ...to]);
	expect(first.status).toBe(0);
	expect(JSON.parse(first.stdout)).toMatchObject({
		id: expect.stringMatching(/^sub_/),
		url: receiver.url,
		cursor: "0",
	});
	expect(first.stderr).toContain("shown this once: whsec_");
	const again = await runCli(["subscribe", ...words, ...to]);
	expect(again.stderr).not.toContain("whsec_");
	const secrets = sender.asked.flatMap(({ params }) =>
		params.delivery ? [params.delivery.secret] : [],
	);
	expect(secrets).toHaveLength(2);
	expect(secrets[0]).toBe(secrets[1]);
	const listed = await runCli(["subscriptions", "list", ...state]);
	expect(listed.lines.map((line) => JSON.parse(line))).toMatchObject([
		{ state: "elsewhere", event: "orders.created", url: receiver.url },
	]);
	expect(listed.stdout).not.toContain("whsec_");
	const ended = await runCli(["unsubscribe", ...words]);
	expect(ended.status).toBe(0);
	expect(sender.subscriptions.size).toBe(0);
	const after = await runCli(["subscriptions", "list", ...state]);
	expect(after.stdout).toBe("");
});

it("unsubscribes what a killed listener left behind, and forgets it", async () => {
	await using sender = await openWebhookSender();
	const state = ["--state", temporaryFolder()];
	const run = startCli(["listen", sender.url, "orders.created", ...state]);
	await run.stderr.until(/orders\.created: ready/);
	const held = await runCli(["subscriptions", "prune", sender.url, ...state]);
	expect(held.status).toBe(0);
	expect(sender.subscriptions.size).toBe(1);
	run.kill("SIGKILL");
	await run.done;
	const left = await runCli(["subscriptions", "list", ...state]);
	expect(JSON.parse(left.stdout)).toMatchObject({ state: "left" });
	const pruned = await runCli(["subscriptions", "prune", sender.url, ...state]);
	expect(pruned.status).toBe(0);
	expect(pruned.stderr).toContain("forgot 1 webhook subscriptions");
	expect(sender.subscriptions.size).toBe(0);
	const after = await runCli(["subscriptions", "list", "--all", ...state]);
	expect(after.stdout).toBe("");
});

it("says what failed where the receiver does not echo, with the reason that the server gave", async () => {
	await using sender = await openWebhookSender();
	const file = join(temporaryFolder(), "hook.secret");
	writeFileSync(file, `whsec_${Buffer.alloc(32, 5).toString("base64")}\n`);
	const words = [sender.url, "orders.created", "--secret-file", file];
	const to = ["--to", "http://127.0.0.1:9/in"];
	const { status, stderr } = await runCli(["subscribe", ...words, ...to]);
	expect(status).toBe(3);
	expect(stderr).toContain(
		"the callback failed events/subscribe of orders.created: connection_refused",
	);
	expect(stderr).toContain("--public-url");
});

it.each([
	[["subscribe", "URL", "orders.created", "--to", "mailto:x"], "--to"],
	[
		["subscribe", "URL", "orders.created", "b", "--to", "http://x/"],
		"too many",
	],
	[["unsubscribe", "URL", "orders.created"], "no subscription of ours"],
])("refuses %j", async (words, what) => {
	await using sender = await openWebhookSender();
	const own = words.map((word) => (word === "URL" ? sender.url : word));
	const { status, stderr } = await runCli(own);
	expect(status).toBe(2);
	expect(stderr).toContain(what);
});
