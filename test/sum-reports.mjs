// Adds up vitest's JSON reports in a folder and prints the one line that closes a CI run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder)) {
	const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
	sum.passed += report.numPassedTests;
	sum.failed += report.numFailedTests;
	sum.skipped += report.numPendingTests + report.numTodoTests;
}
console.log(
	`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`,
);
