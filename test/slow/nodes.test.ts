// The built binary on the other Nodes that we support, each against `serve` on the same Node.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fetchNode } from "../helpers/fetch-node.ts";
import {
	BINARY,
	type CliProcess,
	runCli,
	startCli,
} from "../helpers/run-cli.ts";

const ours = process.versions.node.split(".")[0];
const folder = mkdtempSync(join(tmpdir(), "mcp-events-nodes-"));
const cleanUp = () => rmSync(folder, { recursive: true, force: true });
const nodes = ["20", "22", "24"]
	.filter((major) => major !== ours)
	.map((major) => ({ major, node: fetchNode(major, folder) }));
// Where all is skipped, nothing is run afterwards.
if (nodes.every(({ node }) => node === undefined)) cleanUp();
afterAll(cleanUp);

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
