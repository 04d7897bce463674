// The system's word that something happened in a folder. It is a hint and no more: what happened is looked at, and what
// was not heard of is found by looking every so often.
import { basename, join, relative, sep } from "node:path";
import { isRecord } from "../../../protocol/index.ts";
import { codeOf, type Trouble } from "./entry.ts";

export interface FolderWatch {
	close(): Promise<void>;
}

export interface WatchOptions {
	root: string;
	isIgnored: (path: string) => boolean;
	/** A path below root where something happened; "" for root itself. */
	touched: (path: string) => void;
	trouble: Trouble;
}

/** Resolves when all that stands there is watched. */
export async function watchFolder(options: WatchOptions): Promise<FolderWatch> {
	const { root, isIgnored, touched, trouble } = options;
	// Here alone: who serves another source need not load it.
	const { watch } = await import("chokidar");
	const pathOf = (full: string) => relative(root, full).split(sep).join("/");
	const watcher = watch(root, {
		ignoreInitial: true,
		followSymlinks: false,
		atomic: false,
		// Without it every failure to watch would be an error event that nobody hears.
		persistent: true,
		ignored: (full) => full !== root && isIgnored(pathOf(full)),
	});
	const touch = (full: string) => {
		const path = pathOf(full);
		if (path === "" || !isIgnored(path)) touched(path);
	};
	watcher.on("all", (_kind, full) => touch(full));
	// Of two changes within a twentieth of a second the watcher tells one; the system's own word comes for both.
	watcher.on("raw", (_kind, name, details) => {
		const watched = isRecord(details) ? details.watchedPath : undefined;
		if (typeof watched !== "string") return;
		if (watched !== root) touch(watched);
		if (name !== basename(watched)) touch(join(watched, name));
	});
	watcher.on("error", (error) => trouble("", new Error(explain(error))));
	await new Promise<void>((resolve) => watcher.once("ready", resolve));
	return { close: () => watcher.close() };
}

/** Without the path where it is one of thousands: told once, not for each. */
function explain(error: unknown): string {
	const code = codeOf(error);
	if (code === "ENOSPC" || code === "EMFILE")
		return `the system will not watch more files and folders (${code}); the rest is looked at every so often`;
	const why = error instanceof Error ? error.message : String(error);
	return `not all of it can be watched: ${why}`;
}
