// Follows a path as `tail -F` does: what stands there now, what stood there before a rotation, and where lines may be
// lost. Watching wakes it early; looking every so often is what it relies on.
import { type FSWatcher, watch } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { type Clock, repeat } from "../clock.ts";
import { createWakers } from "../wakers.ts";
import { type Generation, markSize } from "./generation.ts";
import { oneAtATime } from "./one-at-a-time.ts";

export interface FollowOptions {
	path: string;
	clock: Clock;
	intervalMs: number;
	note: (text: string) => void;
}

/** An old file is held so long for those who still read in it… */
const KEEP_SEALED_MS = 5 * 60_000;
/** …and no more of them than this. */
const MAX_GENERATIONS = 4;
/** A writer goes on in the old file for a moment after a rotation: so many intervals must pass without a byte. */
const SEAL_AFTER_INTERVALS = 2;

/** Follows until closed. The path need not lead to a file yet. */
export async function followFile(
	options: FollowOptions,
): Promise<FollowedFile> {
	const followed = new FollowedFile(options);
	await followed.start();
	return followed;
}

export class FollowedFile {
	readonly #options: FollowOptions;
	readonly #wakers = createWakers();
	readonly #looker = oneAtATime(() => this.#lookAndTell());
	readonly #generations: Generation[] = [];
	#first: Generation | undefined;
	#startedEmpty = false;
	#lastTrouble = "";
	#stop = () => {};

	constructor(options: FollowOptions) {
		this.#options = options;
	}

	async start(): Promise<void> {
		const { clock, intervalMs, path } = this.#options;
		const look = () => void this.#looker.run();
		await this.#looker.run();
		this.#startedEmpty = this.#generations.length === 0;
		const stopTimer = repeat(clock, intervalMs, look);
		const watcher = watchPath(path, look);
		this.#stop = () => {
			stopTimer();
			watcher?.close();
		};
	}

	/** What can be read, oldest first; the last is what stands, or stood last, at the path. Empty: nothing yet. */
	get generations(): readonly Generation[] {
		return this.#generations;
	}

	/** The file that came where there was none at the start. */
	get firstOfAll(): Generation | undefined {
		return this.#startedEmpty ? this.#first : undefined;
	}

	/** Looks now; who asks during a look shares the next one. */
	look(): Promise<void> {
		return this.#looker.run();
	}

	watch(wake: () => void): () => void {
		return this.#wakers.add(wake);
	}

	async close(): Promise<void> {
		this.#stop();
		await this.#looker.stop();
		for (const file of this.#generations.splice(0)) await file.handle.close();
	}

	async #lookAndTell(): Promise<void> {
		const { path, note } = this.#options;
		try {
			await this.#look();
			this.#lastTrouble = "";
		} catch (error) {
			const trouble = error instanceof Error ? error.message : String(error);
			if (trouble !== this.#lastTrouble)
				note(`cannot follow ${path}: ${trouble}`);
			this.#lastTrouble = trouble;
		}
	}

	async #look(): Promise<void> {
		const facts = await statOrNothing(this.#options.path);
		const current = this.#generations.at(-1);
		let changed = false;
		for (const file of [...this.#generations])
			changed = (await this.#grow(file)) || changed;
		if (facts && !(current && isSame(current, facts))) {
			// Before it is opened: a named pipe would wait for a writer.
			if (!facts.isFile()) throw new Error("it is no regular file");
			await this.#adopt();
			changed = true;
		}
		changed = this.#sealQuiet() || changed;
		await this.#dropOld();
		if (changed) this.#wakers.wakeAll();
	}

	/** Sees how much there is; true where something changed. */
	async #grow(file: Generation): Promise<boolean> {
		const { size } = await file.handle.stat();
		if (size === file.size) return false;
		if (size < file.size) await this.#tellTruncation(file, size);
		else if (file.sealedAt !== undefined) this.#tellLateGrowth(file, size);
		else {
			file.quietSince = this.#options.clock.now();
			markSize(file, size, file.quietSince);
		}
		return true;
	}

	async #tellTruncation(file: Generation, size: number): Promise<void> {
		const { clock, note, path } = this.#options;
		note(`${path} was truncated; lines may have been lost`);
		// What stood before it would come again to all whose place in this one is gone.
		for (const other of this.#generations.splice(0))
			if (other === file) this.#generations.push(other);
			else await other.handle.close();
		file.cut = Math.max(clock.now(), file.cut + 1);
		file.formerCuts.clear();
		file.marks.length = 0;
		markSize(file, size, clock.now());
	}

	/** Lines came into a file that all have left: they are lost, and whoever reads on is told. */
	#tellLateGrowth(file: Generation, size: number): void {
		const { clock, note, path } = this.#options;
		note(
			`${path}: lines written to the old file long after its rotation were lost`,
		);
		file.size = size;
		const next = this.#generations[this.#generations.indexOf(file) + 1];
		if (!next) return;
		next.formerCuts.add(next.cut);
		next.cut = Math.max(clock.now(), next.cut + 1);
	}

	async #adopt(): Promise<void> {
		const { clock, path } = this.#options;
		const handle = await open(path, "r");
		const facts = await handle.stat({ bigint: true });
		const file = newGeneration(handle, facts);
		// Lines that stood there before were written at this time at the latest.
		const written = Math.min(Number(facts.mtimeMs), clock.now());
		markSize(file, Number(facts.size), written);
		const left = this.#generations.at(-1);
		if (left) left.quietSince = clock.now();
		this.#first ??= file;
		this.#generations.push(file);
	}

	#sealQuiet(): boolean {
		const { clock, intervalMs } = this.#options;
		const latest = clock.now() - SEAL_AFTER_INTERVALS * intervalMs;
		const quiet = this.#generations
			.slice(0, -1)
			.filter(
				(file) => file.sealedAt === undefined && file.quietSince <= latest,
			);
		for (const file of quiet) file.sealedAt = clock.now();
		return quiet.length > 0;
	}

	async #dropOld(): Promise<void> {
		const earliest = this.#options.clock.now() - KEEP_SEALED_MS;
		const isStale = (file: Generation | undefined) =>
			file?.sealedAt !== undefined && file.sealedAt < earliest;
		while (
			this.#generations.length > MAX_GENERATIONS ||
			isStale(this.#generations[0])
		)
			await this.#generations.shift()?.handle.close();
	}
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
