// The event in a captured delivery, and how it is found again where it stands.
import { createHash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { type Capture, parseCapture } from "../../../captures/index.ts";
import { Fault } from "../../../faults/index.ts";
import {
	isInstant,
	isRecord,
	memberSpans,
	oneLine,
	parseJsonBytes,
} from "../../../protocol/index.ts";
import type { EventParts } from "../../source.ts";
import type { CapturedEvent } from "./find-captured.ts";

type CapturedParts = Omit<EventParts, "cursor">;

const MAX_NAME_LENGTH = 200;
/** Read at once: most lines are far shorter, and the next ones are asked for next. */
const BLOCK_BYTES = 256 * 1024;

/** What stands for a capture's id in cursors: twelve hexadecimal digits. */
export const markOf = (id: string) =>
	createHash("sha256").update(id).digest("hex").slice(0, 12);

/** What is returned reads the event at a place as it was captured; undefined where it is there no more. */
export function createEventReader(): (
	event: CapturedEvent,
) => Promise<CapturedParts | undefined> {
	let block: { file: FileHandle; start: number; bytes: Buffer } | undefined;

	async function lineOf({ file, start, end }: CapturedEvent) {
		const isInBlock =
			block?.file === file &&
			start >= block.start &&
			end <= block.start + block.bytes.length;
		if (!block || !isInBlock) {
			const wanted = Buffer.allocUnsafe(Math.max(end - start, BLOCK_BYTES));
			const { bytesRead } = await file.read(wanted, 0, wanted.length, start);
			block = { file, start, bytes: wanted.subarray(0, bytesRead) };
		}
		return block.bytes.subarray(start - block.start, end - block.start);
	}

	return async (event) => {
		const line = await lineOf(event);
		if (line.length < event.end - event.start) return undefined;
		try {
			const capture = parseCapture(line);
			return markOf(capture.id) === event.mark ? readEvent(capture) : undefined;
		} catch (error) {
			if (error instanceof Fault) return undefined;
			throw error;
		}
	};
}

/** The event in a delivery, its data as it was written; undefined where it holds none (events.md 6, envelopes). */
export function readEvent({
	body,
	receivedAtMs,
}: Capture): CapturedParts | undefined {
	const value = parseOrNothing(body);
	if (!isRecord(value) || value.type !== undefined) return undefined;
	const { eventId, name, timestamp } = value;
	const span = memberSpans(body).get("data");
	if (typeof eventId !== "string" || eventId === "") return undefined;
	if (typeof name !== "string" || name === "" || name.length > MAX_NAME_LENGTH)
		return undefined;
	if (!span || !isRecord(value.data)) return undefined;
	const isDated = typeof timestamp === "string" && isInstant(timestamp);
	return {
		eventId,
		name,
		at: isDated ? timestamp : receivedAtMs,
		dataText: oneLine(body, span).toString("utf8"),
	};
}

function parseOrNothing(body: Buffer): unknown {
	try {
		return parseJsonBytes(body);
	} catch (error) {
		if (error instanceof Fault) return undefined;
		throw error;
	}
}
