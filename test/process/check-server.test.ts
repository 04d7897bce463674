// The built command: statuses, forms, stdio, and a run that is interrupted.

import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDemo } from "../helpers/open-demo.ts";
import { BINARY, runCli, startCli } from "../helpers/run-cli.ts";

const DISCOVERY = ["--scenario", "events-discovery"];
const state = () => [
	"--state",
	mkdtempSync(join(tmpdir(), "mcp-events-check-")),
];

describe("check server", () => {
	it("grades the server that we bring, over HTTP", async () => {
		await using demo = await openDemo();
		const run = await runCli(
			["check", "server", demo.url, ...DISCOVERY, ...state()],
			{ stdoutForm: "text" },
		);
		expect(run.status).toBe(0);
		expect(run.stdout).toMatch(
			/22 rules: \d+ passed, \d+ skipped, \d+ untestable/,
		);
		expect(run.stderr).toBe("");
	});

	it("grades it over stdio, and writes a report", async () => {
		const [, folder = ""] = state();
		const file = join(folder, "report.json");
		const run = await runCli(
			[
				"check",
				"server",
				...DISCOVERY,
				"--strict",
				"--state",
				folder,
				"--report",
				`json=${file}`,
				"--",
				process.execPath,
				BINARY,
				"serve",
				"--stdio",
			],
			{ stdoutForm: "text" },
		);
		expect(run.status).toBe(7);
		const report = JSON.parse(readFileSync(file, "utf8"));
		expect(report.server).toMatchObject({ transport: "stdio", era: "modern" });
		expect(report.counts.FAILURE).toBe(0);
	});

	it("says where nobody listens", async () => {
		const run = await runCli([
			"check",
			"server",
			"http://127.0.0.1:1/mcp",
			...state(),
		]);
		expect(run).toMatchObject({ status: 3, stdout: "" });
		expect(run.stderr).toContain("nothing answers");
	});

	it("explains a rule without a server", async () => {
		const run = await runCli(
			["check", "server", "--explain", "list-pagination", ...state()],
			{ stdoutForm: "text" },
		);
		expect(run.status).toBe(0);
		expect(run.stdout).toContain("events-discovery/list-pagination");
	});

	it("that is interrupted says what it has, and ends as asked", async () => {
		const server = createServer(() => {});
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		const { port } = server.address() as AddressInfo;
		const asked = new Promise((resolve) => server.once("request", resolve));
		const run = startCli(
			[
				"check",
				"server",
				`http://127.0.0.1:${port}/mcp`,
				...DISCOVERY,
				...state(),
			],
			{ stdoutForm: "text" },
		);
		await Promise.race([asked, run.done]);
		run.kill("SIGINT");
		const { status, stdout } = await run.done;
		server.closeAllConnections();
		server.close();
		expect(status).toBe(130);
		expect(stdout).toContain("the run was stopped before its end");
	});
});
