// What stands at a path of a folder, looked at without following a link anywhere, and the walk over all of it.
import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { lstat, readdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface Entry {
	kind: "file" | "folder" | "link" | "other";
	sizeBytes: number;
	modifiedAtMs: number;
	/** Tells a file from another that was put in its place. */
	inode: number;
}

/** Told of what could not be read, and why. */
export type Trouble = (what: string, error: unknown) => void;

const AT_ONCE = 32;

export const codeOf = (error: unknown) =>
	error instanceof Error && "code" in error ? error.code : undefined;

const isAbsence = (error: unknown) => {
	const code = codeOf(error);
	return code === "ENOENT" || code === "ENOTDIR";
};

/**
 * Looks at paths below `root`, and yields them in their order: undefined where nothing stands, "unknown" where that
 * cannot be told. What can only be reached over a link is not there: it lies outside.
 */
export async function* lookAt(
	root: string,
	paths: readonly string[],
): AsyncGenerator<[path: string, entry: Entry | undefined | "unknown"]> {
	for (let at = 0; at < paths.length; at += AT_ONCE) {
		const some = paths.slice(at, at + AT_ONCE);
		const isOwn = rememberOwn();
		const entries = await Promise.all(
			some.map((path) => lookAtOne(join(root, path), isOwn)),
		);
		for (const [index, entry] of entries.entries())
			yield [some[index] ?? "", entry];
	}
}

async function lookAtOne(
	full: string,
	isOwn: (folder: string) => Promise<boolean>,
): Promise<Entry | undefined | "unknown"> {
	try {
		const stats = await lstat(full);
		return (await isOwn(dirname(full))) ? entryOf(stats) : undefined;
	} catch (error) {
		return isAbsence(error) ? undefined : "unknown";
	}
}

/** Whether a folder is reached without a link; asked once for all that is in it. */
function rememberOwn(): (folder: string) => Promise<boolean> {
	const known = new Map<string, Promise<boolean>>();
	return (folder) => {
		const answer =
			known.get(folder) ?? realpath(folder).then((real) => real === folder);
		known.set(folder, answer);
		return answer;
	};
}

export interface WalkOptions {
	root: string;
	/** Where to begin, below root; "" for all of it. */
	from: string;
	isIgnored: (path: string) => boolean;
	trouble: Trouble;
}

/** Yields every path below `from`, folders before what is in them. What goes away meanwhile is left out. */
export async function* walk(
	options: WalkOptions,
): AsyncGenerator<[path: string, entry: Entry]> {
	const { root, isIgnored } = options;
	const waiting = [options.from];
	for (
		let folder = waiting.pop();
		folder !== undefined;
		folder = waiting.pop()
	) {
		const names = await readNames(folder, options);
		const paths = names
			.map((name) => (folder === "" ? name : `${folder}/${name}`))
			.filter((path) => !isIgnored(path));
		for (let at = 0; at < paths.length; at += AT_ONCE) {
			const some = paths.slice(at, at + AT_ONCE);
			const entries = await Promise.all(
				some.map((path) => lstat(join(root, path)).catch(() => undefined)),
			);
			for (const [index, stats] of entries.entries()) {
				const path = some[index];
				if (!stats || path === undefined) continue;
				const entry = entryOf(stats);
				if (entry.kind === "folder") waiting.push(path);
				yield [path, entry];
			}
		}
	}
}

/** Names in bytes: one that is no UTF-8 would come as another one, which nothing stands at. */
async function readNames(
	folder: string,
	{ root, trouble }: WalkOptions,
): Promise<string[]> {
	try {
		const names = await readdir(join(root, folder), { encoding: "buffer" });
		const readable = names.filter((name) => isUtf8(name));
		if (readable.length < names.length)
			trouble(folder, new Error("it holds names that are not UTF-8"));
		return readable.map((name) => name.toString("utf8"));
	} catch (error) {
		if (!isAbsence(error)) trouble(folder, error);
		return [];
	}
}

function entryOf(stats: Stats): Entry {
	const kind = stats.isFile()
		? "file"
		: stats.isDirectory()
			? "folder"
			: stats.isSymbolicLink()
				? "link"
				: "other";
	return {
		kind,
		sizeBytes: stats.size,
		modifiedAtMs: stats.mtimeMs,
		inode: stats.ino,
	};
}
