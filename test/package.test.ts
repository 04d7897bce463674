// What `npm pack` would ship: what runs, the manuals, and nothing that is only for us.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "..");
const [packed] = JSON.parse(
	execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
		cwd: root,
		encoding: "utf8",
		stdio: ["ignore", "pipe", "ignore"],
	}),
) as { size: number; files: { path: string }[] }[];
const paths = packed?.files.map(({ path }) => path) ?? [];

describe("the package", () => {
	it("has what a user needs", () => {
		for (const path of [
			"package.json",
			"README.md",
			"LICENSE",
			"CHANGELOG.md",
			"bin/mcp-events.js",
			"oclif.manifest.json",
			"dist/main.cjs",
			"dist/commands/tail.cjs",
			"dist/THIRD-PARTY.txt",
			"dist/schemas/mcp-events.schema.json",
			"dist/schemas/report.schema.json",
			"man/mcp-events.1",
			"man/mcp-events-tail.1",
		])
			expect(paths).toContain(path);
	});

	it("has nothing else", () => {
		const known =
			/^(package\.json|README\.md|LICENSE|CHANGELOG\.md|oclif\.manifest\.json|bin\/(?:mcp-events\.js|package\.json)|dist\/.+\.cjs|dist\/THIRD-PARTY\.txt|dist\/schemas\/[\w-]+\.schema\.json|man\/[\w-]+\.[157])$/;
		expect(paths.filter((path) => !known.test(path))).toEqual([]);
	});

	it("is under 1.5 MB", () => {
		expect(packed?.size).toBeLessThan(1_500_000);
	});
});
