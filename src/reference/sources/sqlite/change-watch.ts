// Signs of a change in a database's files: their times and sizes, and what the system tells of the folder. They only
// say when to ask SQLite.
import { type BigIntStats, statSync, watch } from "node:fs";
import { basename, dirname } from "node:path";
import type { Clock } from "../../clock.ts";

/** A writer's commits come in bursts: after a sign the others of so long are taken with it. */
const SETTLE_MS = 20;
const COMPANIONS = ["", "-wal", "-journal"];

/** undefined: there is none, or none that we may look at. */
export function statFile(path: string): BigIntStats | undefined {
	try {
		return statSync(path, { bigint: true, throwIfNoEntry: false });
	} catch {
		return undefined;
	}
}

/** Text that is another when the database, its log or its journal was written, made or replaced. */
export function readSignature(file: string): string {
	return COMPANIONS.map((suffix) => {
		const facts = statFile(file + suffix);
		return facts && `${facts.ino} ${facts.size} ${facts.mtimeNs}`;
	}).join("/");
}

/** Calls `act` soon after something happened to the files; returns the way to stop it. */
export function openChangeWatch(
	file: string,
	clock: Clock,
	act: () => void,
): () => void {
	const names = new Set(COMPANIONS.map((suffix) => basename(file) + suffix));
	let cancel: (() => void) | undefined;
	const settle = () => {
		cancel ??= clock.setTimer(() => {
			cancel = undefined;
			act();
		}, SETTLE_MS);
	};
	const watcher = watchFolder(dirname(file), (name) => {
		if (name === null || names.has(name)) settle();
	});
	return () => {
		watcher?.close();
		cancel?.();
	};
}

/** undefined where the folder cannot be watched: the intervals do it then. */
function watchFolder(folder: string, act: (name: string | null) => void) {
	try {
		const watcher = watch(folder, { persistent: false });
		watcher.on("change", (_kind, name) =>
			act(name === null ? null : String(name)),
		);
		watcher.on("error", () => watcher.close());
		return watcher;
	} catch {
		return undefined;
	}
}
