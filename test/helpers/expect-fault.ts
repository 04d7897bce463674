// Runs one row of a table of faults, and holds status and stderr, whole, against it.
import { expect } from "vitest";
import { RAW_FAULTS } from "../fixtures/servers/raw-faults.ts";
import { openRawOddities } from "../fixtures/servers/raw-oddities.ts";
import type { FaultRow } from "../process/fault-rows.ts";
import { runCli } from "./run-cli.ts";

/** What JSON.parse says of a text is Node's, and changes with it. */
const NODES_OWN =
	/("; )(?:Unexpected|Unterminated|Expected)[^;]*?(?=\); next|$)/gm;

/** Opens the row's server, runs its words, and compares; stdout must be empty. */
export async function expectFault(row: FaultRow): Promise<void> {
	const instead = { [row.method]: RAW_FAULTS[row.fault] };
	const server = await openRawOddities({ instead });
	const words = row.words.map((word) => (word === "URL" ? server.url : word));
	const run = await runCli(words, { deadlineMs: 60_000 }).finally(server.close);
	const host = new URL(server.url).host;
	const said = run.stderr
		.replaceAll(host, "HOST")
		.replace(NODES_OWN, "$1(Node's words)");
	expect(said).toBe(row.says);
	expect(run).toMatchObject({ status: row.status, stdout: "" });
}
