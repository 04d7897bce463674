// The folder that captures lie in: whose each file is, what a crash has torn, what may be thrown away. Several
// listeners may share one folder: each writes files of its own, and a lock file says for how long they are in use.
import {
	open,
	readdir,
	readFile,
	stat,
	unlink,
	writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { isRecord } from "../protocol/index.ts";
import { mayLive, type Owner } from "../state/index.ts";

/** A torn last line that was cut off; it was never acknowledged. */
export interface Repair {
	path: string;
	droppedBytes: number;
}

const FILE_NAME = /^(\d{4}-\d\d-\d\dT[\d-]+Z)-([0-9a-f]{8})-(\d{6})\.ndjson$/;
const LOCK_NAME = /^([0-9a-f]{8})\.lock$/;
const PRIVATE = 0o600;
const CHUNK_BYTES = 64 * 1024;
/** A file on a shared disk that has rested so long is not in the middle of a write. */
const RESTED_MS = 10 * 60_000;

/** Logs that are open in this very process: here the process id cannot tell. */
const openHere = new Set<string>();

/** The name of a log's file: names sort by time. */
export function fileName(startMs: number, log: string, count: number): string {
	const time = new Date(startMs).toISOString().replaceAll(/[:.]/g, "-");
	return `${time}-${log}-${String(count).padStart(6, "0")}.ndjson`;
}

/** Marks a log's files as in use until `unlockLog`. `log` is eight hexadecimal digits that nobody else has. */
export async function lockLog(
	folder: string,
	log: string,
	owner: Owner,
): Promise<void> {
	const text = `${JSON.stringify({ pid: owner.pid, host: owner.host })}\n`;
	await writeFile(join(folder, `${log}.lock`), text, {
		flag: "wx",
		mode: PRIVATE,
	});
	openHere.add(log);
}

export async function unlockLog(folder: string, log: string): Promise<void> {
	openHere.delete(log);
	await unlink(join(folder, `${log}.lock`)).catch(() => {});
}

/** The paths of our files in a folder, oldest first. */
export async function listFiles(folder: string): Promise<string[]> {
	const names = await readdir(folder);
	const ours = names.filter((name) => FILE_NAME.test(name)).sort();
	return ours.map((name) => join(folder, name));
}

export interface Locks {
	/** The logs that are being written, or may be. */
	live: ReadonlySet<string>;
	/** The logs whose writer is gone without having unlocked them. */
	stale: readonly string[];
}

/**
 * Reads who writes in a folder. A log is locked before it has a file, so a file that was listed BEFORE this call and
 * is not live now has no writer.
 */
export async function readLocks(folder: string, owner: Owner): Promise<Locks> {
	const live = new Set<string>();
	const stale: string[] = [];
	for (const name of await readdir(folder)) {
		const log = LOCK_NAME.exec(name)?.[1];
		if (log === undefined) continue;
		if (await isLive(join(folder, name), log, owner)) live.add(log);
		else stale.push(log);
	}
	return { live, stale };
}

/** The log that a file belongs to. */
export const logOf = (name: string) => FILE_NAME.exec(name)?.[2] ?? "";

/**
 * Cuts off the torn last line of each file that nobody writes any more. A line is acknowledged only when it is whole
 * and on disk, so nothing acknowledged is lost.
 */
export async function repairFiles(
	paths: readonly string[],
	{ live, nowMs }: { live: ReadonlySet<string>; nowMs: number },
): Promise<Repair[]> {
	const repairs: Repair[] = [];
	for (const path of paths) {
		const isLive = live.has(logOf(basename(path)));
		if (isLive && !(await hasRested(path, nowMs))) continue;
		const droppedBytes = await cutTornLine(path);
		if (droppedBytes > 0) repairs.push({ path, droppedBytes });
	}
	return repairs;
}

async function isLive(
	path: string,
	log: string,
	owner: Owner,
): Promise<boolean> {
	if (openHere.has(log)) return true;
	let value: unknown;
	try {
		value = JSON.parse(await readFile(path, "utf8"));
	} catch {
		// Gone, or not written out yet: in doubt it is in use.
		return true;
	}
	if (!isRecord(value) || typeof value.pid !== "number") return false;
	return mayLive({ pid: value.pid, host: value.host }, owner);
}

async function hasRested(path: string, nowMs: number): Promise<boolean> {
	return nowMs - (await stat(path)).mtimeMs > RESTED_MS;
}

async function cutTornLine(path: string): Promise<number> {
	const handle = await open(path, "r+");
	try {
		const { size } = await handle.stat();
		const end = await endOfLastLine(handle, size);
		if (end === size) return 0;
		await handle.truncate(end);
		await handle.datasync();
		return size - end;
	} finally {
		await handle.close();
	}
}

async function endOfLastLine(
	handle: Awaited<ReturnType<typeof open>>,
	size: number,
): Promise<number> {
	const chunk = Buffer.alloc(CHUNK_BYTES);
	for (let end = size; end > 0; ) {
		const start = Math.max(0, end - CHUNK_BYTES);
		await handle.read(chunk, 0, end - start, start);
		const at = chunk.subarray(0, end - start).lastIndexOf(0x0a);
		if (at >= 0) return start + at + 1;
		end = start;
	}
	return 0;
}
