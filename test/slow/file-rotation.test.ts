// A log that another process writes and rotates, followed by `serve file` and `tail`, all of them processes of their own.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type CliProcess, startCli } from "../helpers/run-cli.ts";
import {
	openTextCollector,
	type TextCollector,
} from "../helpers/text-collector.ts";

const WRITER = fileURLToPath(
	new URL("../fixtures/programs/rotating-writer.mjs", import.meta.url),
);
const DEADLINE_MS = 120_000;
/** More than the server holds open of what was rotated away. */
const MANY_ROTATIONS = 6;

let folder: string;
let writer: ChildProcess;
let answers: TextCollector;
let server: CliProcess;
let url: string;
let started: CliProcess[];

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), "mcp-events-log-"));
	started = [];
	writer = spawn(process.execPath, [WRITER, inFolder("app.log")], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	if (!writer.stdout) throw new Error("the writer has no stdout");
	answers = openTextCollector(writer.stdout);
	await write("append 10");
	await serve();
});
afterEach(async () => {
	writer.kill("SIGKILL");
	for (const run of started) run.kill("SIGKILL");
	await Promise.allSettled(started.map((run) => run.done));
	rmSync(folder, { recursive: true, force: true });
});

test.each(["push", "poll"])(
	"a log that is rotated again and again, by %s: each line once, in order, and no gap",
	async (via) => {
		const tail = follow("--via", via, "-n", "60000");
		await tail.ready();
		for (let at = 0; at < MANY_ROTATIONS; at++) {
			const last = await write("append 9950");
			await tail.seen(last - 9_000);
			await write("rotate");
		}
		expect(await tail.story()).toBe("11-60010");
	},
);

test("a log that is copied and cut: told as a gap, and on in order", async () => {
	const tail = follow("-n", "4000");
	await tail.ready();
	await tail.seen(await write("append 2000"));
	await write("truncate");
	await write("append 2000");
	expect(await tail.story()).toBe("11-2010 gap 2011-4010");
});

test("a log that is cut before its lines were read: the gap stands where they are missing", async () => {
	const cursor = await readUpTo(await write("append 100"));
	await write("append 100");
	await write("truncate");
	await write("append 100");
	expect(await follow("--cursor", cursor, "-n", "100").story()).toBe(
		"gap 211-310",
	);
});

test("a log that was rotated once while nobody followed it: --cursor goes on in the old file, without a gap", async () => {
	const cursor = await readUpTo(await write("append 3000"));
	await write("append 3000");
	await write("rotate");
	await write("append 3000");
	expect(await follow("--cursor", cursor, "-n", "6050").story()).toBe(
		"3011-9060",
	);
});

test("a log whose old file went away while nobody followed it: told as a gap", async () => {
	const cursor = await readUpTo(await write("append 100"));
	for (let at = 0; at < MANY_ROTATIONS; at++) {
		await write("append 100");
		await write("rotate");
		await served();
	}
	await write("append 100");
	const story = await follow("--cursor", cursor, "--for", "6s").story();
	expect(story).toMatch(/^gap \d+-1110$/);
	expect(story).not.toContain("gap 111-");
});

test("a server that begins anew: the cursor holds as long as the file does", async () => {
	const cursor = await readUpTo(await write("append 100"));
	await stopServing();
	await write("append 100");
	await serve();
	expect(await follow("--cursor", cursor, "-n", "100").story()).toBe("111-210");
	await stopServing();
	await write("rotate");
	await write("append 100");
	await serve();
	expect(await follow("--cursor", cursor, "-n", "100").story()).toBe(
		"gap 261-360",
	);
});

test("a tail that is stopped in the middle of it all goes on by the cursor that it said, with nothing lost or twice", async () => {
	const first = follow();
	await first.ready();
	const writing = write("append 20000");
	await first.seen(5_000);
	const cursor = await first.stop();
	await writing;
	await write("rotate");
	const last = await write("append 5000");
	const from = first.last() + 1;
	expect(await first.story()).toBe(`11-${from - 1}`);
	const rest = follow("--cursor", cursor, "-n", String(last - from + 1));
	expect(await rest.story()).toBe(`${from}-${last}`);
});

const inFolder = (name: string) => join(folder, name);

/** Has the writer do something; returns the number of the last line that it wrote. */
async function write(command: string): Promise<number> {
	writer.stdin?.write(`${command}\n`);
	return Number(await answers.nextLine());
}

function start(args: string[]): CliProcess {
	const run = startCli(args, { deadlineMs: DEADLINE_MS });
	started.push(run);
	return run;
}

async function serve(): Promise<void> {
	server = start(["serve", "file", inFolder("app.log"), "--port", "0"]);
	[, url = ""] = await server.stderr.until(/(http:\S+)/);
}

async function stopServing(): Promise<void> {
	server.kill("SIGTERM");
	await server.done;
}

/** Waits until the server has seen the last line that was written. */
async function served(): Promise<void> {
	const tail = start(["tail", url, "file.line", "-o", "records"]);
	await tail.stdout.until(/"kind":"ready"/);
	tail.kill("SIGTERM");
	await tail.done;
}

/** The cursor of a tail that has come so far and was stopped. */
async function readUpTo(line: number): Promise<string> {
	const tail = follow("--cursor", "v1.0-0-0.0.0");
	await tail.seen(line);
	return tail.stop();
}

/** A tail in records, and how to read what it tells. */
function follow(...flags: string[]) {
	const words = ["tail", url, "file.line", "-o", "records", ...flags];
	const run = start([...words, "--interval-floor", "20ms"]);
	let last = 0;
	let rest = "";
	run.child.stdout?.on("data", (chunk: Buffer) => {
		const lines = (rest + chunk.toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines)
			last = Number(/"line":"line (\d+)/.exec(line)?.[1] ?? last);
	});
	const records = async () =>
		(await run.done).lines.map((line) => JSON.parse(line));
	return {
		ready: () => run.stdout.until(/"kind":"ready"/),
		/** Waits until it has printed the line of this number. */
		seen: (line: number) =>
			vi.waitUntil(() => last >= line, { timeout: DEADLINE_MS }),
		/** Stops it; returns the cursor that it says. */
		async stop(): Promise<string> {
			run.kill("SIGTERM");
			return (await records()).at(-1).cursor;
		},
		/** The number of the line that it printed last. */
		last: () => last,
		story: async () => storyOf(await records()),
	};
}

type Row = { kind: string; event?: { data: { line: string } } };

/** The numbers of the lines in the order printed, runs of them as FROM-TO, with a word for each gap. */
function storyOf(rows: Row[]): string {
	const told: ([number, number] | "gap")[] = [];
	for (const row of rows) {
		if (row.kind === "gap") told.push("gap");
		if (row.kind !== "event") continue;
		const run = told.at(-1);
		const number = Number(row.event?.data.line.split(" ")[1]);
		if (Array.isArray(run) && run[1] + 1 === number) run[1] = number;
		else told.push([number, number]);
	}
	return told.map((run) => (run === "gap" ? run : run.join("-"))).join(" ");
}
