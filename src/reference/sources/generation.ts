// One file that stood, or stands, at the path that is followed: held open, so that it can be read to its end after a
// rotation and its inode cannot be given to another meanwhile.
import type { FileHandle } from "node:fs/promises";
import { withoutCarriageReturn } from "../../protocol/index.ts";

export interface Generation {
	readonly handle: FileHandle;
	/** Device, inode and time of birth: the file, whatever its name. */
	readonly identity: string;
	/** Told apart from itself before it was truncated: when that was seen, or 0. */
	cut: number;
	/** Cuts under which the same places were told before lines were lost. */
	readonly formerCuts: Set<number>;
	/** How far it may be read: its size when it was last looked at. */
	size: number;
	/** Since when it has not grown, once it has left the path. */
	quietSince: number;
	/** Set once it has left the path and stopped growing. */
	sealedAt: number | undefined;
	/** When the bytes up to `size` had come; both rise. */
	readonly marks: { size: number; at: number }[];
}

export interface FileLine {
	text: string;
	start: number;
	/** The place after its line end. */
	end: number;
	/** False for a piece of a line over the limit, but for its last. */
	isWhole: boolean;
}

const LINE_FEED = 0x0a;
export const LINE_LIMIT_BYTES = 64 * 1024;
const CHUNK_BYTES = 256 * 1024;
const MAX_MARKS = 1_024;

/** Notes that the file had `size` bytes at `at`. Old marks thin out: then a line seems to have come a little later. */
export function markSize(file: Generation, size: number, at: number): void {
	file.size = size;
	file.marks.push({ size, at });
	if (file.marks.length <= MAX_MARKS) return;
	const kept = file.marks.filter((_mark, index) => index % 2 === 1);
	file.marks.splice(0, file.marks.length, ...kept);
}

/** When the byte before `place` was first seen. */
export function seenAt(file: Generation, place: number): number {
	let low = 0;
	let high = file.marks.length - 1;
	while (low < high) {
		const middle = (low + high) >> 1;
		if ((file.marks[middle]?.size ?? 0) >= place) high = middle;
		else low = middle + 1;
	}
	return file.marks[low]?.at ?? 0;
}

/** How far the file had come before `sinceMs`. */
export function sizeBefore(file: Generation, sinceMs: number): number {
	return file.marks.findLast((mark) => mark.at < sinceMs)?.size ?? 0;
}

/**
 * Reads the whole lines from `start` on, a chunk of them. A line over the limit comes in pieces. What stands after the
 * last line end waits for one, but in a sealed file, where none will come.
 */
export async function readLines(
	file: Generation,
	start: number,
): Promise<{ lines: FileLine[]; reachedEnd: boolean }> {
	const { size } = file;
	const bytes = await readBytes(
		file,
		start,
		Math.min(size, start + CHUNK_BYTES),
	);
	const reachedEnd = start + bytes.length >= size;
	const lines: FileLine[] = [];
	let at = 0;
	while (at < bytes.length) {
		const next = nextLine(bytes, at);
		const isRest = !next && reachedEnd && file.sealedAt !== undefined;
		const { end, next: after } = next ?? {
			end: bytes.length,
			next: bytes.length,
		};
		if (!next && !isRest) break;
		const isWhole = isRest || bytes[after - 1] === LINE_FEED;
		const line = bytes.subarray(at, end);
		lines.push({
			text: (isWhole ? withoutCarriageReturn(line) : line).toString("utf8"),
			start: start + at,
			end: start + after,
			isWhole,
		});
		at = after;
	}
	return { lines, reachedEnd };
}

function nextLine(bytes: Buffer, at: number) {
	const feed = bytes.indexOf(LINE_FEED, at);
	if (feed >= 0 && feed - at <= LINE_LIMIT_BYTES)
		return { end: feed, next: feed + 1 };
	if (bytes.length - at <= LINE_LIMIT_BYTES) return undefined;
	let end = at + LINE_LIMIT_BYTES;
	// Not in the middle of a character: its later bytes are 10xxxxxx, three at most.
	for (let back = 0; back < 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80; back++)
		end--;
	return { end, next: end };
}

/** The start of the line that `place` stands in, if it is not too far away. */
export async function lineStart(
	file: Generation,
	place: number,
): Promise<number> {
	const from = Math.max(0, place - LINE_LIMIT_BYTES);
	const bytes = await readBytes(file, from, place);
	const feed = bytes.lastIndexOf(LINE_FEED);
	if (feed >= 0) return from + feed + 1;
	return from === 0 ? 0 : place;
}

async function readBytes(file: Generation, start: number, end: number) {
	const wanted = Math.max(0, end - start);
	const bytes = Buffer.allocUnsafe(wanted);
	let filled = 0;
	while (filled < wanted) {
		const { bytesRead } = await file.handle.read(
			bytes,
			filled,
			wanted - filled,
			start + filled,
		);
		if (bytesRead === 0) break;
		filled += bytesRead;
	}
	return bytes.subarray(0, filled);
}
