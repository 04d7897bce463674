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
import { type Listening, listen } from "../fixtures/servers/listen.ts";
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
const README_RECEIVER = "http://127.0.0.1:3000/hook";
/** What the README's reader has by then: a secret, a delivery that was captured, and the same as HTTP text. */
const PREPARE = `
	mcp-events secret > hook.secret
	mcp-events listen --secret-file hook.secret --ready-file ready -n 1 --for 60s >listened &
	until [ -s ready ]; do sleep 0.1; done
	url=$(sed 's/.*"url":"\\([^"]*\\)".*/\\1/' ready)
	mcp-events send --to "$url" --secret-file hook.secret --event orders.created --data '{}'
	wait $! && mcp-events captures export --as raw > request.txt`;
/** The section whose lines belong together is tried as a whole, by readme-loop.test.ts. */
const LOOP = /^## A whole loop on one machine\n.*?(?=^## )/ms;
const blocks = readFileSync(join(root, "README.md"), "utf8")
	.replace(LOOP, "")
	.matchAll(/^```\w*\n(.*?)^```$/gms);
const lines = [...blocks]
	.flatMap(([, block = ""]) => block.split("\n"))
	.map((line) => line.replace(/^\$ /, ""))
	.filter((line) => line.startsWith("mcp-events "));
const runnable = lines.filter((line) => !/https?:\/\/(?!127\.)/.test(line));

describe("the README", () => {
	let server: ReferenceServer;
	let receiver: Listening;
	let folder: string;
	beforeAll(async () => {
		server = await openDemo();
		receiver = await listen((request, response) => {
			request.resume().on("end", () => response.writeHead(204).end());
		});
		folder = mkdtempSync(join(tmpdir(), "mcp-events-readme-"));
		const start = `#!/bin/sh\nexec '${process.execPath}' '${BINARY}' "$@"\n`;
		writeFileSync(join(folder, "mcp-events"), start, { mode: 0o755 });
	});
	afterAll(async () => {
		await Promise.all([server.close(), receiver.close()]);
		rmSync(folder, { recursive: true, force: true });
	});

	test("has command lines that can be tried here", () => {
		expect(runnable.length).toBeGreaterThanOrEqual(5);
	});

	const type = (line: string) => {
		const place = `cd '${folder}'; PATH='${folder}':"$PATH"; export XDG_STATE_HOME='${folder}/state'`;
		return runShell(`${place}; ${line}`, []);
	};

	test("has a reader who can prepare what it takes for granted", async () => {
		const run = await type(PREPARE);
		expect(run.status, run.stderr).toBe(0);
	});

	const isServer = (line: string) => line.startsWith("mcp-events serve ");

	test.each(runnable.filter(isServer))("%s", async (line) => {
		const words = line.replace("mcp-events", "").replace("8931", "0");
		const run = await type(`
			mkdir -p inbox; export MY_TOKEN=t GITHUB_SECRET=s
			"$@" ${words} 2> served & server=$!
			until grep ' at http' served; do kill -0 $server || exit 1; sleep 0.1; done
			kill $server; wait $server`);
		expect(run.status, run.stderr).toBe(143);
	});

	test.each(runnable.filter((line) => !isServer(line)))("%s", async (line) => {
		const typed = endingLine(line)
			.replaceAll(README_SERVER, server.url)
			.replaceAll(README_RECEIVER, receiver.url)
			// The secret of what a server sent is known by itself; here the delivery was our own.
			.replace("replay - ", "replay - --secret-file hook.secret ");
		const run = await type(`set -o pipefail; ${typed}`);
		expect(run.status, run.stderr).toBe(0);
	});
});

/** A line that would follow for ever ends after a few events. */
function endingLine(line: string): string {
	const [command = "", ...rest] = line.split(" | ");
	const isEndless = /^mcp-events (tail|stream|poll|listen) /.test(command);
	if (!isEndless || / (--count|-n|--for|--once) /.test(command)) return line;
	return [`${command} --count 3`, ...rest].join(" | ");
}
