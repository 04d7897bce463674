// Reads the events of a flood from a stream at a pace of its own, and holds them to be all there, whole and in order.
import type { Readable } from "node:stream";
import { floodId } from "../fixtures/servers/flood.mjs";

const LINE_FEED = 0x0a;

export interface FloodReader {
	readonly bytes: number;
	/** How many whole lines came: the number of the last event, as long as nothing is wrong. */
	readonly lines: number;
	/** What is wrong first: a line that is not the next event, or at the end a line that is not whole. */
	readonly wrong: string | undefined;
	/** Reads so many bytes in total, or a little more, and then stands still. */
	readBytes(total: number): Promise<void>;
	/** Reads so many lines in total, or a few more, and goes on reading. */
	readLines(total: number): Promise<void>;
	/** Reads on, to the end. */
	readOn(): Promise<void>;
}

/** Reads nothing before it is told to. */
export function openFloodReader(stream: Readable): FloodReader {
	let bytes = 0;
	let lines = 0;
	let rest: Buffer = Buffer.alloc(0);
	let wrong: string | undefined;
	let isEnded = false;
	let changed = () => {};

	const take = (line: Buffer) => {
		lines++;
		const start = `{"eventId":"${floodId(lines)}",`;
		const isNext = line.toString("latin1", 0, start.length) === start;
		if (!isNext || line.at(-1) !== 0x7d)
			wrong ??= `line ${lines} is ${line.toString("utf8", 0, 100)}`;
	};
	const read = (chunk: Buffer) => {
		bytes += chunk.length;
		const all = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
		let start = 0;
		for (;;) {
			const end = all.indexOf(LINE_FEED, start);
			if (end < 0) break;
			take(all.subarray(start, end));
			start = end + 1;
		}
		rest = all.subarray(start);
		changed();
	};
	stream.once("end", () => {
		isEnded = true;
		if (rest.length > 0) wrong ??= `the end is ${rest.toString("utf8")}`;
		changed();
	});
	const until = async (isMet: () => boolean) => {
		if (stream.listenerCount("data") === 0) stream.on("data", read);
		stream.resume();
		while (!isMet() && !isEnded)
			await new Promise<void>((resolve) => {
				changed = resolve;
			});
	};
	return {
		get bytes() {
			return bytes;
		},
		get lines() {
			return lines;
		},
		get wrong() {
			return wrong;
		},
		async readBytes(total) {
			await until(() => {
				if (bytes >= total) stream.pause();
				return bytes >= total;
			});
		},
		readLines: (total) => until(() => lines >= total),
		readOn: () => until(() => false),
	};
}
