// tail --from by the built command: what a file or stdin names is followed, and what it names wrongly is told at once.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { BINARY, runCli, startCli } from "../helpers/run-cli.ts";

const SERVER = ["--", process.execPath, BINARY, "serve", "--stdio"];

function write(lines: string[]): { file: string; folder: string } {
	const folder = mkdtempSync(join(tmpdir(), "from-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, "subscriptions");
	writeFileSync(file, lines.join("\n"));
	return { file, folder };
}

const labelsOf = (lines: string[]) =>
	new Set(lines.map((line) => JSON.parse(line).data.label));

it("follows what a file and the command line name", async () => {
	const { file } = write([
		"# two of them",
		"clock.tick -a label='a b' -a periodMs=100",
		"",
		'{"event": "clock.tick", "arguments": {"label": "c", "periodMs": 100}, "via": "poll"}',
	]);
	const words = ["tail", "clock.tick", "-a", "label=d", "-a", "periodMs=100"];
	const run = await runCli([
		...[...words, "--from", file, "--count", "60", "--interval-floor", "100ms"],
		...SERVER,
	]);
	expect(run.status).toBe(0);
	expect(run.lines).toHaveLength(60);
	expect(labelsOf(run.lines)).toEqual(new Set(["a b", "c", "d"]));
	expect(run.stderr).toContain('"label":"c","periodMs":100}: ready, by poll');
});

it("reads them from stdin, and goes on with each where it stopped", async () => {
	const { folder } = write([]);
	const stdin = [..."abcdefghijklmnopqrstuvwxyz"]
		.map((label) => `clock.tick -a label=${label} -a periodMs=100`)
		.join("\n");
	const words = ["tail", "--from", "-", "--resume", "--state", folder];
	const follow = () =>
		runCli([...words, "--count", "130", ...SERVER], { stdin });
	const ticks = [...(await follow()).lines, ...(await follow()).lines].map(
		(line) => JSON.parse(line).data,
	);
	for (const label of "amz") {
		const own = ticks.filter((tick) => tick.label === label);
		const numbers = own.map(({ tick }) => tick);
		const all = Array.from(numbers, (_, at) => numbers[0] + at);
		expect(numbers).toEqual(all);
		expect(numbers.length).toBeGreaterThan(2);
	}
});

it("tells of each line that cannot be followed, and follows the others", async () => {
	const { file } = write([
		"clock.tick -a periodMs=100",
		"clock.tock",
		"clock.tick -a periodMs=1",
		`clock.tick --args '{"periodMs":100}'`,
	]);
	const words = ["tail", "--from", file, "-o", "records", "--for", "4s"];
	const run = await runCli([...words, ...SERVER]);
	const records = run.lines.map((line) => JSON.parse(line));
	const ended = records.filter(({ fault }) => fault);
	expect(ended.map((one) => [one.subscription, one.fault.what])).toEqual([
		["clock.tock (line 2)", expect.stringContaining('named "clock.tock"')],
		["clock.tick (line 3)", expect.any(String)],
		["clock.tick (line 4)", "it is the same subscription as line 1"],
	]);
	expect(records.map(({ kind }) => kind)).toContain("event");
	expect(run.status).toBe(2);
});

it("tells of all lines at once where none can be followed", async () => {
	const { file } = write(["clock.tock", "clock.tick -a periodMs=1"]);
	const run = await runCli(["tail", "--from", file, ...SERVER]);
	expect(run).toMatchObject({ status: 2, stdout: "" });
	expect(run.stderr).toContain("2 lines of ");
	expect(run.stderr).toMatch(
		/line 1: .*did you mean clock\.tick\?; line 2: .*periodMs is 1/,
	);
});

it("tells of lines that cannot be read without asking a server", async () => {
	const { file } = write(["a b", '{"event": 7}']);
	const run = await runCli(["tail", "--from", file, "http://127.0.0.1:9/mcp"]);
	expect(run.status).toBe(2);
	expect(run.stderr).toMatch(
		/line 1: .*one event a line.*; line 2: event must/,
	);
});

it("names our own limit where there are too few sockets, and the others flow", async () => {
	const server = startCli(["serve", "--rate-limit", "off"], {
		stdoutForm: "any",
	});
	onTestFinished(() => server.kill());
	const [, url = ""] = await server.stderr.until(/ at (http\S+)\n/);
	const { file } = write(
		[...Array(100).keys()].map((n) => `clock.tick -a label=s${n}`),
	);
	const words = [BINARY, "tail", url, "--from", file, "--via", "push"];
	const line = [process.execPath, ...words, "-o", "records", "--for", "12s"];
	const run = spawnSync(
		"sh",
		["-c", 'ulimit -n 70; exec "$@"', "sh", ...line],
		{
			encoding: "utf8",
		},
	);
	const kinds = run.stdout.split("\n").map((text) => text.slice(0, 16));
	expect(kinds).toContain('{"kind":"event",');
	expect(run.status).toBe(3);
	expect(run.stdout).toContain(
		"this process has as many files and sockets open as it may (EMFILE)",
	);
});
