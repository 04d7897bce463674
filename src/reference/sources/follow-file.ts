// Follows a path as `tail -F` does: what stands there now, what stood there before a rotation, and where lines may be
// lost. Watching wakes it early; looking every so often is what it relies on.
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type Clock, repeat } from "../clock.ts";
import { createWakers } from "../wakers.ts";
import { type Generation, markSize } from "./generation.ts";

export interface FollowOptions {
	path: string;
	clock: Clock;
	intervalMs: number;
	note: (text: string) => void;
}

export interface FollowedFile {
	/** What can be read, oldest first; the last is what stands, or stood last, at the path. Empty: nothing yet. */
	readonly generations: readonly Generation[];
	/** The file that came where there was none at the start. */
	readonly firstOfAll: Generation | undefined;
	/** Looks now, unless somebody else is just doing so. */
	look(): Promise<void>;
	watch(wake: () => void): () => void;
	close(): Promise<void>;
}

/** An old file is held so long for those who still read in it… */
const KEEP_SEALED_MS = 5 * 60_000;
/** …and no more of them than this. */
const MAX_GENERATIONS = 4;
/** A writer goes on in the old file for a moment after a rotation: so many intervals must pass without a byte. */
const SEAL_AFTER_INTERVALS = 2;

export async function followFile(
	options: FollowOptions,
): Promise<FollowedFile> {
	const { path, clock, note } = options;
	const wakers = createWakers();
	const generations: Generation[] = [];
	let lastTrouble = "";
	let first: Generation | undefined;

	async function lookOnce() {
		const facts = await statOrNothing(path);
		const current = generations.at(-1);
		let changed = false;
		for (const file of [...generations])
			changed = (await grow(file)) || changed;
		if (facts && !(current && isSame(current, facts))) {
			await adopt();
			changed = true;
		}
		changed = sealQuiet() || changed;
		await dropOld();
		if (changed) wakers.wakeAll();
	}

	/** Reads how much there is; true where something changed. */
	async function grow(file: Generation): Promise<boolean> {
		const { size } = await file.handle.stat();
		if (size === file.size) return false;
		const now = clock.now();
		if (size < file.size) {
			note(`${path} was truncated; lines may have been lost`);
			await forgetBut(file);
			file.cut = Math.max(now, file.cut + 1);
			file.formerCuts.clear();
			file.marks.length = 0;
			markSize(file, size, now);
			return true;
		}
		if (file.sealedAt !== undefined) return tellLateGrowth(file, size);
		markSize(file, size, now);
		file.quietSince = now;
		return true;
	}

	/** Lines came into a file that all have left: they are lost, and whoever reads on is told. */
	function tellLateGrowth(file: Generation, size: number): boolean {
		note(
			`${path}: lines written to the old file long after its rotation were lost`,
		);
		file.size = size;
		const next = generations[generations.indexOf(file) + 1];
		if (!next) return false;
		next.formerCuts.add(next.cut);
		next.cut = Math.max(clock.now(), next.cut + 1);
		return true;
	}

	async function adopt() {
		const handle = await open(path, "r");
		const facts = await handle.stat({ bigint: true });
		if (!facts.isFile()) {
			await handle.close();
			throw new Error("it is no regular file");
		}
		const file = newGeneration(handle, facts);
		const written = Math.min(Number(facts.mtimeMs), clock.now());
		markSize(file, Number(facts.size), written);
		const left = generations.at(-1);
		if (left) left.quietSince = clock.now();
		first ??= file;
		generations.push(file);
	}

	function sealQuiet(): boolean {
		const now = clock.now();
		const quiet = generations
			.slice(0, -1)
			.filter(
				(file) =>
					file.sealedAt === undefined &&
					now - file.quietSince >= SEAL_AFTER_INTERVALS * options.intervalMs,
			);
		for (const file of quiet) file.sealedAt = now;
		return quiet.length > 0;
	}

	async function dropOld() {
		const isStale = (file: Generation | undefined) =>
			file?.sealedAt !== undefined &&
			clock.now() - file.sealedAt > KEEP_SEALED_MS;
		while (generations.length > MAX_GENERATIONS || isStale(generations[0]))
			await generations.shift()?.handle.close();
	}

	async function forgetBut(kept: Generation) {
		for (const file of generations.splice(0))
			if (file === kept) generations.push(file);
			else await file.handle.close();
	}

	async function lookAndTell() {
		try {
			await lookOnce();
			lastTrouble = "";
		} catch (error) {
			const trouble = error instanceof Error ? error.message : String(error);
			if (trouble !== lastTrouble) note(`cannot follow ${path}: ${trouble}`);
			lastTrouble = trouble;
		}
	}

	const looker = oneAtATime(lookAndTell);
	await looker.run();
	const startedEmpty = generations.length === 0;
	const stopTimer = repeat(clock, options.intervalMs, looker.run);
	const watcher = watchPath(path, looker.run);
	return {
		generations,
		get firstOfAll() {
			return startedEmpty ? first : undefined;
		},
		look: looker.run,
		watch: wakers.add,
		async close() {
			stopTimer();
			watcher?.close();
			await looker.stop();
			for (const file of generations.splice(0)) await file.handle.close();
		},
	};
}

interface Facts {
	dev: bigint;
	ino: bigint;
	birthtimeMs: bigint;
}

function newGeneration(handle: FileHandle, facts: Facts): Generation {
	return {
		handle,
		identity: `${facts.dev}-${facts.ino}-${facts.birthtimeMs}`,
		cut: 0,
		formerCuts: new Set(),
		size: 0,
		quietSince: 0,
		sealedAt: undefined,
		marks: [],
	};
}

/** The time of birth is left out: some file systems tell the time of the last change in its place. */
const isSame = (file: Generation, facts: Facts) =>
	file.identity.startsWith(`${facts.dev}-${facts.ino}-`);

async function statOrNothing(path: string) {
	try {
		return await stat(path, { bigint: true });
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT")
			return undefined;
		throw error;
	}
}

/** The folder, not the file: a file's own watch goes away with it. undefined where that cannot be watched. */
function watchPath(path: string, act: () => void): FSWatcher | undefined {
	try {
		const name = basename(path);
		const watcher = watch(dirname(path), { persistent: false });
		watcher.on("change", (_kind, changed) => {
			if (changed === null || String(changed) === name) act();
		});
		watcher.on("error", () => watcher.close());
		return watcher;
	} catch {
		return undefined;
	}
}

/** Runs a task by turns: whoever asks during a run shares the next one. */
function oneAtATime(task: () => Promise<void>) {
	let running: Promise<void> | undefined;
	let next: Promise<void> | undefined;
	let isStopped = false;

	function start(): Promise<void> {
		next = undefined;
		running = task().finally(() => {
			running = undefined;
		});
		return running;
	}

	return {
		run(): Promise<void> {
			if (isStopped) return Promise.resolve();
			if (!running) return start();
			next ??= running.then(() => (isStopped ? undefined : start()));
			return next;
		},
		async stop() {
			isStopped = true;
			await next;
			await running;
		},
	};
}
