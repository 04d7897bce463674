// Push of the server that we bring, graded over stdio by the built command: the rules that only one output shared by
// several streams can show.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { BINARY, runCli } from "../helpers/run-cli.ts";

it("keeps every rule of push that stdio can show", async () => {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-push-"));
	const file = join(folder, "report.json");
	const run = await runCli(
		[
			...["check", "server", "--scenario", "events-push"],
			...["--state", folder, "--report", `json=${file}`],
			...["--", process.execPath, BINARY, "serve", "--stdio"],
			...["--conformance-controls", "--heartbeat", "1s"],
		],
		{ stdoutForm: "text", deadlineMs: 60_000 },
	);
	expect(run.status).toBe(0);
	const { rows } = JSON.parse(readFileSync(file, "utf8"));
	const not = rows.filter(
		({ verdict }: { verdict: string }) => verdict !== "SUCCESS",
	);
	expect(not.map(({ id }: { id: string }) => id).sort()).toEqual([
		"sep-3415-mcp-name-mismatch-rejected",
		"sep-3415-mcp-name-missing-rejected",
		"sep-3415-stream-carries-only-event-notifications",
		"sep-3415-stream-final-result-timing",
		"sep-3415-stream-heartbeat-not-sse-comment",
	]);
}, 70_000);
