// One file that grows by whole lines. What `commit` has promised is on disk; what it refused is not in the file.
import { writeSync } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { dirname } from "node:path";

/** The part of a file handle that a segment uses; tests put a failing disk in its place. */
export interface Disk
	extends Pick<FileHandle, "datasync" | "truncate" | "close"> {
	/** Writes bytes from `offset` on, at `position` of the file; returns how many it took. Throws what the disk says. */
	write(bytes: Buffer, offset: number, position: number): number;
}

export type OpenDisk = (path: string) => Promise<Disk>;

export interface Segment {
	readonly path: string;
	readonly size: number;
	/** True once nothing can be said any more about what the file holds: go on in another one. */
	readonly isBroken: boolean;
	/** Writes lines and, unless `sync` is false, waits until they are on disk. Throws what the disk says. */
	commit(lines: Buffer): Promise<void>;
	close(): Promise<void>;
}

const PRIVATE = 0o600;

/** Makes a file that nobody else has, readable by its owner alone. */
export const createPrivateFile: OpenDisk = async (path) => {
	const file = await open(path, "wx", PRIVATE);
	return {
		// The system takes it into its memory: to have a thread do that takes longer. What waits for the disk is the sync.
		write: (bytes, offset, position) =>
			writeSync(file.fd, bytes, offset, bytes.length - offset, position),
		datasync: () => file.datasync(),
		truncate: (size) => file.truncate(size),
		close: () => file.close(),
	};
};

/** Makes a new file at `path` and makes its name durable. Throws what the disk says, EEXIST included. */
export async function openSegment(options: {
	path: string;
	sync: boolean;
	openDisk: OpenDisk;
}): Promise<Segment> {
	const { path, sync } = options;
	const disk = await options.openDisk(path);
	if (sync)
		await syncFolder(dirname(path)).catch(async (error: unknown) => {
			await disk.close();
			await unlink(path).catch(() => {});
			throw error;
		});
	let size = 0;
	let isBroken = false;

	async function commit(lines: Buffer): Promise<void> {
		let isWritten = false;
		try {
			writeWhole(disk, lines, size);
			isWritten = true;
			if (sync) await disk.datasync();
			size += lines.length;
		} catch (error) {
			// After a failed sync the kernel may have dropped the pages and call the next sync a success.
			const isCut = await truncateBack(disk, size);
			isBroken = isWritten || !isCut;
			throw error;
		}
	}

	return {
		path,
		get size() {
			return size;
		},
		get isBroken() {
			return isBroken;
		},
		commit,
		close: () => disk.close(),
	};
}

/** A write may take less than it was given: a full disk takes what fits before it says so. */
function writeWhole(disk: Disk, bytes: Buffer, position: number) {
	for (let at = 0; at < bytes.length; ) {
		const taken = disk.write(bytes, at, position + at);
		if (taken === 0)
			throw new Error("the disk took nothing and gave no reason");
		at += taken;
	}
}

async function truncateBack(disk: Disk, size: number): Promise<boolean> {
	try {
		await disk.truncate(size);
		return true;
	} catch {
		return false;
	}
}

/** A new file's name is part of its folder: without this a crash of the machine can lose the whole file. */
async function syncFolder(folder: string): Promise<void> {
	let handle: FileHandle | undefined;
	try {
		handle = await open(folder, "r");
		await handle.sync();
	} catch (error) {
		// Some systems have no way to open or sync a folder; where the disk fails, the file's own sync says so.
		const code = error instanceof Error && "code" in error ? error.code : "";
		if (code === "EIO" || code === "ENOSPC") throw error;
	} finally {
		await handle?.close();
	}
}
