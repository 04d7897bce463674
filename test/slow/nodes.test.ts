// The built binary on the other Nodes that we support, each against `serve` on the same Node; then a sample of the
// process tests, whose own servers stay on ours.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isFull } from "../helpers/amount.ts";
import { fetchNode } from "../helpers/fetch-node.ts";
import {
	BINARY,
	type CliProcess,
	runCli,
	startCli,
} from "../helpers/run-cli.ts";

const ours = process.versions.node.split(".")[0];
const nodes = ["20", "22", "24"]
	.filter((major) => major !== ours)
	.map((major) => ({ major, node: fetchNode(major) }));

/** Connections and their faults, and what is checked; in full what is kept and received too, and how a run ends. */
const SAMPLE = ["change-of-mode", "dialects", "faults", "verify"];
if (isFull) SAMPLE.push("resume", "endings", "captures", "listen");
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** The tests of a file, by a vitest of their own: all of its runs are on this Node. */
async function runOn(node: string, names: readonly string[]) {
	const files = names.map((name) => `test/process/${name}.test.ts`);
	const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
	const words = [vitest, "run", "--project", "process", "--maxWorkers", "1"];
	const child = spawn(process.execPath, [...words, ...files], {
		cwd: ROOT,
		env: {
			PATH: process.env.PATH,
			HOME: process.env.HOME,
			NO_COLOR: "1",
			TEST_NODE: node,
		},
		stdio: ["ignore", "pipe", "pipe"],
	});
	const [[status], said, complained] = await Promise.all([
		once(child, "exit"),
		text(child.stdout),
		text(child.stderr),
	]);
	return { status, told: `${said}${complained}` };
}

describe.each(nodes)("Node $major", ({ major, node }) => {
	describe.skipIf(!node)("(skipped where it cannot be fetched)", () => {
		let server: CliProcess;
		let url = "";
		beforeAll(async () => {
			server = startCli(["serve", "--port", "0"], {
				node,
				deadlineMs: 250_000,
			});
			[, url = ""] = await server.stderr.until(/(http:\S+)/);
		});
		afterAll(async () => {
			server.kill("SIGTERM");
			const { status, stderr } = await server.done;
			expect([status, stderr.split("\n").length]).toEqual([143, 2]);
		});

		test("passes a sample of the process tests", async () => {
			const { status, told } = await runOn(node ?? "", SAMPLE);
			expect(status, told).toBe(0);
			expect(told).toContain(`${SAMPLE.length} passed (${SAMPLE.length})`);
		});

		test("says its version", async () => {
			const run = await runCli(["--version"], { node });
			expect(run.stdout).toContain(` node-v${major}.`);
			expect(run).toMatchObject({ status: 0, stderr: "" });
		});

		test.each([["list"], ["describe", "clock.tick"]])(
			"%s",
			async (command, ...rest) => {
				const run = await runCli([command, url, ...rest], { node });
				expect(run).toMatchObject({ status: 0, stderr: "" });
				expect(run.stdout).toContain("clock.tick");
			},
		);

		const TICK = ["clock.tick", "-a", "periodMs=50", "-n", "3", "--quiet"];

		test.each(["tail", "stream", "poll"])("%s over HTTP", async (command) => {
			const run = await runCli([command, url, ...TICK], { node });
			expect(run).toMatchObject({ status: 0, stderr: "" });
			expect(run.lines).toHaveLength(3);
		});

		test.each(["tail", "stream", "poll"])("%s over stdio", async (command) => {
			const server = [node ?? "", BINARY, "serve", "--stdio"];
			const run = await runCli([command, ...TICK, "--", ...server], { node });
			expect(run).toMatchObject({ status: 0, stderr: "" });
			expect(run.lines).toHaveLength(3);
		});
	});
});
