// The capture log: deliveries go in, and are on disk when `append` resolves. What was rejected lies apart, bounded.
import { mkdir, stat, unlink } from "node:fs/promises";
import { basename, join } from "node:path";
import { Fault } from "../faults/index.ts";
import type { Owner } from "../state/index.ts";
import { captureLineText, type Delivery } from "./capture.ts";
import { REJECTED_FOLDER } from "./find.ts";
import {
	fileName,
	listFiles,
	lockLog,
	logOf,
	type Repair,
	readLocks,
	repairFiles,
	unlockLog,
} from "./folder.ts";
import { type LineStore, openLineStore } from "./line-store.ts";
import { createPrivateFile, type OpenDisk } from "./segment.ts";

export interface CaptureLogOptions {
	/** Made where it does not exist. Several logs may share it. */
	folder: string;
	now: () => number;
	randomBytes: (size: number) => Buffer;
	owner: Owner;
	/** A file that has reached this is left for a new one. */
	segmentBytes?: number;
	/** What all rejected deliveries may take on disk. */
	rejectedBytes?: number;
	/** Told of each torn line that a crash had left and that was cut off. */
	repaired?: (repair: Repair) => void;
	openDisk?: OpenDisk;
}

export interface CaptureLog {
	/**
	 * Keeps a delivery; resolves when it is on disk. Rejects with a `file-failed` fault where it is not kept: then it
	 * must not be acknowledged.
	 */
	append(delivery: Delivery): Promise<{ id: string }>;
	/** Keeps a rejected delivery apart, without waiting for the disk; the oldest ones make room. */
	appendRejected(delivery: Delivery): Promise<{ id: string }>;
	/** Waits for what was appended, then closes. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

const MIB = 1024 * 1024;
const SEGMENT_BYTES = 64 * MIB;
const REJECTED_BYTES = 16 * MIB;
const MOST_WAITING_BYTES = 64 * MIB;
/** The share of the rejected's room that one file may take, and what waits for it as much again. */
const REJECTED_SHARE = 8;

/** Opens a log, after it has repaired what crashes left. Throws `file-failed` where the folder takes no files. */
export async function openCaptureLog(
	options: CaptureLogOptions,
): Promise<CaptureLog> {
	const { folder, now, owner } = options;
	const rejectedFolder = join(folder, REJECTED_FOLDER);
	const log = options.randomBytes(4).toString("hex");
	try {
		await mkdir(rejectedFolder, { recursive: true, mode: 0o700 });
		await repair(options, [folder, rejectedFolder]);
		await lockLog(folder, log, owner);
	} catch (cause) {
		throw folderFault(folder, cause);
	}
	let files = 0;
	const pathIn = (place: string) => () =>
		join(place, fileName(now(), log, ++files));
	const openDisk = options.openDisk ?? createPrivateFile;
	const rejectedBytes = options.rejectedBytes ?? REJECTED_BYTES;
	const prune = () =>
		pruneRejected({ folder, rejectedFolder, rejectedBytes, owner, log });
	const stores: LineStore[] = [];
	try {
		await prune();
		stores.push(
			await openLineStore({
				nextPath: pathIn(folder),
				segmentBytes: options.segmentBytes ?? SEGMENT_BYTES,
				mostWaitingBytes: MOST_WAITING_BYTES,
				sync: true,
				openDisk,
			}),
		);
		stores.push(
			await openLineStore({
				nextPath: pathIn(rejectedFolder),
				segmentBytes: rejectedBytes / REJECTED_SHARE,
				mostWaitingBytes: rejectedBytes / REJECTED_SHARE,
				sync: false,
				openDisk,
				beforeRotation: prune,
			}),
		);
	} catch (error) {
		for (const store of stores) await closeStore(store);
		await unlockLog(folder, log);
		throw error;
	}
	return joinStores({ stores, log, unlock: () => unlockLog(folder, log) });
}

function joinStores(joined: {
	stores: LineStore[];
	log: string;
	unlock: () => Promise<void>;
}): CaptureLog {
	const [kept, rejected] = joined.stores as [LineStore, LineStore];
	let count = 0;
	async function appendTo(store: LineStore, delivery: Delivery) {
		const time = delivery.receivedAtMs.toString(36);
		const id = `cap_${time}_${joined.log}_${++count}`;
		await store.append(captureLineText(id, delivery));
		return { id };
	}
	async function close() {
		try {
			for (const store of joined.stores) await closeStore(store);
		} finally {
			await joined.unlock();
		}
	}
	return {
		append: (delivery) => appendTo(kept, delivery),
		appendRejected: (delivery) => appendTo(rejected, delivery),
		close,
		[Symbol.asyncDispose]: close,
	};
}

/** Closes a store; a file in which nothing was written goes. */
async function closeStore(store: LineStore): Promise<void> {
	await store.close();
	const { path, size } = store.current;
	if (size === 0 && (await stat(path).catch(() => undefined))?.size === 0)
		await unlink(path).catch(() => {});
}

async function repair(
	{ folder, now, owner, repaired }: CaptureLogOptions,
	places: string[],
): Promise<void> {
	const paths = (await Promise.all(places.map(listFiles))).flat();
	const { live, stale } = await readLocks(folder, owner);
	for (const done of await repairFiles(paths, { live, nowMs: now() }))
		repaired?.(done);
	for (const log of stale) await unlockLog(folder, log);
}

/** Removes the oldest rejected deliveries until one more file has room; files that others write are left. */
async function pruneRejected(options: {
	folder: string;
	rejectedFolder: string;
	rejectedBytes: number;
	owner: Owner;
	log: string;
}): Promise<void> {
	const { rejectedBytes, log } = options;
	const paths = await listFiles(options.rejectedFolder);
	const { live } = await readLocks(options.folder, options.owner);
	const sizes = await Promise.all(
		paths.map(
			async (path) => (await stat(path).catch(() => undefined))?.size ?? 0,
		),
	);
	let total = sizes.reduce((sum, size) => sum + size, 0);
	const room = rejectedBytes - 2 * (rejectedBytes / REJECTED_SHARE);
	for (const [at, path] of paths.entries()) {
		if (total <= room) return;
		const writer = logOf(basename(path));
		if (writer !== log && live.has(writer)) continue;
		await unlink(path).catch(() => {});
		total -= sizes[at] ?? 0;
	}
}

function folderFault(folder: string, cause: unknown): Fault {
	return new Fault("file-failed", {
		what: `captures cannot be kept in ${folder}`,
		why: cause instanceof Error ? cause.message : String(cause),
		next: "name a folder that can be written to: --captures DIR",
		cause,
	});
}
