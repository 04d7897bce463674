// listen as a process: against a server that sends webhooks and shares no code with ours, and through a kill -9.
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, onTestFinished } from "vitest";
import { openWebhookSender } from "../fixtures/servers/webhook-sender.ts";
import { type CliProcess, startCli } from "../helpers/run-cli.ts";

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-listen-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

const idsOf = (lines: readonly string[]): string[] =>
	lines.map((line) => JSON.parse(line).eventId);

/** The eventIds of all captures in a state folder, envelopes left out. */
function capturedIds(state: string): string[] {
	const folder = join(state, "captures");
	const files = readdirSync(folder).filter((name) => name.endsWith(".ndjson"));
	const lines = files.sort().flatMap((name) =>
		readFileSync(join(folder, name), "utf8")
			.split("\n")
			.filter((line) => line !== ""),
	);
	return lines.flatMap((line) => {
		const { eventId } = JSON.parse(JSON.parse(line).body);
		return eventId === undefined ? [] : [eventId];
	});
}

const isReady = (run: CliProcess) =>
	run.stderr.until(/orders\.created: ready, by webhook at (\S+)/);

describe("listen SERVER EVENT", () => {
	it("subscribes, answers the verification, shows each event once, and unsubscribes at the end", async () => {
		await using sender = await openWebhookSender();
		const state = temporaryFolder();
		const words = [sender.url, "orders.created", "--state", state, "-n", "3"];
		const run = startCli(["listen", ...words]);
		await isReady(run);
		for (const id of ["evt_1", "evt_2", "evt_3"]) {
			sender.emit(id);
			await sender.until(() => sender.acknowledged.has(id));
		}
		const { status, lines, stderr } = await run.done;
		expect(status).toBe(0);
		expect(idsOf(lines)).toEqual(["evt_1", "evt_2", "evt_3"]);
		expect(stderr).toContain("refuses the callback at http://127.0.0.1:");
		expect(stderr).toContain("answered the server's verification");
		expect(stderr).not.toContain("whsec_");
		expect(sender.subscriptions.size).toBe(0);
		expect(sender.asked.at(-1)?.method).toBe("events/unsubscribe");
		expect(capturedIds(state)).toEqual(["evt_1", "evt_2", "evt_3"]);
	});

	it("killed in the middle and started again, loses nothing that was acknowledged and shows nothing twice", async () => {
		await using sender = await openWebhookSender();
		const state = temporaryFolder();
		const words = ["listen", sender.url, "orders.created", "--state", state];
		const shown: string[] = [];
		const told: string[] = [];
		for (let round = 1; round <= 3; round++) {
			const run = startCli(words);
			await isReady(run);
			for (let n = 0; n < 20; n++) sender.emit();
			await run.stdout.waitFor((text) => text.split("\n").length > 5);
			run.kill("SIGKILL");
			await run.done;
			shown.push(...idsOf(wholeLines(run)));
			told.push(run.stderr.text);
		}
		const last = startCli(words);
		await isReady(last);
		await sender.until(() => sender.acknowledged.size === 60);
		last.kill("SIGTERM");
		const { status, lines, stderr } = await last.done;
		shown.push(...idsOf(lines));
		told.push(stderr);
		expect(status).toBe(143);
		expect(stderr).toContain("goes on where an earlier listener stopped");
		const all = [...sender.acknowledged].sort();
		expect(capturedIds(state).sort()).toEqual(all);
		expect(sender.subscriptions.size).toBe(0);
		expect(new Set(shown).size).toBe(shown.length);
		// A kill in the very moment of a write leaves it open whether it was read: such captures are named.
		const unknown = told.reduce((sum, text) => sum + doubtful(text), 0);
		expect(shown.length).toBeLessThanOrEqual(60);
		expect(shown.length + unknown).toBeGreaterThanOrEqual(60);
	});

	it("keeps its subscription where the port is the same, and subscribes anew what the server has lost", async () => {
		await using sender = await openWebhookSender({ ttlMs: 1_000 });
		const words = [sender.url, "orders.created", "--output", "records"];
		const run = startCli(["listen", ...words, "-n", "2"]);
		await run.stdout.until(/"kind":"ready"/);
		sender.emit("evt_1");
		await sender.until(() => sender.acknowledged.has("evt_1"));
		sender.forget();
		sender.emit("evt_2");
		const { lines, status } = await run.done;
		const records = lines.map((line) => JSON.parse(line));
		expect(status).toBe(0);
		const events = records.filter(({ kind }) => kind === "event");
		expect(events.map(({ event }) => event.eventId)).toEqual([
			"evt_1",
			"evt_2",
		]);
		expect(events[0].capture).toMatch(/^cap_/);
		expect(records.at(-1)).toMatchObject({ kind: "stopped", cursor: "2" });
	});

	it("rotates its secret while deliveries go on", async () => {
		await using sender = await openWebhookSender();
		const words = [sender.url, "orders.created", "--rotate-every", "1s"];
		const run = startCli(["listen", ...words, "-n", "2"]);
		await isReady(run);
		sender.emit("evt_1");
		const subscribes = () =>
			sender.asked.filter(({ method }) => method === "events/subscribe");
		await sender.until(() => subscribes().length === 2);
		sender.emit("evt_2");
		expect((await run.done).status).toBe(0);
		const secrets = subscribes().map(({ params }) => params.delivery.secret);
		expect(new Set(secrets).size).toBe(secrets.length);
		const { signatures } = sender.posts.at(-1) ?? {};
		expect(signatures).toBe(2);
	});

	it.each([
		[-32024, "Forbidden", 4],
		[-32000, "Unknown", 8],
	])(
		"stops when the server ends the subscription with %i (%s): status %i",
		async (code, name, status) => {
			await using sender = await openWebhookSender();
			const run = startCli(["listen", sender.url, "orders.created"]);
			await isReady(run);
			const error = { code, message: "over" };
			await sender.sendEnvelope({ type: "terminated", error });
			const ended = await run.done;
			expect(ended.status).toBe(status);
			expect(ended.stderr).toContain(
				`the server ended the subscription: ${name} (${code}): over`,
			);
		},
	);

	it("says before subscribing that its URL will be refused, and how to get out of it", async () => {
		await using sender = await openWebhookSender({ onlyHttps: true });
		const run = startCli(["listen", sender.url, "orders.created"]);
		const { status, stderr } = await run.done;
		expect(status).toBe(2);
		expect(stderr).toMatch(/refuses the callback.*--public-url.*--tls/);
		expect(stderr).toContain("the callback must be https");
	});

	it("says what to use where the event does not come by webhook", async () => {
		await using sender = await openWebhookSender({ delivery: ["poll"] });
		const run = startCli(["listen", sender.url, "orders.created"]);
		const { status, stderr } = await run.done;
		expect(status).toBe(2);
		expect(stderr).toContain("mcp-events tail SERVER orders.created");
	});
});

describe("listen without a server", () => {
	/** Sends what the standardwebhooks package signs. */
	async function send(url: string, secret: string, body: object, id: string) {
		const text = JSON.stringify(body);
		const at = new Date();
		const response = await fetch(url, {
			method: "POST",
			body: text,
			headers: {
				"content-type": "application/json",
				"webhook-id": id,
				"webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
				"webhook-signature": new Webhook(secret).sign(id, at, text),
			},
		});
		return response.status;
	}

	it("receives from any sender that has the secret, which is told once, and rejects all others", async () => {
		const run = startCli(["listen", "--path", "/in", "-n", "1"]);
		const [, secret = ""] = await run.stderr.until(/(whsec_\S+)/);
		const [, url = ""] = await run.stderr.until(/ready, by webhook at (\S+)/);
		const wrong = `whsec_${Buffer.alloc(32, 9).toString("base64")}`;
		const body = {
			type: "user.made",
			timestamp: "2026-01-01T00:00:00Z",
			data: { a: 1.0 },
		};
		expect(await send(url, wrong, body, "msg_1")).toBe(401);
		expect(await send(url, secret, body, "msg_2")).toBe(204);
		const { status, lines, stderr } = await run.done;
		expect(status).toBe(0);
		expect(lines.map((line) => JSON.parse(line))).toEqual([body]);
		expect(stderr).toContain("rejected a delivery (401 no-match)");
		expect(stderr.split(secret)).toHaveLength(2);
	});

	it("shows what comes twice both times where repetitions are not dropped", async () => {
		const more = ["--dedup-window", "0", "-n", "2"];
		const run = startCli(["listen", "--path", "/in", ...more]);
		const [, secret = ""] = await run.stderr.until(/(whsec_\S+)/);
		const [, url = ""] = await run.stderr.until(/ready, by webhook at (\S+)/);
		expect(await send(url, secret, { n: 1 }, "msg_1")).toBe(204);
		expect(await send(url, secret, { n: 1 }, "msg_1")).toBe(204);
		expect((await run.done).lines).toHaveLength(2);
	});

	it("warns where another listener at the same path shares its memory", async () => {
		const words = ["listen", "--path", "/in", "--state", temporaryFolder()];
		const first = startCli(words);
		await first.stderr.until(/ready, by webhook/);
		const second = startCli(words);
		await second.stderr.until(/warning: another listener receives at \/in/);
		await second.stderr.until(/ready, by webhook/);
		for (const run of [first, second]) run.kill("SIGINT");
		await Promise.all([first.done, second.done]);
		const third = startCli([...words, "--for", "1ms"]);
		expect((await third.done).stderr).not.toContain("another listener");
	});

	it("writes where it listens for scripts, and ends when its time is over", async () => {
		const folder = temporaryFolder();
		const file = join(folder, "ready.json");
		const run = startCli([
			"listen",
			"--for",
			"1s",
			"--ready-file",
			file,
			"--state",
			folder,
		]);
		expect((await run.done).status).toBe(0);
		expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
			url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
			subscriptions: [{ url: expect.stringMatching(/\/hooks\/[\w-]{24}$/) }],
		});
		expect(statSync(join(folder, "captures")).mode & 0o777).toBe(0o700);
	});

	it.each([
		[["--keep"], "--keep needs a SERVER"],
		[["--tls-cert", "x"], "without --tls-key"],
		[["--rotate-every", "0s"], "is too often"],
		[["--path", "hooks"], "is not a path"],
		[["--public-url", "ftp://x"], "is not an http or https URL"],
	])("refuses %j", async (words, what) => {
		const { status, stderr } = await startCli(["listen", ...words]).done;
		expect(status).toBe(2);
		expect(stderr).toContain(what);
	});
});

/** What the process has written up to its last line end: a kill may cut a line. */
const wholeLines = (run: CliProcess) =>
	run.stdout.text.split("\n").slice(0, -1);

/** How many captures a restart names as perhaps not shown. */
function doubtful(stderr: string): number {
	const [, more] =
		/cut off while it showed cap_\S+?(?: and (\d+) after it)?:/.exec(stderr) ??
		[];
	return stderr.includes("cut off while it showed") ? 1 + Number(more ?? 0) : 0;
}
