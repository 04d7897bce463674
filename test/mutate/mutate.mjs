// Turns each verdict condition of the grader, and says which ones no test minds:
//   npm run mutate -- [GROUP...] [--held] [--only PATH] [--every N]
// Without a group: all. --held also holds each condition at yes and at no; --only takes the places that have the text,
// --every one mutant of N. The first pass tries each mutant against some tests of a kind, the second what is left
// against all. One worker, at a low priority. Exits with 1 where a mutant is left that is not listed.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const GROUPS = [
	"verdicts",
	"discovery",
	"poll",
	"push",
	"webhook",
	"delivery",
	"modes",
];
/** By which the runner itself is tested. */
const OWN = "fixture";

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		held: { type: "boolean" },
		only: { type: "string" },
		every: { type: "string" },
		help: { type: "boolean", short: "h" },
	},
});
const unknown = positionals.find(
	(group) => !GROUPS.includes(group) && group !== OWN,
);
if (values.help || unknown !== undefined) {
	if (unknown !== undefined) console.error(`there is no group ${unknown}`);
	console.error(
		`npm run mutate -- [GROUP...] [--held] [--only PATH] [--every N]\ngroups: ${GROUPS.join(", ")}`,
	);
	process.exit(unknown === undefined ? 0 : 2);
}
const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "mutate-"));
const vitest = join(root, "node_modules/vitest/vitest.mjs");
const config = ["--config", "test/mutate/vitest.config.ts"];

/** Returns whether nothing was left. */
function pass(group, isThorough) {
	const words = [process.execPath, vitest, "run", ...config];
	const { status } = spawnSync("nice", ["-n", "15", ...words], {
		cwd: root,
		stdio: "inherit",
		env: {
			...process.env,
			MUTATE_GROUP: group,
			MUTATE_FOLDER: folder,
			MUTATE_THOROUGH: isThorough ? "1" : "",
			MUTATE_HELD: values.held ? "1" : "",
			MUTATE_ONLY: values.only ?? "",
			MUTATE_EVERY: values.every ?? "1",
		},
	});
	return status === 0;
}

console.log(`what goes on: ${folder}/*.log`);
for (const group of positionals.length > 0 ? positionals : GROUPS)
	if (!pass(group, false) && !pass(group, true)) process.exitCode = 1;
