// What holds for every command against every kind of server: --verbose and --quiet change stderr alone, a reader that
// leaves is no failure, and a second signal is not needed.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { openRawOddities } from "../fixtures/servers/raw-oddities.ts";
import {
	BINARY,
	pinnedEnvironment,
	runCli,
	startCli,
} from "../helpers/run-cli.ts";

const FOLLOW = ["verbatim.case", "--cursor", "0", "--count", "20"];
const QUICK = ["--interval-floor", "10ms"];

const COMMANDS: [string, string[]][] = [
	["list", []],
	["describe", ["verbatim.case", "-o", "text"]],
	["describe", ["verbatim.case"]],
	["poll", [...FOLLOW, ...QUICK]],
	["stream", [...FOLLOW, "--output", "cloudevents"]],
	["tail", [...FOLLOW, "--output", "pretty"]],
];

describe.each(COMMANDS)("%s %j", (command, words) => {
	test("says the same on stdout however much is told on stderr", async () => {
		await using server = await openRawOddities({
			oddities: ["no-result-type", "comments", "top-level-capability"],
		});
		const run = async (...flags: string[]) => {
			const { status, stdout, stderr } = await runCli([
				command,
				server.url,
				...words,
				...flags,
			]);
			expect(status).toBe(0);
			// A stream's occurrences carry the id of the request.
			return { stdout: stdout.replaceAll(/"r\d+"/g, '"r"'), stderr };
		};
		const plain = await run();
		const verbose = await run("--verbose");
		const quiet = await run("--quiet");
		expect([verbose.stdout, quiet.stdout]).toEqual([
			plain.stdout,
			plain.stdout,
		]);
		expect(verbose.stderr).toContain("note: ");
		expect(quiet.stderr).toBe("");
	});

	test("ends quietly when its reader leaves after one line", async () => {
		await using server = await openRawOddities();
		const head = `"$0" "$@" | head -1; exit "\${PIPESTATUS[0]}"`;
		const ours = [process.execPath, BINARY, command, server.url, ...words];
		const child = spawn("bash", ["-c", head, ...ours], {
			env: pinnedEnvironment("/tmp"),
		});
		let stderr = "";
		child.stderr.on("data", (chunk) => {
			stderr += chunk;
		});
		child.stdout.resume();
		const [status] = await once(child, "close");
		expect(status).toBe(0);
		expect(stderr).not.toMatch(/EPIPE|Error|^ {4}at /m);
	});
});

test.each([
	["SIGINT", 130],
	["SIGTERM", 143],
	["SIGHUP", 129],
] as const)(
	"%s ends a tail of two with both cursors",
	async (signal, status) => {
		await using server = await openRawOddities();
		const words = ["tail", server.url, "verbatim.case", "counter.tick"];
		const run = startCli(words);
		await run.stderr.until(/counter\.tick: ready/);
		await run.stdout.waitFor((text) => text.split("\n").length > 20);
		run.kill(signal);
		const end = await run.done;
		expect(end.status).toBe(status);
		expect(end.stderr).toMatch(
			/verbatim\.case: stopped; to go on: --cursor '20'/,
		);
		expect(end.stderr).toMatch(
			/counter\.tick: stopped; to go on: --cursor '\d'/,
		);
	},
);
