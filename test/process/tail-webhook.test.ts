// tail --via webhook as a process, against a server that sends webhooks and shares no code with ours.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openWebhookSender } from "../fixtures/servers/webhook-sender.ts";
import { type CliProcess, runCli, startCli } from "../helpers/run-cli.ts";

function stateFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-tail-webhook-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

const isReady = (run: CliProcess) =>
	run.stderr.until(/orders\.created: ready, by webhook at (\S+)/);
const idsOf = (lines: readonly string[]) =>
	lines.map((line) => JSON.parse(line).eventId);

it("receives, shows each event once, and unsubscribes at the end", async () => {
	await using sender = await openWebhookSender();
	const words = ["--via", "webhook", "--state", stateFolder(), "-n", "3"];
	const run = startCli(["tail", sender.url, "orders.created", ...words]);
	await isReady(run);
	for (const id of ["evt_1", "evt_2", "evt_3"]) {
		sender.emit(id);
		await sender.until(() => sender.acknowledged.has(id));
	}
	const { status, lines } = await run.done;
	expect(status).toBe(0);
	expect(idsOf(lines)).toEqual(["evt_1", "evt_2", "evt_3"]);
	expect(sender.subscriptions.size).toBe(0);
});

it("killed in the middle and resumed, loses nothing that was acknowledged", async () => {
	await using sender = await openWebhookSender();
	const state = stateFolder();
	const words = ["--via", "webhook", "--resume", "--state", state];
	const shown: string[] = [];
	for (let round = 1; round <= 3; round++) {
		const run = startCli(["tail", sender.url, "orders.created", ...words], {
			stdoutForm: "any",
		});
		await isReady(run);
		for (let n = 0; n < 20; n++) sender.emit();
		await run.stdout.waitFor((text) => text.split("\n").length > 5);
		run.kill("SIGKILL");
		await run.done;
		shown.push(...idsOf(run.stdout.text.split("\n").slice(0, -1)));
	}
	const last = startCli(["tail", sender.url, "orders.created", ...words]);
	await isReady(last);
	await sender.until(() => sender.acknowledged.size === 60);
	await last.stdout.waitFor(
		(text) =>
			new Set([...shown, ...idsOf(text.split("\n").slice(0, -1))]).size === 60,
	);
	last.kill("SIGTERM");
	const { lines, status } = await last.done;
	shown.push(...idsOf(lines));
	expect(status).toBe(143);
	expect(new Set(shown).size).toBe(60);
	expect(sender.subscriptions.size).toBe(0);
});

it("ends with the server's word where its callback is refused and nothing else was asked for", async () => {
	await using sender = await openWebhookSender({ onlyHttps: true });
	const words = ["--via", "webhook", "--state", stateFolder()];
	const run = await runCli(["tail", sender.url, "orders.created", ...words]);
	expect(run.status).not.toBe(0);
	expect(run.stderr).toContain("--tunnel");
});

it("refuses an address for webhooks beside --via push", async () => {
	const url = ["--public-url", "https://hook.test/"];
	const run = await runCli([
		"tail",
		"http://x.test/mcp",
		"a",
		"--via",
		"push",
		...url,
	]);
	expect(run.status).toBe(2);
});
