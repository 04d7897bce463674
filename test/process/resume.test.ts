// --resume as a user has it: a run that is ended or killed, and another that goes on where it stopped.
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	it,
} from "vitest";
import { runCli, startCli } from "../helpers/run-cli.ts";
import { type LogServer, openLogServer } from "./log-server.ts";

let server: LogServer;
let state: string;
beforeAll(async () => {
	server = await openLogServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
	state = mkdtempSync(join(tmpdir(), "mcp-events-resume-"));
});
afterEach(() => rmSync(state, { recursive: true, force: true }));

const args = (command: string, ...more: string[]) => [
	...[command, server.url.href, "tick", "--resume", "--state", state],
	...["--interval-floor", "20ms", ...more].slice(command === "stream" ? 2 : 0),
];

const numbers = (lines: string[]) =>
	lines.map((line) => Number(JSON.parse(line).eventId.slice(1)));

/** The whole lines: a kill may cut the last one off. */
const wholeLines = (text: string) => text.split("\n").slice(0, -1);

/** Every number from the first to the last. */
const missing = (seen: Set<number>) => {
	const last = Math.max(...seen);
	const lost: number[] = [];
	for (let n = Math.min(...seen); n <= last; n++)
		if (!seen.has(n)) lost.push(n);
	return lost;
};

it.each(["tail", "stream", "poll"])(
	"%s: a run that SIGTERM ends is gone on with, nothing lost and nothing twice",
	async (command) => {
		const seen: number[] = [];
		for (let round = 0; round < 3; round++) {
			const run = startCli(args(command));
			await run.stdout.waitFor((text) => wholeLines(text).length >= 20);
			run.kill("SIGTERM");
			const { status, lines } = await run.done;
			expect(status).toBe(143);
			seen.push(...numbers(lines));
		}
		expect(missing(new Set(seen))).toEqual([]);
		expect(new Set(seen).size).toBe(seen.length);
	},
);

it.each(["tail", "poll"])(
	"%s: a run that kill -9 ends is gone on with, nothing lost, and nothing twice but what was not saved",
	async (command) => {
		const seen = new Set<number>();
		let unsaved = new Set<number>();
		for (let round = 0; round < 5; round++) {
			const run = startCli(args(command), { stdoutForm: "any" });
			await run.stdout.waitFor(
				(text) => wholeLines(text).length >= 10 + 7 * round,
			);
			run.kill("SIGKILL");
			await run.done;
			const printed = numbers(wholeLines(run.stdout.text));
			const repeated = printed.filter((n) => seen.has(n));
			expect(repeated.filter((n) => !unsaved.has(n))).toEqual([]);
			for (const n of printed) seen.add(n);
			// Those of earlier rounds too: this one may have been killed before it came to them.
			unsaved = new Set([...seen].filter((n) => !isSaved(n)));
		}
		expect(missing(seen)).toEqual([]);
	},
);

it("poll: a run that kill -9 ends in the middle of an answer has it again, without what is remembered as shown", async () => {
	const begun = startCli(args("poll"));
	await begun.stdout.waitFor((text) => wholeLines(text).length > 0);
	begun.kill("SIGTERM");
	const before = numbers((await begun.done).lines);
	server.pageSize = 5_000;
	server.length += 5_000;
	const last = server.length;
	const killed = startCli(args("poll"), { stdoutForm: "any" });
	await killed.stdout.waitFor((text) => wholeLines(text).length >= 300);
	// The rest of the answer is more than fits into a pipe that nobody reads.
	killed.child.stdout?.pause();
	killed.kill("SIGKILL");
	await killed.done;
	const shown = numbers(wholeLines(killed.stdout.text));
	const kept = shown.filter(isSaved);
	expect(kept.length).toBeGreaterThan(0);
	const run = startCli(args("poll"));
	await run.stdout.waitFor((text) => text.includes(`"e${last}"`));
	run.kill("SIGTERM");
	const rest = numbers((await run.done).lines);
	server.pageSize = 50;
	expect(rest.filter((n) => kept.includes(n))).toEqual([]);
	expect(missing(new Set([...before, ...shown, ...rest]))).toEqual([]);
	expect(Math.max(...shown)).toBeLessThan(Math.max(...rest));
});

/** Whether the state folder knows that this one was shown: by its cursor, or by its id. */
function isSaved(n: number): boolean {
	const folder = join(state, "positions");
	const read = (end: string) => {
		const name = readdirSync(folder).find((one) => one.endsWith(end)) ?? "";
		return readFileSync(join(folder, name), "utf8");
	};
	const { cursor } = JSON.parse(read(".json"));
	return n <= Number(cursor.slice(1)) || read(".seen").includes(`"e${n}"\n`);
}

it("tells of what may be lost where the server no longer knows the cursor", async () => {
	await runCli(args("tail", "-n", "5"));
	server.oldest = server.length + 1;
	const run = await runCli(args("tail", "-n", "5", "-o", "records"));
	server.oldest = 0;
	const records = run.lines.map((line) => JSON.parse(line));
	expect(records.find(({ kind }) => kind === "gap")).toMatchObject({
		reason: "cursor-rejected",
		since: expect.stringMatching(/^20/),
	});
	expect(run.status).toBe(0);
});

describe("while another run keeps the position", () => {
	it("a second one is refused, and ends with status 2", async () => {
		const first = startCli(args("tail"));
		await first.stdout.nextLine();
		const second = await runCli(args("tail"));
		expect(second.status).toBe(2);
		expect(second.stderr).toContain(`process ${first.child.pid}`);
		expect(second.stderr).toContain("--steal");
		first.kill("SIGTERM");
		await first.done;
	});

	it("a second one with --steal takes over, and the first ends and says so", async () => {
		const first = startCli(args("tail"));
		await first.stdout.nextLine();
		const second = startCli(args("tail", "--steal"));
		const robbed = await first.done;
		expect(robbed.status).toBe(3);
		expect(robbed.stderr).toContain("was taken over by another process");
		await second.stdout.nextLine();
		second.kill("SIGTERM");
		const thief = await second.done;
		const seen = [...numbers(robbed.lines), ...numbers(thief.lines)];
		expect(missing(new Set(seen))).toEqual([]);
	});
});

it("ends at once where the state folder cannot be written to", async () => {
	const file = join(state, "file");
	writeFileSync(file, "");
	const run = await runCli([
		...["tail", server.url.href, "tick", "--resume", "--state", file],
	]);
	expect(run.status).toBe(3);
	expect(run.stderr).toContain("--state DIR");
});

it("sets a damaged position aside, starts from now, and tells of the gap", async () => {
	await runCli(args("tail", "-n", "3"));
	const folder = join(state, "positions");
	const name = readdirSync(folder).find((one) => one.endsWith(".json")) ?? "";
	writeFileSync(join(folder, name), "{");
	const run = await runCli(args("tail", "-n", "3", "--output", "records"));
	expect(run.status).toBe(0);
	expect(run.stderr).toContain("is damaged; it was set aside");
	expect(run.stderr).toContain("starts from now");
	const gaps = run.lines
		.map((line) => JSON.parse(line))
		.filter(({ kind }) => kind === "gap");
	expect(gaps).toEqual([
		expect.objectContaining({
			reason: "no-cursor",
			since: expect.stringMatching(/^20.*Z$/),
		}),
	]);
});
