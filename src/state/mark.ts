// A short text that changes often and must survive a kill of the process: how far we have come. It is written in
// place and at once, without waiting for the disk: a crash of the machine may bring an older one back.
import {
	closeSync,
	constants,
	mkdirSync,
	openSync,
	readFileSync,
	writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { Fault } from "../faults/index.ts";

export interface Mark {
	/** What it said when it was opened. */
	readonly first: string | undefined;
	set(text: string): void;
	close(): void;
}

const LONGEST = 1_000;

/** Opens a mark, made where there is none. `text` must be short and on one line. Throws `file-failed`. */
export function openMark(path: string): Mark {
	const descriptor = openPrivately(path);
	const [line = "", end] = readFileSync(descriptor, "utf8").split("\n", 2);
	return {
		// A line that was cut off in the middle says nothing.
		first: end === undefined || line === "" ? undefined : line,
		set(text) {
			// What a longer text leaves behind stands after the first line end, and is never read.
			const bytes = Buffer.from(`${text.slice(0, LONGEST)}\n`);
			writeSync(descriptor, bytes, 0, bytes.length, 0);
		},
		close: () => closeSync(descriptor),
	};
}

function openPrivately(path: string): number {
	try {
		mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
		return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `${path} cannot be opened`,
			why: cause instanceof Error ? cause.message : String(cause),
			next: "name a folder that can be written to: --state DIR",
			cause,
		});
	}
}
