// The lines of a program's output, in bounded memory however its writes are cut.
import type { Readable } from "node:stream";

/** A longer line says nothing that we look for, and is skipped. */
const LONGEST_LINE = 16 * 1024;

/** Hands over every line without its end; what follows the last one too, when the stream ends. */
export function readLines(
	stream: Readable,
	onLine: (line: string) => void,
): void {
	let begun = "";
	let isSkipping = false;
	const finish = (rest: string) => {
		const line = begun + rest;
		const isWanted = !isSkipping && line !== "" && line.length <= LONGEST_LINE;
		begun = "";
		isSkipping = false;
		if (isWanted) onLine(line);
	};
	stream.setEncoding("utf8");
	stream.on("data", (text: string) => {
		// A lone carriage return ends a line too: programs draw over their own output.
		const [first = "", ...others] = text.split(/[\r\n]+/);
		let last = first;
		for (const next of others) {
			finish(last);
			last = next;
		}
		if (begun.length + last.length > LONGEST_LINE) isSkipping = true;
		begun = isSkipping ? "" : begun + last;
	});
	stream.once("end", () => finish(""));
	stream.on("error", () => {});
}
