// What CI says at its end, of reports as vitest writes them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

const PROGRAM = join(import.meta.dirname, "sum-reports.mjs");
const root = join(import.meta.dirname, "..");

const test = (title: string, status: string, failureMessages: string[]) => ({
	...{ ancestorTitles: ["a tail"], title, status, failureMessages },
});
const FLAKY = test("ends\nat once", "passed", ["Error: late\n    at here"]);

const report = (passed: number, failed: number, tests: object[]) => ({
	numPassedTests: passed,
	numFailedTests: failed,
	numPendingTests: 1,
	numTodoTests: 0,
	testResults: [
		{
			name: join(root, "test/process/some.test.ts"),
			assertionResults: tests,
		},
	],
});

it("names each test that needed another attempt, and closes with the sum of all", () => {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-reports-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const reports = {
		"test:fast": report(1, 0, [test("goes on", "passed", [])]),
		"test:process": report(2, 1, [
			FLAKY,
			test("is lost", "failed", ["Error: lost", "Error: lost"]),
		]),
	};
	for (const [name, content] of Object.entries(reports))
		writeFileSync(join(folder, `${name}.json`), JSON.stringify(content));
	const words = [PROGRAM, folder];
	const told = execFileSync(process.execPath, words, { cwd: root });
	expect(String(told).trimEnd().split("\n")).toEqual([
		"needed another attempt: test/process/some.test.ts > a tail > ends at once",
		"  Error: late",
		"3 passed, 1 failed, 2 skipped",
	]);
});
