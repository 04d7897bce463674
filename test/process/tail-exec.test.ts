// tail --exec as a user has it: a command for each event, once; what fails is parked, and replay sends it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { SECRET_TEXT } from "../fixtures/deliveries.ts";
import { openRecorder } from "../helpers/open-recorder.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";
import { type LogServer, openLogServer } from "./log-server.ts";

let server: LogServer;
let state: string;
beforeAll(async () => {
	server = await openLogServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
	state = mkdtempSync(join(tmpdir(), "mcp-events-tail-exec-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const args = (exec: string, ...more: string[]) => [
	...["tail", server.url.href, "tick", "--state", state],
	...["-o", "records", "--exec", exec, ...more],
];

const recordsOf = (lines: readonly string[], wanted: string) =>
	lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === wanted);

/** A command that appends its stdin to a file, and the ids in there. */
function openFile() {
	const file = join(state, "acted");
	const ids = () =>
		readFileSync(file, "utf8")
			.trim()
			.split("\n")
			.map((line): string => JSON.parse(line).eventId);
	return { command: `sh -c 'cat >> "$1"' sh ${file}`, ids };
}

it("gives each event to the command, shows both, and says at the end what came of all", async () => {
	const { command, ids } = openFile();
	const run = await runCli(args(command, "-n", "5"));
	expect(run.status).toBe(0);
	const shown = recordsOf(run.lines, "event").map(({ event }) => event.eventId);
	expect(ids()).toEqual(shown);
	expect(recordsOf(run.lines, "handled")).toMatchObject(
		shown.map((id) => ({ id, status: 0, via: "push" })),
	);
	expect(JSON.parse(run.lines.at(-1) ?? "").kind).toBe("stopped");
	expect(run.stderr).toContain("--exec: 5 handled\n");
});

it("hands several events to one run with --batch", async () => {
	const { command, ids } = openFile();
	const run = await runCli(args(command, "-n", "6", "--batch", "3,10s"));
	expect(ids()).toHaveLength(6);
	const starts = recordsOf(run.lines, "handled").map(
		({ latencyMs }) => latencyMs,
	);
	expect(new Set(starts.slice(0, 3)).size).toBe(1);
});

it("puts fields into the words of the command, each in its own, marked or reduced", async () => {
	const script = join(state, "words.mjs");
	writeFileSync(script, "console.log(JSON.stringify(process.argv.slice(2)))");
	const words = "--of={{event.eventId|id}} {{event.data|untrusted}}";
	const run = await runCli(args(`node ${script} ${words}`, "-n", "1"));
	const [handled] = recordsOf(run.lines, "handled");
	expect(JSON.parse(handled.stdoutStart)).toEqual([
		`--of=${handled.id}`,
		expect.stringMatching(/^\[untrusted: "\{.*\}"\]$/),
	]);
});

it("refuses a bare field before it asks the server for anything", async () => {
	const run = await runCli(args("echo {{event.data.title}}"));
	expect(run.status).toBe(2);
	expect(run.stdout + run.stderr).toContain("is bare");
});

it("parks what fails, and replay sends it, signed as of then", async () => {
	const run = await runCli(args("false", "-n", "2"));
	const handled = recordsOf(run.lines, "handled");
	expect(handled).toMatchObject([
		{ status: 1, fault: { code: "handler-failed" } },
		{ status: 1, fault: { code: "handler-failed" } },
	]);
	expect(run.stderr).toContain("0 handled, 2 parked");
	const target = await openRecorder();
	const secretFile = join(state, "hook.secret");
	writeFileSync(secretFile, `${SECRET_TEXT}\n`);
	const sent = await runCli([
		...["replay", join(state, "captures"), "--to", target.url],
		...["--secret-file", secretFile],
	]);
	expect(sent.status).toBe(0);
	const verified = target.requests.map(({ headers, body }) =>
		new Webhook(SECRET_TEXT).verify(
			body.toString(),
			Object.fromEntries(
				headers.map(([name, value]) => [name.toLowerCase(), value]),
			),
		),
	);
	expect(verified).toMatchObject(handled.map(({ id }) => ({ eventId: id })));
});

it("with --resume leaves what it had no time for to the next run, and acts on nothing twice", async () => {
	const { command, ids } = openFile();
	const slow = `${command.replace("cat", "sleep 0.2; cat")}`;
	const first = startCli(args(slow, "--resume"));
	await first.stdout.until(/"handled"/);
	first.kill("SIGTERM");
	const ended = await first.done;
	expect(ended.status).toBe(143);
	const left = recordsOf(ended.lines, "handled").filter(
		({ fault }) => fault?.what === "the run ended first",
	);
	expect(left.length).toBeGreaterThan(0);
	await runCli(args(command, "--resume", "-n", String(left.length)));
	const acted = ids();
	expect(new Set(acted).size).toBe(acted.length);
	expect(acted).toEqual(expect.arrayContaining(left.map(({ id }) => id)));
});
