// The reference server over stdio: a message a line, both ways, streams side by side on the one output.
import type { Readable, Writable } from "node:stream";
import { LineSplitter } from "../../protocol/index.ts";
import { Core } from "../rpc/core.ts";
import type { ReferenceOptions } from "../settings.ts";
import { Connection } from "./connection.ts";
import { createLineWriter, type LineWriter } from "./line-writer.ts";

export interface StdioOptions extends ReferenceOptions {
	input: Readable;
	output: Writable;
	/** Ends the serving as the end of the input does. */
	signal?: AbortSignal | undefined;
}

/** How long a client may take for the last answers. */
const FAREWELL_MS = 1_000;

/** Serves until the input ends, then answers what is open, ends every stream, and closes the sources. */
export async function serveStdio(options: StdioOptions): Promise<void> {
	const { input, output, signal } = options;
	const core = new Core(options);
	const writer = createLineWriter(output);
	const connection = new Connection(core, writer, input);
	const lines = new LineSplitter(core.settings.maxRequestBytes, {
		onLine: (line) => connection.take(line),
		onTooLong: () => connection.refuseTooLong(),
	});
	const onData = (chunk: Buffer | string) => lines.push(Buffer.from(chunk));
	input.on("data", onData);
	await untilOver(input, writer, signal);
	input.off("data", onData);
	if (input.readableEnded) lines.end();
	core.endStreams();
	await connection.settle(FAREWELL_MS);
	// Else an input that goes on would keep the process alive.
	input.pause();
	writer.close();
	await core.closeSources();
}

function untilOver(
	input: Readable,
	writer: LineWriter,
	signal: AbortSignal | undefined,
): Promise<void> {
	return new Promise((resolve) => {
		const over = () => {
			input.off("end", over).off("close", over).off("error", over);
			signal?.removeEventListener("abort", over);
			resolve();
		};
		input.on("end", over).on("close", over).on("error", over);
		signal?.addEventListener("abort", over, { once: true });
		void writer.failed.then(over);
		if (signal?.aborted || input.destroyed || input.readableEnded) over();
	});
}
