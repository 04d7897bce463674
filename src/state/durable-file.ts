// What makes a private file outlive a crash of the machine, and what is said where that cannot be had.
import { unlinkSync } from "node:fs";
import { open } from "node:fs/promises";
import { Fault } from "../faults/index.ts";

const PRIVATE_FILE = 0o600;

/** Writes a file that is not there yet, for its owner alone; it is on disk once this resolves. */
export async function writeDurably(path: string, text: string): Promise<void> {
	const handle = await open(path, "wx", PRIVATE_FILE);
	try {
		await handle.writeFile(text);
		await handle.sync();
	} finally {
		await handle.close();
	}
}

/** Without this a crash of the machine can bring the old names back. Some systems cannot sync a folder. */
export async function syncFolder(folder: string): Promise<void> {
	const handle = await open(folder, "r").catch(() => undefined);
	await handle?.sync().catch(() => {});
	await handle?.close();
}

/** Removes a file that may be gone already, or that others may remove too. Never throws. */
export function unlinkQuietly(path: string): void {
	try {
		unlinkSync(path);
	} catch {
		// Nobody needs it.
	}
}

/** `file-failed`: `what` cannot be kept in `path`; a fault that was thrown before stays as it is. */
export function notKept(what: string, path: string, cause: unknown): Fault {
	if (cause instanceof Fault) return cause;
	return new Fault("file-failed", {
		what: `${what} cannot be kept in ${path}`,
		why: cause instanceof Error ? cause.message : String(cause),
		next: "make room there, or name another folder: --state DIR",
		cause,
	});
}
