// A reference server whose events a test writes line by line.
import { PassThrough } from "node:stream";
import {
	type HttpOptions,
	openReferenceServer,
	openStdinSource,
} from "../../src/reference/index.ts";
import { realClock } from "./manual-clock.ts";

export const NAME = "stdin.line";

export async function openStdinServer(
	more: Partial<HttpOptions> & { bufferSize?: number } = {},
) {
	const { bufferSize = 1_000, ...options } = more;
	const clock = options.clock ?? realClock;
	const input = new PassThrough();
	const source = openStdinSource({ input, clock, epoch: "run", bufferSize });
	const server = await openReferenceServer({
		sources: [source],
		version: "1.2.3",
		clock,
		...options,
	});
	/** Writes events numbered from..to; resolves once the source has them. */
	const emit = async (from: number, to = from, pad = "") => {
		for (let n = from; n <= to; n++)
			input.write(`${JSON.stringify({ n, pad })}\n`);
		await new Promise(setImmediate);
	};
	return { server, source, input, emit, url: server.url };
}
