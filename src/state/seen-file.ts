// The ids of the events shown lately, one JSON text a line: appended without a wait, and written anew, shorter, from time
// to time. A kill of the process keeps them; a crash of the machine may lose the last ones, which then come again.
import {
	appendFileSync,
	readFileSync,
	renameSync,
	writeFileSync,
} from "node:fs";
import { notKept, unlinkQuietly } from "./durable-file.ts";

export interface SeenFile {
	/** What it held when it was opened, oldest first. */
	readonly ids: readonly string[];
	/** Throws `file-failed`. */
	add(eventIds: readonly string[]): void;
}

export interface SeenFileOptions {
	/** How many ids are kept; 0: none, and no file. */
	window: number;
	/** Forget what it holds. */
	afresh: boolean;
	/** A name part that no other process has. */
	unique: string;
	/** Told where the file had to be set aside. */
	damaged: (text: string) => void;
}

/** It is written anew when it has grown to so many times the window. */
const GROWTH = 2;
/** A longer id is not kept: a server chooses the length. Such an event may come twice after a restart. */
const LONGEST_ID = 1_000;
const MOST_BYTES = 256 * 1024 * 1024;

/** Opens the file, made where there is none. Throws `file-failed`. */
export function openSeenFile(path: string, options: SeenFileOptions): SeenFile {
	const { window, unique, afresh } = options;
	if (window === 0) {
		unlinkQuietly(path);
		return { ids: [], add: () => {} };
	}
	const ids = afresh ? [] : readIds(path, options).slice(-window);
	let recent = [...ids];
	let lines = ids.length;
	rewrite(path, recent, unique);
	return {
		ids,
		add(eventIds) {
			const kept = eventIds.filter((id) => id.length <= LONGEST_ID);
			if (kept.length === 0) return;
			for (const id of kept) recent.push(id);
			lines += kept.length;
			try {
				if (lines <= window * GROWTH) {
					// Not held open: a thousand subscriptions would need as many descriptors.
					appendFileSync(path, textOf(kept), { mode: 0o600 });
					return;
				}
				recent = recent.slice(-window);
				rewrite(path, recent, unique);
				lines = recent.length;
			} catch (cause) {
				// A part may have been written: the next time all of it is written anew.
				lines = Number.POSITIVE_INFINITY;
				throw notKept("state", path, cause);
			}
		},
	};
}

const textOf = (ids: readonly string[]) =>
	ids.map((id) => `${JSON.stringify(id)}\n`).join("");

function rewrite(path: string, ids: readonly string[], unique: string): void {
	const draft = `${path}.${unique}.tmp`;
	try {
		writeFileSync(draft, textOf(ids), { mode: 0o600 });
		renameSync(draft, path);
	} catch (cause) {
		unlinkQuietly(draft);
		throw notKept("state", path, cause);
	}
}

/** What is whole; a line that a crash has cut off is none, and one that is no id sets the file aside. */
function readIds(path: string, { unique, damaged }: SeenFileOptions): string[] {
	let bytes: Buffer;
	try {
		bytes = readFileSync(path);
	} catch {
		return [];
	}
	const lines =
		bytes.length > MOST_BYTES
			? [""]
			: bytes.toString("utf8").split("\n").slice(0, -1);
	const ids = lines.map(parseId);
	const whole = ids.filter((id) => id !== undefined);
	if (whole.length === ids.length) return whole;
	const aside = `${path}.damaged-${unique}`;
	try {
		renameSync(path, aside);
	} catch (cause) {
		throw notKept("state", path, cause);
	}
	damaged(
		`${path} is damaged; it was set aside as ${aside}: events shown before may come again`,
	);
	return whole;
}

function parseId(line: string): string | undefined {
	try {
		const value: unknown = JSON.parse(line);
		return typeof value === "string" ? value : undefined;
	} catch {
		return undefined;
	}
}
