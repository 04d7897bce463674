// The examples of README and of the manual's texts, typed as they are written: each ends as it should, and shows what
// the page says. RECORD_PAGES=1 writes into the page what was shown.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readPage } from "../helpers/page-blocks.ts";
import { type CommandRun, runSection } from "../helpers/page-session.ts";
import { hasProgram } from "../helpers/run-shell.ts";

const root = join(import.meta.dirname, "../..");
const PAGES = [
	"README.md",
	...readdirSync(join(root, "man"))
		.filter((name) => name.endsWith(".md"))
		.map((name) => join("man", name)),
];
const PROGRAMS = ["jq", "openssl", "sqlite3"];

/** Lines that no test types, and why. */
const NOT_RUN: Record<string, string> = {
	"npm ci && npm run -s demo": "installs from the registry; CI does it",
	"npm ci && npm test": "installs from the registry; CI does it",
	'npm install -g "$(npm pack --silent)"':
		"changes the machine; package.test.ts installs the same into a folder",
	"mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --tunnel | jq -c .data":
		"opens a real tunnel",
	"mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --tunnel":
		"opens a real tunnel",
	"mcp-events listen https://shop.example/mcp orders.created --bearer-env SHOP_TOKEN --port 8787 --public-url https://hooks.example":
		"hooks.example would have to lead to this machine",
	"mcp-events captures list --verdict parked | mcp-events replay - --to http://127.0.0.1:3000/hook":
		"nothing is parked where all goes well; listen-exec.test.ts does it",
};

describe.skipIf(!PROGRAMS.every(hasProgram))(
	`(skipped without ${PROGRAMS.join(", ")})`,
	() => {
		describe.each(PAGES)("%s", (page) => {
			const path = join(root, page);
			const sections = readPage(readFileSync(path, "utf8"));

			test("has a reason for each line that is not run", () => {
				for (const line of sections.flatMap(({ notRun }) => notRun))
					expect(Object.keys(NOT_RUN)).toContain(line);
			});

			test.each(sections.filter(({ blocks }) => blocks.length > 0))(
				"$title",
				async (section) => {
					const runs = await runSection(section);
					if (process.env.RECORD_PAGES) record(path, runs);
					for (const { command, status, expected, shown, isAsShown } of runs) {
						expect([command.line, status], shown.join("\n")).toEqual([
							command.line,
							expected,
						]);
						if (!isAsShown) expect(shown, command.line).toEqual(command.shown);
					}
				},
			);
		});
	},
);

/** Puts what was shown in the place of what the page has, where they differ. */
function record(path: string, runs: readonly CommandRun[]): void {
	const text = readFileSync(path, "utf8");
	let [done, from] = ["", 0];
	for (const { command, shown, isAsShown } of runs) {
		if (!command.shown) continue;
		const lines = (of: readonly string[]) =>
			[`$ ${command.line}`, ...of].join("\n");
		const at = text.indexOf(lines(command.shown), from);
		const isKept = isAsShown || command.shown.includes("...");
		done += text.slice(from, at) + lines(isKept ? command.shown : shown);
		from = at + lines(command.shown).length;
	}
	writeFileSync(path, done + text.slice(from));
}
