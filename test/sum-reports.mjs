// Adds up vitest's JSON reports in a folder: names every test that passed at another attempt only, and why it needed
// one, and prints the one line that closes a CI run.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const folder = process.argv[2];
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder)) {
	const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
	sum.passed += report.numPassedTests;
	sum.failed += report.numFailedTests;
	sum.skipped += report.numPendingTests + report.numTodoTests;
	for (const file of report.testResults) tellRetries(file);
}
console.log(
	`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`,
);

/** A test that passed has the messages of those of its attempts that failed. */
function tellRetries({ name, assertionResults }) {
	for (const test of assertionResults) {
		const { status, failureMessages, ancestorTitles, title } = test;
		const [why] = failureMessages;
		if (status !== "passed" || why === undefined) continue;
		const path = [relative("", name), ...ancestorTitles, title].join(" > ");
		console.log(`needed another attempt: ${path.replace(/\s+/g, " ")}`);
		console.log(`  ${why.split("\n")[0]}`);
	}
}
