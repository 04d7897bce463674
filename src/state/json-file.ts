// One JSON value in one private file: replaced whole or not at all, and set aside where it cannot be read.
import { mkdir, readFile, rename, unlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { Fault } from "../faults/index.ts";
import { notKept, syncFolder, writeDurably } from "./durable-file.ts";

const PRIVATE_FOLDER = 0o700;
/** State is small; what is larger is none of ours. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Replaces a file by this value, durably: whoever reads it, after a crash too, finds the old value or the new one.
 * `unique` is a name part that no other writer has. Throws `file-failed`.
 */
export async function writeJsonFile(
	path: string,
	value: unknown,
	unique: string,
): Promise<void> {
	const folder = dirname(path);
	const draft = join(folder, `.${basename(path)}.${unique}.tmp`);
	try {
		await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER });
		await writeDurably(draft, `${JSON.stringify(value)}\n`);
		await rename(draft, path);
		await syncFolder(folder);
	} catch (cause) {
		await unlink(draft).catch(() => {});
		throw notKept("state", path, cause);
	}
}

export interface ReadJsonOptions {
	/** For the name that a damaged file is set aside under. */
	unique: string;
	/** Told where a file had to be set aside. */
	damaged: (text: string) => void;
}

/**
 * What `check` makes of a file's value; undefined where there is no file. One that is no JSON, or that `check` gives
 * undefined for, is renamed, so that it is neither lost nor in the way, and told. Throws `file-failed` where a file
 * cannot be read at all.
 */
export async function readJsonFile<T>(
	path: string,
	check: (value: unknown) => T | undefined,
	options: ReadJsonOptions,
): Promise<T | undefined> {
	let text: string;
	try {
		text = await readFile(path, "utf8");
	} catch (cause) {
		if (isMissing(cause)) return undefined;
		throw new Fault("file-failed", {
			what: `state cannot be read from ${path}`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
	const value = text.length > MOST_BYTES ? undefined : parse(text);
	const checked = value === undefined ? undefined : check(value);
	if (checked === undefined) await setAside(path, options);
	return checked;
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

async function setAside(
	path: string,
	{ unique, damaged }: ReadJsonOptions,
): Promise<void> {
	const aside = `${path}.damaged-${unique}`;
	try {
		await rename(path, aside);
	} catch (cause) {
		// Another process was quicker.
		if (isMissing(cause)) return;
		throw new Fault("file-failed", {
			what: `a damaged file cannot be set aside: ${path}`,
			why: cause instanceof Error ? cause.message : String(cause),
			cause,
		});
	}
	damaged(`${path} is damaged; it was set aside as ${aside}`);
}

const isMissing = (cause: unknown) =>
	cause instanceof Error && "code" in cause && cause.code === "ENOENT";
