import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { openStdout, ReaderGone } from "../../src/output/stdout.ts";
import { bundleProgram } from "./bundle-program.ts";

const children: ChildProcess[] = [];
let program: Awaited<ReturnType<typeof bundleProgram>>;
let folder: string;

beforeAll(async () => {
	program = await bundleProgram("write-items");
	folder = mkdtempSync(join(tmpdir(), "mcp-events-stdout-"));
});

afterAll(() => {
	for (const child of children) child.kill("SIGKILL");
	program.remove();
	rmSync(folder, { recursive: true, force: true });
});

/** Runs a line of bash in which `W` starts the program; its reports, and what it told besides, come line by line. */
function runShell(line: string) {
	const script = `W() { "${process.execPath}" "${program.path}" "$@"; }\n${line}`;
	const child = spawn("bash", ["-c", script], { cwd: folder });
	children.push(child);
	const lines = createInterface({ input: child.stderr });
	return { child, lines: lines[Symbol.asyncIterator]() };
}

async function allLines(lines: AsyncIterator<string>): Promise<string[]> {
	const all: string[] = [];
	for (;;) {
		const { value, done } = await lines.next();
		if (done) return all;
		all.push(value);
	}
}

/** Waits until the writer says several times over that it gets no further; returns how far it got. */
async function untilStuck(lines: AsyncIterator<string>): Promise<number> {
	const seen: number[] = [];
	while (seen.length < 4 || new Set(seen.slice(-4)).size > 1) {
		const { value } = await lines.next();
		seen.push(JSON.parse(value).accepted);
	}
	return seen.at(-1) ?? 0;
}

const GONE = { isGone: true, name: "ReaderGone", again: "ReaderGone" };

describe.skipIf(process.platform === "win32")("on a real stream", () => {
	it("waits for a slow reader of a pipe, and holds nothing meanwhile", async () => {
		const { child, lines } = runShell(
			"exec 3<&0; W much | { read -r _ <&3; wc -c; }",
		);
		expect(await untilStuck(lines)).toBe(0);
		child.stdin.write("go\n");
		const [count] = await once(child.stdout, "data");
		const done = JSON.parse((await allLines(lines)).at(-1) ?? "");
		expect(done.done).toBe(400);
		expect(Number(count)).toBeGreaterThan(100 * 1024 * 1024);
		expect(done.peakMebibytes).toBeLessThan(160);
	});

	it("waits for a slow reader of a socket", async () => {
		const { child, lines } = runShell("exec 3>&1; W much");
		expect(await untilStuck(lines)).toBeLessThan(3);
		child.stdout.resume();
		expect(JSON.parse((await allLines(lines)).at(-1) ?? "").done).toBe(400);
	});

	it("rejects with ReaderGone once the reader of a pipe has left", async () => {
		const { child, lines } = runShell("W until-gone | head -1");
		const [line] = await once(child.stdout, "data");
		expect(JSON.parse(line.toString().split("\n")[0]).eventId).toBe("e");
		const reports = await allLines(lines);
		expect(reports.map((each) => JSON.parse(each))).toEqual([
			{ ...GONE, isAborted: true },
		]);
	});

	it.skipIf(process.platform !== "linux").each(["events", "records"])(
		"tells by a fault on stderr that the disk is full, under %s",
		async (form) => {
			const { lines } = runShell(`W one ${form} > /dev/full`);
			const [report = "", ...told] = await allLines(lines);
			expect(JSON.parse(report)).toEqual({
				isGone: false,
				name: "output-failed",
			});
			expect(told.join("\n")).toBe(
				[
					"mcp-events: stdout could not take the output",
					"  why:  ENOSPC: no space left on device, write",
					"  next: free some space, or write to another place, and go on from the last cursor",
				].join("\n"),
			);
		},
	);

	it.skipIf(process.platform !== "linux")(
		"notices that a file took only a part of a write",
		async () => {
			// The shell's limit counts blocks of 1,024 bytes: the write is longer, and its first part fits.
			const { lines } = runShell("ulimit -f 1; W one > short.ndjson");
			const [report = ""] = await allLines(lines);
			expect(JSON.parse(report).name).toBe("output-failed");
			expect(statSync(join(folder, "short.ndjson")).size).toBe(1024);
		},
	);

	it("writes whole lines to a file", async () => {
		const { lines } = runShell("W one > whole.ndjson");
		expect(await allLines(lines)).toEqual([]);
		const text = readFileSync(join(folder, "whole.ndjson"), "utf8");
		expect(
			text
				.trimEnd()
				.split("\n")
				.map((line) => JSON.parse(line).name),
		).toEqual(["n", "n", "n"]);
	});
});

describe("a stream that breaks", () => {
	it("aborts readerGone even between two writes", () => {
		const stream = new PassThrough();
		const stdout = openStdout(stream, false);
		stream.emit("error", Object.assign(new Error("gone"), { code: "EPIPE" }));
		expect(stdout.readerGone.aborted).toBe(true);
		expect(stdout.readerGone.reason).toBeInstanceOf(ReaderGone);
	});

	it("counts a closed stream as a reader that went away", async () => {
		const stream = new PassThrough();
		const stdout = openStdout(stream, false);
		const write = stdout.write("never read".repeat(10_000));
		stream.destroy();
		await expect(write).rejects.toThrow(ReaderGone);
		await expect(stdout.write("x")).rejects.toThrow(ReaderGone);
		await stdout.flush();
	});

	it.each([
		["EIO", true, ReaderGone],
		["EIO", false, Fault],
		["EPIPE", false, ReaderGone],
		["ENOSPC", false, Fault],
	])("takes %s (a terminal: %s) as %o", async (code, isTerminal, kind) => {
		const stream = new Writable({
			write: (_chunk, _encoding, done) =>
				done(Object.assign(new Error("broken"), { code })),
		});
		const stdout = openStdout(stream, isTerminal);
		await expect(stdout.write("x")).rejects.toThrow(kind);
	});
});
