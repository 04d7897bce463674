// One look through capture files: where the events in them stand, by name. Their bodies are left where they are.
import { type FileHandle, open, stat } from "node:fs/promises";
import {
	type Capture,
	listCaptureFiles,
	type OddLine,
	readPlacedCaptures,
} from "../../../captures/index.ts";
import { Fault } from "../../../faults/index.ts";
import { markOf, readEvent } from "./read-event.ts";

/** Where the line of one event stands. */
export interface CapturedEvent {
	file: FileHandle;
	start: number;
	end: number;
	/** How long after the first of all it had arrived; never less than the one before it. */
	offsetMs: number;
	/** Twelve hexadecimal digits that stand for the capture's id. */
	mark: string;
}

export interface Captured {
	files: FileHandle[];
	/** By name, each in the order of the files. */
	events: Map<string, CapturedEvent[]>;
	/** Valid deliveries that hold no event: envelopes, and messages of other senders. */
	others: number;
	rejected: number;
	/** Events that are left out because there are too many, or too many kinds. */
	tooMany: number;
}

export interface FindOptions {
	paths: readonly string[];
	maxEvents: number;
	maxNames: number;
	odd: (line: OddLine) => void;
}

/** Throws `file-failed` for what cannot be read. The files stay open: whoever has them closes them. */
export async function findCaptured(options: FindOptions): Promise<Captured> {
	const { paths, odd } = options;
	const found: Captured = {
		files: [],
		events: new Map(),
		others: 0,
		rejected: 0,
		tooMany: 0,
	};
	const add = makeAdder(found, options);
	try {
		for (const path of await listCaptureFiles(paths)) {
			const file = await openFile(path);
			found.files.push(file);
			const { size } = await file.stat();
			if (size === 0) continue;
			// As of now: what is appended meanwhile is left.
			const range = { start: 0, end: size - 1, autoClose: false };
			const chunks = file.createReadStream(range);
			for await (const placed of readPlacedCaptures(chunks, { path, odd }))
				add(placed.capture, { file, start: placed.start, end: placed.end });
		}
		return found;
	} catch (error) {
		await closeAll(found.files);
		throw error;
	}
}

export async function closeAll(files: readonly FileHandle[]): Promise<void> {
	for (const file of files) await file.close();
}

function makeAdder(found: Captured, options: FindOptions) {
	let first: number | undefined;
	let offsetMs = 0;
	let count = 0;
	return (
		capture: Capture,
		place: Pick<CapturedEvent, "file" | "start" | "end">,
	) => {
		if (capture.verdict.kind !== "valid") {
			found.rejected++;
			return;
		}
		const name = readEvent(capture)?.name;
		if (name === undefined) {
			found.others++;
			return;
		}
		first ??= capture.receivedAtMs;
		offsetMs = Math.max(offsetMs, capture.receivedAtMs - first);
		const known = found.events.get(name);
		const hasRoom = known !== undefined || found.events.size < options.maxNames;
		if (!hasRoom || count >= options.maxEvents) {
			found.tooMany++;
			return;
		}
		count++;
		const events = known ?? [];
		if (!known) found.events.set(name, events);
		events.push({ ...place, offsetMs, mark: markOf(capture.id) });
	};
}

async function openFile(path: string): Promise<FileHandle> {
	try {
		// Before it is opened: a named pipe would wait for a writer.
		if (!(await stat(path)).isFile())
			throw new Error("it is no regular file, and could not be read again");
		return await open(path, "r");
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `captures cannot be served from ${path}`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
}
