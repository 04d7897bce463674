// Where one subscription stands, kept between runs: its last safe cursor, and the ids of the events shown lately. One
// writer at a time, by a lock; a cursor is replaced whole and durably, ids are appended at once and without a wait.
import { createHash } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../faults/index.ts";
import { canonicalJson, isRecord } from "../protocol/index.ts";
import {
	type ReadJsonOptions,
	readJsonFile,
	writeJsonFile,
} from "./json-file.ts";
import { type Lock, lockHolder, type Owner, takeLock } from "./lock.ts";
import { openSeenFile, type SeenFile } from "./seen-file.ts";

/** What tells one position from another. */
export interface PositionKey {
	/** Without credentials. */
	server: string;
	event: string;
	arguments: Record<string, unknown>;
	/** principal.ts */
	principal: string;
}

export interface PositionOptions {
	/** The state folder. */
	folder: string;
	owner: Owner;
	now: () => number;
	randomBytes: (size: number) => Buffer;
	/** Told of each damaged file that was set aside. */
	damaged: (text: string) => void;
	/** How many ids are kept; 0: none. */
	window: number;
	/** Take it over from another process. */
	steal?: boolean | undefined;
	/** Go by nothing that an earlier run has left; it stays until the first save. */
	afresh?: boolean | undefined;
}

export interface SavedPosition {
	/** What an earlier run left; undefined: nothing. Its cursor is undefined where the server never gave one, or it is lost. */
	readonly earlier: { cursor: string | undefined; savedAt: number } | undefined;
	/** When an earlier run saved something that is passed over (`afresh`). */
	readonly passedOver: number | undefined;
	/** The ids of the events shown lately, oldest first. */
	readonly seen: readonly string[];
	/** As of a moment, now by default. Durable when it resolves. Throws `file-failed`, or `taken-over` where another process has it now. */
	save(cursor: string | undefined, atMs?: number): Promise<void>;
	/** At once, and cheap. Throws `file-failed`. */
	addSeen(eventIds: readonly string[]): void;
	/** False once another process has taken it over. */
	isOurs(): Promise<boolean>;
	/** Leaves it to others. Never throws. */
	release(): Promise<void>;
}

/** Opens the position of a subscription. Throws `in-use` where another process has it, and `file-failed`. */
export async function openPosition(
	key: PositionKey,
	options: PositionOptions,
): Promise<SavedPosition> {
	const places = placesOf(key, options.folder);
	const { owner, steal } = options;
	const unique = () => options.randomBytes(6).toString("hex");
	const lock = await takeLock(places.lock, owner, { unique: unique(), steal });
	if (!lock) throw await inUse(key, places.lock);
	try {
		// Without it whoever had it finds out a little later.
		if (steal)
			await writeFile(stealMark(options.folder), unique()).catch(() => {});
		const { damaged, window } = options;
		const reading = { unique: unique(), damaged };
		const saved = await readPosition(places.file, key, reading);
		const earlier = options.afresh ? undefined : saved;
		const seen = openSeenFile(places.seen, {
			window,
			// Ids without a position belong to nothing.
			afresh: earlier === undefined,
			...reading,
		});
		return {
			earlier,
			passedOver: options.afresh ? saved?.savedAt : undefined,
			seen: seen.ids,
			...writing(key, { lock, seen, places, unique, now: options.now }),
		};
	} catch (error) {
		await lock.release();
		throw error;
	}
}

interface Writing {
	lock: Lock;
	seen: SeenFile;
	places: ReturnType<typeof placesOf>;
	unique: () => string;
	now: () => number;
}

function writing(
	key: PositionKey,
	{ lock, seen, places, unique, now }: Writing,
): Omit<SavedPosition, "earlier" | "passedOver" | "seen"> {
	return {
		async save(cursor, atMs = now()) {
			if (!(await lock.isOurs())) throw takenOver(key);
			const value = { ...key, cursor, savedAt: atMs };
			await writeJsonFile(places.file, value, unique());
		},
		addSeen: (eventIds) => seen.add(eventIds),
		isOurs: () => lock.isOurs(),
		async release() {
			await lock.release();
		},
	};
}

/** Where the positions of a state folder are. */
export const positionsFolder = (state: string) => join(state, "positions");

const stealMark = (state: string) => join(positionsFolder(state), "stolen");

/**
 * What changes whenever a position is taken over from a process that may live: one look for all that it holds. Never
 * throws.
 */
export async function readStealMark(folder: string): Promise<string> {
	return readFile(stealMark(folder), "utf8").catch(() => "");
}

const NAME_DIGITS = 32;
/** The names of its files, drafts too, begin with that of the position. */
export const POSITION_NAME = /^\.?([0-9a-f]{32})\./;

function placesOf(key: PositionKey, state: string) {
	const { server, event, principal } = key;
	const text = canonicalJson([server, event, key.arguments, principal]);
	const name = createHash("sha256").update(text).digest("hex");
	const path = join(positionsFolder(state), name.slice(0, NAME_DIGITS));
	return {
		file: `${path}.json`,
		seen: `${path}.seen`,
		lock: `${path}.lock`,
	};
}

/** Of a damaged one it is still known that there was one, and when: what came since is lost, and must be told. */
async function readPosition(
	path: string,
	key: PositionKey,
	reading: ReadJsonOptions,
): Promise<SavedPosition["earlier"]> {
	const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: undefined }));
	let isDamaged = false;
	const saved = await readJsonFile(path, (value) => readSaved(value, key), {
		...reading,
		damaged(text) {
			isDamaged = true;
			reading.damaged(text);
		},
	});
	if (saved || !isDamaged || mtimeMs === undefined) return saved;
	return { cursor: undefined, savedAt: mtimeMs };
}

function readSaved(value: unknown, key: PositionKey): SavedPosition["earlier"] {
	if (!isRecord(value)) return undefined;
	const { server, event, principal, cursor, savedAt } = value;
	const isKey =
		server === key.server &&
		event === key.event &&
		principal === key.principal &&
		canonicalJson(value.arguments) === canonicalJson(key.arguments);
	if (!isKey || typeof savedAt !== "number") return undefined;
	if (cursor === undefined) return { cursor, savedAt };
	return typeof cursor === "string" ? { cursor, savedAt } : undefined;
}

async function inUse({ event }: PositionKey, path: string): Promise<Fault> {
	const holder = (await lockHolder(path)) ?? "somebody else";
	return new Fault("in-use", {
		what: `${event} with these arguments is followed with --resume already`,
		why: `${holder} keeps its position (${path}), and two would overwrite each other's`,
		next: "stop that one first, or take over from it: --resume --steal",
	});
}

export function takenOver({ event }: Pick<PositionKey, "event">): Fault {
	return new Fault("taken-over", {
		what: `${event} was taken over by another process`,
		why: "it was started with --steal, and keeps the position from now on",
		next: "take it back: --resume --steal",
	});
}
