// The help of the built command, in which much of oclif is left out, against that of oclif as its package is.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest: { commands: Record<string, unknown> } = JSON.parse(
	readFileSync(`${root}/oclif.manifest.json`, "utf8"),
);
const commands = Object.keys(manifest.commands).map((id) => id.split(":"));
const WITH_OCLIF = `
	const { run } = await import("@oclif/core");
	for (const words of JSON.parse(process.argv[1]))
		await run([...words, "--help"], { root: process.cwd() });`;

function print(words: string[], wanted: Record<string, string>): string {
	const { NO_COLOR: _unset, ...env } = process.env;
	const { stdout } = spawnSync(process.execPath, words, {
		cwd: root,
		env: { ...env, ...wanted },
		encoding: "utf8",
		maxBuffer: 64 * 1024 * 1024,
	});
	return stdout;
}

describe("the help of every command and topic", () => {
	it.each([
		["plain, 80 columns wide", { NO_COLOR: "1", COLUMNS: "80" }],
		["coloured, 50 columns wide", { FORCE_COLOR: "1", COLUMNS: "50" }],
	])("is what oclif makes of it: %s", (_how, env) => {
		const wanted = [[], ["captures"], ["check"], ...commands];
		const all = JSON.stringify(wanted);
		const oclifs = print(["--input-type=module", "-e", WITH_OCLIF, all], env);
		const ours = wanted.map((words) =>
			print(["bin/mcp-events.js", ...words, "--help"], env),
		);
		expect(oclifs).toContain("mcp-events tail https://");
		expect(oclifs.includes("\x1b[")).toBe("FORCE_COLOR" in env);
		expect(ours.join("")).toBe(oclifs);
	});
});
