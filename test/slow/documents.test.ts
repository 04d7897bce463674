// What is written for people, tried out: man pages as mandoc reads them, the command lines of the README as one pastes them.
import { spawnSync } from "node:child_process";
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReferenceServer } from "../../src/reference/index.ts";
import { openDemo } from "../helpers/open-demo.ts";
import { BINARY } from "../helpers/run-cli.ts";
import { hasProgram, runShell } from "../helpers/run-shell.ts";

const root = join(import.meta.dirname, "../..");
const pages = readdirSync(join(root, "man")).filter((name) =>
	/\.[157]$/.test(name),
);

describe.skipIf(!hasProgram("mandoc"))("mandoc", () => {
	test.each(pages)("finds nothing amiss in %s", (page) => {
		const words = ["-T", "lint", join(root, "man", page)];
		const { status, stdout } = spawnSync("mandoc", words, { encoding: "utf8" });
		expect([status, stdout]).toEqual([0, ""]);
	});
});

const README_SERVER = "http://127.0.0.1:8931/mcp";
const blocks = readFileSync(join(root, "README.md"), "utf8").matchAll(
	/^```\w*\n(.*?)^```$/gms,
);
const lines = [...blocks]
	.flatMap(([, block = ""]) => block.split("\n"))
	.map((line) => line.replace(/^\$ /, ""))
	.filter((line) => line.startsWith("mcp-events "));
const runnable = lines.filter((line) => !/https?:\/\/(?!127\.)/.test(line));

describe("the README", () => {
	let server: ReferenceServer;
	let folder: string;
	beforeAll(async () => {
		server = await openDemo();
		folder = mkdtempSync(join(tmpdir(), "mcp-events-readme-"));
		const start = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
		writeFileSync(join(folder, "mcp-events"), start, { mode: 0o755 });
	});
	afterAll(async () => {
		await server.close();
		rmSync(folder, { recursive: true, force: true });
	});

	test("has command lines that can be tried here", () => {
		expect(runnable.length).toBeGreaterThanOrEqual(5);
	});

	test.each(runnable)("%s", async (line) => {
		const typed = endingLine(line).replaceAll(README_SERVER, server.url);
		const script = `PATH='${folder}':"$PATH"; ${typed}; echo "\${PIPESTATUS[*]}" >&2`;
		const run = await runShell(script, []);
		expect(run.stderr.trimEnd().split("\n").at(-1)).toMatch(/^[0 ]+$/);
	});
});

/** A line that would follow for ever ends after a few events. */
function endingLine(line: string): string {
	const [command = "", ...rest] = line.split(" | ");
	const isEndless = /^mcp-events (tail|stream|poll|listen) /.test(command);
	if (!isEndless || / (--count|-n|--for|--once) /.test(command)) return line;
	return [`${command} --count 3`, ...rest].join(" | ");
}
