// Reads test/fixtures/faults.txt: which answer of a server leads to which words and which exit status.
import { readFileSync } from "node:fs";
import { RAW_FAULTS, type RawFault } from "../fixtures/servers/raw-faults.ts";

export interface FaultRow {
	name: string;
	fault: RawFault;
	/** The method that is answered by the fault; "*" for every one. */
	method: string;
	/** Words of the command line; URL stands for the server's address. */
	words: string[];
	status: number;
	/** stderr, whole; HOST stands for the server's host and port. */
	says: string;
	isSample: boolean;
}

const file = new URL("../fixtures/faults.txt", import.meta.url);

export const FAULT_ROWS: readonly FaultRow[] = readFileSync(file, "utf8")
	.split(/^=== /m)
	.slice(1)
	.map(readRow);

function readRow(text: string): FaultRow {
	const [head = "", command = "", ...says] = text.trimEnd().split("\n");
	const [fault = "", method = "", sample] = head.split(" | ");
	const [, words = "", status] =
		/^\$ mcp-events (.*) -> (\d+)$/.exec(command) ?? [];
	if (!isFault(fault)) throw new Error(`faults.txt: no answer named ${fault}`);
	return {
		name: `${fault}, to ${method === "*" ? "everything" : method}`,
		fault,
		method,
		words: words.split(" "),
		status: Number(status),
		says: `${says.join("\n")}\n`,
		isSample: sample === "sample",
	};
}

function isFault(name: string): name is RawFault {
	return Object.hasOwn(RAW_FAULTS, name);
}
