// check server against commands over stdio that would drown it, or say nothing: the end comes in time, memory stays small,
// no rule passes that was not kept, and nothing of the command runs on.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Report } from "../../src/grade/index.ts";
import { runCli } from "../helpers/run-cli.ts";

const fixture = (name: string) =>
	fileURLToPath(new URL(`../fixtures/programs/${name}`, import.meta.url));

const LONGEST_MS = 110_000;
/** A run against an honest server holds some 60 MiB; several streams that each keep what they may, some 200. */
const MOST_KIB = 350 * 1024;

/** Grades the command that does this: at once, or, with `--after`, once it has said which events it has. */
async function gradeHostile(words: readonly string[], flags: string[] = []) {
	const folder = mkdtempSync(join(tmpdir(), "check-hostile-"));
	const file = join(folder, "report.json");
	try {
		const { status, stderr } = await runCli(
			[
				...["check", "server", "--timeout", "1s", "--budget", "60s"],
				...["--state", folder, "--report", `json=${file}`, ...flags],
				...["--", process.execPath, fixture("hostile-stdio.mjs"), ...words],
			],
			{
				stdoutForm: "text",
				deadlineMs: LONGEST_MS,
				env: { NODE_OPTIONS: `--require ${fixture("tell-peak.cjs")}` },
			},
		);
		const [, peakKib] = /^peak (\d+) KiB$/m.exec(stderr) ?? [];
		const report: Report = JSON.parse(readFileSync(file, "utf8"));
		const accused = report.rows
			.filter(({ verdict }) => verdict === "FAILURE")
			.map(({ id }) => id.replace("sep-3415-", ""));
		return { status, report, accused, peakKib: Number(peakKib) };
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

describe.concurrent("a command that", () => {
	it.each([
		["never answers", "silent"],
		["writes lines that are no JSON, without end", "lines"],
		["writes events that nobody asked for, without end", "frames"],
		["asks without end, and reads no answer", "asks"],
		["writes one line without end", "line"],
		["writes 100 MB on one line of stderr, and never answers", "stderr"],
	])(
		"%s is one that does not list its events",
		async (_told, what) => {
			const { status, report, accused, peakKib } = await gradeHostile([what]);
			expect(status).toBe(1);
			expect(accused).toContain("list-implemented");
			expect(report.counts.SUCCESS).toBe(0);
			expect(accused.length).toBeLessThan(3);
			expect(peakKib).toBeLessThan(MOST_KIB);
		},
		LONGEST_MS,
	);

	it.each([
		["ends", "ends", "events-poll"],
		["writes lines that are no JSON, without end", "lines", "events-poll"],
		["writes one line without end", "line", "events-poll"],
		["writes events without end", "frames", "events-push"],
	])(
		"%s when it is asked for events says so in its verdicts",
		async (_told, what, scenario) => {
			const flags = ["--scenario", scenario];
			const graded = await gradeHostile([what, "--after"], flags);
			expect(graded.status).toBe(1);
			expect(graded.accused).toContain(
				scenario === "events-poll"
					? "poll-implemented"
					: "stream-active-confirmation",
			);
			expect(graded.peakKib).toBeLessThan(MOST_KIB);
			expect(graded.report.durationMs).toBeLessThan(70_000);
		},
		LONGEST_MS,
	);

	it("ends at once is no server that could be graded", async () => {
		const run = await runCli(
			[
				...["check", "server", "--", process.execPath],
				...[fixture("hostile-stdio.mjs"), "ends"],
			],
			{ stdoutForm: "text" },
		);
		expect(run).toMatchObject({ status: 3, stdout: "" });
		expect(run.stderr).toMatch(/ended before it answered.*\n.*status 1/);
	});
});
