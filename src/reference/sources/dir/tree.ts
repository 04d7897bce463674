// Keeps what has been told of a folder, and tells each difference once it has been quiet for a while.
import { realpath, stat } from "node:fs/promises";
import { type Clock, repeat } from "../../clock.ts";
import { oneAtATime } from "../one-at-a-time.ts";
import { type Entry, lookAt, type Trouble, walk } from "./entry.ts";
import { createSettling } from "./settling.ts";
import { type FolderWatch, watchFolder } from "./watch-folder.ts";

export interface Difference {
	path: string;
	before: Entry | undefined;
	after: Entry | undefined;
}

export interface TreeOptions {
	root: string;
	clock: Clock;
	isIgnored: (path: string) => boolean;
	settleMs: number;
	lookEveryMs: number;
	maxEntries: number;
	tell: (difference: Difference) => void;
	/** The folder is away, or another took its place. */
	tellGone: () => void;
	/** It is watched again: something may have been missed. */
	tellBack: () => void;
	trouble: Trouble;
}

/** How often the folder itself is looked at. */
const ROOT_EVERY_MS = 1_000;
/** A look at everything may take this share of the time. */
const LOOK_SHARE = 20;

/** Watches until closed; what stands there at the start is not told. */
export async function openTree(
	options: TreeOptions,
): Promise<{ close(): Promise<void> }> {
	const tree = new Tree(options);
	await tree.start().catch(async (error) => {
		await tree.close();
		throw error;
	});
	return tree;
}

class Tree {
	readonly #options: TreeOptions;
	readonly #told = new Map<string, Entry>();
	readonly #settling;
	readonly #checker = oneAtATime(() => this.#check());
	#watch: FolderWatch | undefined;
	#identity: string | undefined;
	#nextLookAt = 0;
	#stopTimer = () => {};

	constructor(options: TreeOptions) {
		this.#options = options;
		const { clock, settleMs, trouble } = options;
		this.#settling = createSettling(clock, settleMs, (paths) =>
			this.#compare(paths).catch((error) => trouble("", error)),
		);
	}

	async start(): Promise<void> {
		const { root, clock } = this.#options;
		this.#identity = await identityOf(root);
		await this.#openWatch();
		for await (const [path, entry] of this.#walk(""))
			if (this.#hasRoom()) this.#told.set(path, entry);
		this.#planLook(0);
		this.#stopTimer = repeat(clock, ROOT_EVERY_MS, () => this.#checkSoon());
	}

	async close(): Promise<void> {
		this.#stopTimer();
		await this.#checker.stop();
		await this.#watch?.close();
		await this.#settling.stop();
	}

	#checkSoon(): void {
		const { trouble } = this.#options;
		this.#checker.run().catch((error) => trouble("", error));
	}

	/** Is the folder still the one that is watched? And is it time to look at everything? */
	async #check(): Promise<void> {
		const { root, clock, tellGone, tellBack } = this.#options;
		const identity = await identityOf(root);
		if (this.#identity !== undefined && identity !== this.#identity) {
			await this.#watch?.close();
			this.#watch = undefined;
			this.#identity = undefined;
			tellGone();
			for (const path of this.#told.keys()) this.#settling.touch(path);
		}
		if (identity !== undefined && this.#identity === undefined) {
			this.#identity = identity;
			// Before anything that is found in it.
			tellBack();
			await this.#openWatch();
			this.#nextLookAt = 0;
		}
		if (this.#identity === undefined || clock.now() < this.#nextLookAt) return;
		await this.#look();
	}

	async #openWatch(): Promise<void> {
		const { root, isIgnored, trouble } = this.#options;
		const touched = (path: string) => {
			if (path === "") this.#checkSoon();
			else this.#settling.touch(path);
		};
		this.#watch = await watchFolder({ root, isIgnored, touched, trouble });
	}

	async #look(): Promise<void> {
		const { clock } = this.#options;
		const startedAt = clock.now();
		const seen = new Set<string>();
		for await (const [path, entry] of this.#walk("")) {
			seen.add(path);
			if (isChanged(this.#told.get(path), entry)) this.#settling.touch(path);
		}
		for (const path of this.#told.keys())
			if (!seen.has(path)) this.#settling.touch(path);
		this.#planLook(clock.now() - startedAt);
	}

	#planLook(tookMs: number): void {
		const { clock, lookEveryMs } = this.#options;
		this.#nextLookAt = clock.now() + Math.max(lookEveryMs, tookMs * LOOK_SHARE);
	}

	#walk(from: string) {
		const { root, isIgnored, trouble } = this.#options;
		return walk({ root, from, isIgnored, trouble });
	}

	#hasRoom(): boolean {
		const { maxEntries, trouble } = this.#options;
		if (this.#told.size < maxEntries) return true;
		const text = `it holds more than ${maxEntries} entries; the rest is left out`;
		trouble("", new Error(text));
		return false;
	}

	/** Holds paths that have settled against what was told of them. */
	async #compare(paths: readonly string[]): Promise<void> {
		const goneFolders = new Set<string>();
		for await (const [path, after] of lookAt(this.#options.root, paths)) {
			const before = this.#told.get(path);
			if (after === "unknown" || !isChanged(before, after)) continue;
			this.#tell({ path, before, after });
			if (before?.kind === "folder") goneFolders.add(path);
			if (after?.kind === "folder")
				for await (const [inside] of this.#walk(path))
					if (!this.#told.has(inside)) this.#settling.touch(inside);
		}
		if (goneFolders.size === 0) return;
		for (const path of this.#told.keys())
			if (isBelow(path, goneFolders)) this.#settling.touch(path);
	}

	#tell(difference: Difference): void {
		const { path, before, after } = difference;
		if (!before && !this.#hasRoom()) return;
		if (after) this.#told.set(path, after);
		else this.#told.delete(path);
		this.#options.tell(difference);
	}
}

/** A folder changes with everything in it, which is told by itself. */
function isChanged(before: Entry | undefined, after: Entry | undefined) {
	if (!before || !after) return before !== after;
	if (before.kind !== after.kind) return true;
	if (after.kind === "folder") return false;
	return (
		before.sizeBytes !== after.sizeBytes ||
		before.modifiedAtMs !== after.modifiedAtMs ||
		before.inode !== after.inode
	);
}

function isBelow(path: string, folders: ReadonlySet<string>): boolean {
	for (
		let at = path.lastIndexOf("/");
		at > 0;
		at = path.lastIndexOf("/", at - 1)
	)
		if (folders.has(path.slice(0, at))) return true;
	return false;
}

/** Which folder stands there; undefined for none. A link in its place is none: it could lead anywhere. */
async function identityOf(root: string): Promise<string | undefined> {
	try {
		const facts = await stat(root);
		if (!facts.isDirectory() || (await realpath(root)) !== root)
			return undefined;
		return `${facts.dev}-${facts.ino}-${facts.birthtimeMs}`;
	} catch {
		return undefined;
	}
}
