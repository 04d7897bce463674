// Poll graded by the built command: over stdio, and on a server without controls.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY, runCli } from "../helpers/run-cli.ts";

interface Row {
	id: string;
	verdict: string;
	missing?: { kind: string };
}

async function gradeOverStdio(...flags: string[]): Promise<Row[]> {
	const state = mkdtempSync(join(tmpdir(), "mcp-events-poll-"));
	const run = await runCli(
		[
			"check",
			"server",
			"--scenario",
			"events-poll",
			"--output",
			"json",
			"--state",
			state,
			"--",
			process.execPath,
			BINARY,
			"serve",
			"--stdio",
			...flags,
		],
		{ stdoutForm: "text" },
	);
	expect(run.status).toBe(0);
	return JSON.parse(run.stdout).rows;
}

const others = (rows: Row[], ...but: string[]) =>
	rows
		.filter(({ verdict }) => !["SUCCESS", ...but].includes(verdict))
		.map(({ id, verdict }) => `${verdict} ${id.replace("sep-3415-", "")}`);

describe("check server --scenario events-poll over stdio", () => {
	it("tries every rule but those of HTTP", async () => {
		const rows = await gradeOverStdio("--conformance-controls");
		expect(others(rows)).toEqual([
			"SKIPPED mcp-name-missing-rejected",
			"SKIPPED mcp-name-mismatch-rejected",
			"SKIPPED occurrence-meta-ungoverned",
			"SKIPPED truncated-false-when-no-replay",
		]);
	});

	it("says what it lacks on a server without controls", async () => {
		const rows = await gradeOverStdio();
		expect(others(rows, "SKIPPED")).toEqual([
			"UNTESTABLE poll-mode-unsupported",
			"UNTESTABLE poll-revoked-error",
			"UNTESTABLE replay-ceiling-sets-truncated",
		]);
	});
});
