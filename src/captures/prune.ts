// Throws captures away. A file that somebody writes is left as it is; one that keeps some captures is replaced whole.
import { open, readdir, readFile, rename, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault } from "../faults/index.ts";
import type { Owner } from "../state/index.ts";
import { parseCapture } from "./capture.ts";
import { REJECTED_FOLDER } from "./find.ts";
import { listFiles, logOf, readLocks } from "./folder.ts";
import { type CaptureFilters, passes } from "./read.ts";

export interface PruneOptions {
	folder: string;
	/** What goes: the captures that fit every filter that is given. */
	filters: CaptureFilters;
	/** Counts only. */
	isDryRun: boolean;
	owner: Owner;
}

export interface Pruned {
	captures: number;
	bytes: number;
	/** Files that a listener writes: nothing in them was looked at. */
	busyFiles: number;
}

const LINE_FEED = 0x0a;

/** Removes captures, the rejected too. Throws `file-failed`; what was removed until then is gone. */
export async function pruneCaptures(options: PruneOptions): Promise<Pruned> {
	const { folder, owner } = options;
	const pruned: Pruned = { captures: 0, bytes: 0, busyFiles: 0 };
	try {
		const names = await readdir(folder);
		const places = [folder];
		if (names.includes(REJECTED_FOLDER))
			places.push(join(folder, REJECTED_FOLDER));
		// Listed before the locks are read: a log is locked before it has a file.
		const paths = (await Promise.all(places.map(listFiles))).flat();
		const { live } = await readLocks(folder, owner);
		for (const path of paths) {
			if (live.has(logOf(basename(path)))) pruned.busyFiles++;
			else await pruneFile(path, options, pruned);
		}
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `captures cannot be removed from ${folder}`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
	return pruned;
}

async function pruneFile(
	path: string,
	{ filters, isDryRun }: PruneOptions,
	pruned: Pruned,
): Promise<void> {
	// A file is bounded by the size at which it is left for a new one.
	const bytes = await readFile(path);
	const kept: Buffer[] = [];
	let gone = 0;
	for (const line of linesOf(bytes)) {
		if (!mayGo(line, filters)) {
			kept.push(line);
			continue;
		}
		gone++;
		pruned.bytes += line.length;
	}
	pruned.captures += gone;
	if (isDryRun || (gone === 0 && kept.length > 0)) return;
	if (kept.length === 0) await unlink(path);
	else await replaceFile(path, Buffer.concat(kept));
}

/** A line that is no capture stays: nobody asked for it to go. */
function mayGo(line: Buffer, filters: CaptureFilters): boolean {
	try {
		return passes(parseCapture(line), filters);
	} catch (error) {
		if (error instanceof Fault) return false;
		throw error;
	}
}

/** Lines with their line feeds. */
function* linesOf(bytes: Buffer): Generator<Buffer> {
	for (let at = 0; at < bytes.length; ) {
		const feed = bytes.indexOf(LINE_FEED, at);
		const end = feed < 0 ? bytes.length : feed + 1;
		yield bytes.subarray(at, end);
		at = end;
	}
}

/** Whoever reads, after a crash too, finds the old file or the new one. */
async function replaceFile(path: string, bytes: Buffer): Promise<void> {
	const draft = `${path}.pruning`;
	const handle = await open(draft, "w", 0o600);
	try {
		await handle.writeFile(bytes);
		await handle.sync();
	} finally {
		await handle.close();
	}
	await rename(draft, path);
}
