// check server as its command calls it, in this process: the exit status, both outputs, and a state folder of its own.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { openOutput } from "../../../src/output/index.ts";
import { checkServer } from "../../../src/program/check/check-server.ts";
import type { CheckFlags } from "../../../src/program/check/options.ts";
import { createWorld } from "../../../src/program/process/world.ts";

export const newFolder = () => mkdtempSync(join(tmpdir(), "mcp-events-check-"));

export const FLAGS: CheckFlags = {
	scenario: ["events-discovery"],
	profile: "final",
	budget: 30_000,
	timeout: 10_000,
	"connect-timeout": 10_000,
	insecure: false,
	strict: false,
	output: "text",
	verbose: false,
};

export function openPlace() {
	const stdout = new PassThrough();
	const stderr = new PassThrough();
	const output = openOutput({
		stdout,
		stderr,
		env: {},
		form: "events",
		source: "",
		verbose: false,
		quiet: false,
		programName: "mcp-events",
	});
	const world = createWorld(process, {
		stop: new AbortController().signal,
		atExit: () => () => {},
	});
	return { world, output, text: readAll(stdout), errors: readAll(stderr) };
}

/** Reads as it comes: a report is larger than what a stream holds. */
function readAll(stream: PassThrough): () => string {
	const chunks: Buffer[] = [];
	stream.on("data", (chunk: Buffer) => chunks.push(chunk));
	return () => Buffer.concat(chunks).toString("utf8");
}

export async function checkInProcess(
	url: string,
	flags: Partial<CheckFlags> = {},
) {
	const { world, output, text, errors } = openPlace();
	const all = { ...FLAGS, state: newFolder(), ...flags };
	const address = { kind: "http", url: new URL(url) } as const;
	const status = await checkServer(address, all, { world, output });
	await output.close();
	return { status, stdout: text(), stderr: errors() };
}
