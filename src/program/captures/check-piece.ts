// A piece of a file of captures, checked: what a thread of `verify` does, and what goes to it and comes back.
import {
	type CaptureFilters,
	type OddLine,
	readLineBatches,
} from "../../captures/index.ts";
import type { NamedPublicKey } from "../../signing/index.ts";
import type { SecretTexts } from "../listen/secret-choice.ts";
import {
	type CheckRules,
	checkDelivery,
	verdictLine,
} from "./check-delivery.ts";

/** What a thread is told when it starts. */
export interface CheckOrder {
	secrets: SecretTexts;
	publicKeys: readonly NamedPublicKey[];
	nowMs: number | undefined;
	toleranceSeconds: number | undefined;
	filters: CaptureFilters;
}

/** Whole lines of one file; only its last one may lack a line end. */
export interface Piece {
	path: string;
	bytes: Uint8Array<ArrayBuffer>;
}

export interface CheckedPiece {
	/** The lines to print, each with its line end; in the memory that the piece had, or in more. */
	printed: Uint8Array<ArrayBuffer>;
	/** How many deliveries were checked. */
	deliveries: number;
	/** Whether one of them is not valid. */
	hasFailed: boolean;
	/** How many lines were read. */
	lines: number;
	/** Their lines are counted from the beginning of the piece. */
	odd: OddLine[];
}

const LINE_FEED = 0x0a;

/** Checks all deliveries in a piece. */
export async function checkPiece(
	{ path, bytes }: Piece,
	{ rules, filters }: { rules: CheckRules; filters: CaptureFilters },
): Promise<CheckedPiece> {
	const odd: OddLine[] = [];
	let text = "";
	let deliveries = 0;
	let hasFailed = false;
	const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	const batches = readLineBatches(once(whole), {
		path,
		filters,
		odd: (line) => odd.push(line),
	});
	for await (const batch of batches)
		for (const capture of batch) {
			const verdict = checkDelivery(capture, rules);
			deliveries++;
			hasFailed ||= !verdict.valid;
			text += `${verdictLine(verdict)}\n`;
		}
	const lines = countLines(whole);
	return { printed: encode(text, bytes), deliveries, hasFailed, lines, odd };
}

/** In the memory of the piece, which nobody needs any more, where there is room. */
function encode(
	text: string,
	{ buffer }: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
	const encoder = new TextEncoder();
	const { read, written } = encoder.encodeInto(text, new Uint8Array(buffer));
	return read === text.length
		? new Uint8Array(buffer, 0, written)
		: encoder.encode(text);
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}

function countLines(bytes: Buffer): number {
	let lines = 0;
	let at = bytes.indexOf(LINE_FEED);
	for (; at >= 0; at = bytes.indexOf(LINE_FEED, at + 1)) lines++;
	return lines;
}
