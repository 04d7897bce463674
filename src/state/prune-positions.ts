// Removes the positions that nobody has used for a long time: each subscription ever followed leaves files behind.
import { readdir, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Owner, takeLock } from "./lock.ts";
import { Places } from "./places.ts";
import { POSITION_NAME, positionsFolder } from "./position-file.ts";

const DAY_MS = 24 * 3_600_000;
/** How long a position stays that nobody uses. */
export const UNUSED_DAYS = 180;
/** Each is an open file. */
const MOST_AT_ONCE = 8;

export interface PruneOptions {
	/** The state folder. */
	folder: string;
	owner: Owner;
	now: () => number;
	randomBytes: (size: number) => Buffer;
}

/**
 * Removes the positions whose files were all left alone for `UNUSED_DAYS`, and says how many; one that somebody has
 * (lock.ts) stays. Looks once a day at most, by a mark in the folder. Never throws: what cannot be removed stays.
 */
export async function prunePositions(options: PruneOptions): Promise<number> {
	const folder = positionsFolder(options.folder);
	const now = options.now();
	try {
		if (!(await isDue(join(folder, "pruned"), now))) return 0;
		const places = new Places(MOST_AT_ONCE);
		const groups = [...groupByPosition(await readdir(folder))];
		const removed = await Promise.all(
			groups.map(([name, files]) =>
				places.run(() => {
					const paths = files.map((file) => join(folder, file));
					const lock = join(folder, `${name}.lock`);
					// A file of its may go meanwhile: that one stays, the others are looked at.
					return removeUnused(paths, { ...options, lock, now }).catch(
						() => false,
					);
				}),
			),
		);
		return removed.filter(Boolean).length;
	} catch {
		return 0;
	}
}

/**
 * Whoever writes the mark looks; two at once do no harm. After a long time without a look there is none yet: it may be the
 * clock that is wrong, and would make everything seem old.
 */
async function isDue(mark: string, now: number): Promise<boolean> {
	const at = await stat(mark).catch(() => undefined);
	const sinceMs = at ? now - at.mtimeMs : Number.POSITIVE_INFINITY;
	if (sinceMs >= 0 && sinceMs < DAY_MS) return false;
	await writeFile(mark, "", { mode: 0o600 });
	await utimes(mark, now / 1000, now / 1000);
	return sinceMs >= 0 && sinceMs < UNUSED_DAYS * DAY_MS;
}

/** A position's files, those that were set aside or left by a crash among them, by its name. */
function groupByPosition(files: readonly string[]): Map<string, string[]> {
	const groups = new Map<string, string[]>();
	for (const file of files) {
		const name = POSITION_NAME.exec(file)?.[1];
		if (name === undefined) continue;
		const group = groups.get(name) ?? [];
		group.push(file);
		groups.set(name, group);
	}
	return groups;
}

async function removeUnused(
	paths: readonly string[],
	{
		lock,
		owner,
		now,
		randomBytes,
	}: Pick<PruneOptions, "owner" | "randomBytes"> & {
		lock: string;
		now: number;
	},
): Promise<boolean> {
	const kept = paths.filter((path) => path !== lock);
	if (!(await areUnused(paths, now))) return false;
	const unique = randomBytes(6).toString("hex");
	const held = await takeLock(lock, owner, { unique });
	if (!held) return false;
	try {
		// Somebody may have been quicker with the lock, and be gone again.
		if (!(await areUnused(kept, now))) return false;
		await Promise.all(kept.map((path) => unlink(path)));
		return true;
	} finally {
		await held.release();
	}
}

async function areUnused(
	paths: readonly string[],
	now: number,
): Promise<boolean> {
	const times = await Promise.all(
		paths.map(async (path) => (await stat(path)).mtimeMs),
	);
	return Math.max(...times) < now - UNUSED_DAYS * DAY_MS;
}
