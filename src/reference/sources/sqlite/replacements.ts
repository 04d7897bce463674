// What became of a file that another took the place of: whether the new one is a copy of it (a backup that was restored,
// the outcome of VACUUM INTO) can be told by its first row, while this server saw both.
import { createHash } from "node:crypto";
import type { Clock } from "../../clock.ts";
import type { OpenDatabase } from "./follow-database.ts";
import { LEAST_KEY, type Place } from "./place.ts";
import { readFirstRow } from "./scan-rows.ts";

export interface Replacements {
	/** Notes what stands there now; inside a read transaction. */
	see(open: OpenDatabase): void;
	/**
	 * Where to go on in the file of now from a place in another: behind the same key in a copy, before all rows of a
	 * database that came while this server looked on, and at the head where it knows nothing of the other file.
	 */
	keyFor(from: Place, now: OpenDatabase, head: bigint): bigint;
}

/** An old file's first row may go any time; a copy of the file is held against it as it was about so long ago. */
const REFRESH_MS = 1_000;
const MAX_FILES = 16;

export function createReplacements({
	clock,
	servesReplacement,
}: {
	clock: Clock;
	servesReplacement: boolean;
}): Replacements {
	const files = new Map<string, { firstRow: string; seenAt: number }>();
	return {
		see({ file, connection, plan }) {
			const known = files.get(file);
			const isFresh = known && clock.now() - known.seenAt < REFRESH_MS;
			if (isFresh && known.firstRow !== "") return;
			const text = readFirstRow(connection, plan);
			const firstRow = createHash("sha256").update(text).digest("base64");
			files.delete(file);
			files.set(file, {
				firstRow: text === "" ? "" : firstRow,
				seenAt: clock.now(),
			});
			for (const oldest of files.keys())
				if (files.size > MAX_FILES) files.delete(oldest);
		},
		keyFor(from, now, head) {
			const old = files.get(from.file);
			if (!old) return head;
			const isCopy =
				old.firstRow !== "" && old.firstRow === files.get(now.file)?.firstRow;
			if (!isCopy) return servesReplacement ? LEAST_KEY : head;
			const isBeyond = from.key > head;
			return isBeyond ? head : from.key;
		},
	};
}
