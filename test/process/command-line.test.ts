// What the words on the command line mean, and the traps of the framework beneath.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ReferenceServer } from "../../src/reference/index.ts";
import { openDemo } from "../helpers/open-demo.ts";
import { BINARY, runCli, startCli } from "../helpers/run-cli.ts";

let server: ReferenceServer;
beforeAll(async () => {
	server = await openDemo();
});
afterAll(() => server.close());

const TICK = ["clock.tick", "-a", "periodMs=20"];
const SERVE = [process.execPath, BINARY, "serve", "--stdio"];

describe.concurrent("the words", () => {
	it("after -- are the server's own, flags and all", async () => {
		const run = await runCli([
			"tail",
			...TICK,
			"--count",
			"2",
			"--",
			...SERVE,
			"--heartbeat",
			"10s",
		]);
		expect(run.status).toBe(0);
		expect(run.lines).toHaveLength(2);
	});

	it("after -- may be --help without giving ours", async () => {
		const run = await runCli(["list", "--", ...SERVE, "--help"]);
		expect(run.status).toBe(3);
		expect(run.stderr).toContain("mcp-events: ");
	});

	it("behind a repeatable flag are positionals still", async () => {
		const run = await runCli([
			"tail",
			"-H",
			"X-A: 1",
			"-H",
			"X-B: 2",
			server.url,
			...TICK,
			"-n",
			"1",
		]);
		expect(run.status).toBe(0);
		expect(run.lines).toHaveLength(1);
	});

	it("that are missing are not taken from a piped stdin", async () => {
		const run = await runCli(["tail"], {
			stdin: `${server.url}\nclock.tick\n`,
		});
		expect(run.status).toBe(2);
		expect(run.stderr).toContain("no server is named");
	});

	it("give each event the arguments behind it", async () => {
		const words = [...TICK, "dice.rolled", "-a", "sides=6", "-o", "records"];
		const run = startCli(["tail", server.url, ...words]);
		await run.stdout.until(/"kind":"ready".*"kind":"ready"/s);
		run.kill("SIGTERM");
		const { lines } = await run.done;
		const stopped = lines
			.map((line) => JSON.parse(line))
			.filter(({ kind }) => kind === "stopped");
		expect(stopped.map(({ subscription }) => subscription).sort()).toEqual([
			'clock.tick {"periodMs":20}',
			'dice.rolled {"sides":6}',
		]);
	});

	it.each([
		[
			"a flag that does not exist",
			["tail", "URL", "clock.tick", "--cuont", "3"],
			"nonexistent flag: --cuont\n  why:  the nearest: --count\n  next: mcp-events tail --help",
		],
		["a command that does not exist", ["tial"], 'there is no command "tial"'],
		[
			"a command that does not exist, and its help",
			["captures", "lst", "--help"],
			"the nearest: captures list",
		],
		["a number that is none", ["tail", "URL", "clock.tick", "-n", "x"], "x"],
		[
			"a count of nothing",
			["tail", "URL", "clock.tick", "-n", "0"],
			"--count: expected an integer greater than or equal to 1",
		],
		[
			"a duration without a unit",
			["tail", "URL", "clock.tick", "--for", "10"],
			'--for "10" is not a duration',
		],
		[
			"a second event where one is taken",
			["poll", "URL", "a", "b"],
			"2 events are named where one is taken: a, b",
		],
		["a word too many", ["list", "URL", "x"], '"x" is one word too many'],
		[
			"a header without a name",
			["list", "URL", "-H", "hunter2"],
			"a --header has no name before a colon",
		],
		[
			"a bearer variable that is not set",
			["list", "URL", "--bearer-env", "NO_SUCH"],
			"NO_SUCH: that environment variable is not set",
		],
		[
			"a cursor for two events",
			["tail", "URL", "a", "b", "--cursor", "c"],
			"--cursor was given for 2 events",
		],
		[
			"an event that does not exist",
			["tail", "URL", "clock.tik"],
			'no event type named "clock.tik"',
		],
		[
			"an argument that does not fit",
			["tail", "URL", "dice.rolled", "-a", "sides=7"],
			"sides is 7",
		],
		[
			"HTTP flags for a command",
			["list", "--insecure", "--", "true"],
			"--insecure cannot be used with a command after --",
		],
		[
			"a PEM file that is not there",
			["list", "URL", "--ca", "/no/such.pem"],
			"--ca /no/such.pem cannot be read",
		],
		[
			"serve file without a file",
			["serve", "file"],
			"serve file needs the PATH",
		],
	])("with %s: status 2, and what is wrong", async (_name, words, told) => {
		const run = await runCli(
			words.map((word) => (word === "URL" ? server.url : word)),
		);
		expect(run.status).toBe(2);
		expect(run.stdout).toBe("");
		expect(run.stderr).toContain(told);
		expect(run.stderr).not.toContain("hunter2");
	});

	it("take arguments as JSON, from the line, a file and stdin", async () => {
		const path = join(tmpdir(), `mcp-events-args-${process.pid}.json`);
		writeFileSync(path, '{"periodMs":20,"label":"file"}');
		const labels = await Promise.all(
			[
				['{"periodMs":20,"label":"line"}'],
				[`@${path}`],
				["-", '{"periodMs":20,"label":"stdin"}'],
			].map(async ([word, stdin]) => {
				const words = [
					"stream",
					server.url,
					"clock.tick",
					"--args",
					word ?? "",
					"-n",
					"1",
				];
				const run = await runCli(words, { stdin });
				return JSON.parse(run.stdout).data.label;
			}),
		);
		expect(labels).toEqual(["line", "file", "stdin"]);
	});
});

describe.concurrent("help and version", () => {
	it.each([
		[["--help"]],
		[["-h"]],
		[[]],
		[["captures"]],
		[["tail", "--help"]],
		[["tail", "-h"]],
		[["help", "tail"]],
	])("%j: status 0, on stdout", async (words) => {
		const run = await runCli(words, { stdoutForm: "text" });
		expect(run.status).toBe(0);
		expect(run.stdout).toContain("USAGE");
		expect(run.stderr).toBe("");
	});

	it("say the version and, with --verbose, the contract that is followed", async () => {
		const run = await runCli(["--version", "--verbose"], { stdoutForm: "any" });
		expect(run.status).toBe(0);
		expect(run.stdout).toMatch(/^mcp-events\/\d+\.\d+\.\d+ /);
		expect(run.stdout).toContain("SEP-3415");
	});
});
