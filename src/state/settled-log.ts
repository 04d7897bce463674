// Which events were acted on, or set aside for somebody to look at: one short line each, in two files of bounded length.
// Several processes append to it; none of them ever writes a line anew.
import {
	closeSync,
	fstatSync,
	openSync,
	readFileSync,
	readSync,
	statSync,
} from "node:fs";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { isRecord } from "../protocol/index.ts";
import { type Owner, takeLock } from "./lock.ts";

/** `done`: a command has handled it. `parked`: it was kept for somebody to look at. */
export type SettledHow = "done" | "parked";

export interface SettledEntry {
	/** What stands for the event, of a bounded length. */
	key: string;
	how: SettledHow;
	/** When its command was started; undefined where that was not for it alone, or none was. */
	ranAt: number | undefined;
}

export interface SettledLogOptions {
	owner: Owner;
	/** A name part that no other process has. */
	unique: () => string;
	/** How many are kept at least; twice as many at most. */
	most: number;
}

/** The log at `path`; the one before it at `path` with `.old` behind. Nothing is read before it is asked. */
export class SettledLog {
	readonly #path: string;
	readonly #options: SettledLogOptions;
	#old = new Map<string, SettledEntry>();
	#now = new Map<string, SettledEntry>();
	#inode = 0;
	#readBytes = 0;

	constructor(path: string, options: SettledLogOptions) {
		this.#path = path;
		this.#options = options;
	}

	/** As of this moment, whoever settled it. */
	has(key: string): boolean {
		this.#readOn();
		return this.#now.has(key) || this.#old.has(key);
	}

	/** When commands were started since a moment, as far as it is kept. */
	runsSince(ms: number): number[] {
		this.#readOn();
		const entries = [...this.#old.values(), ...this.#now.values()];
		return entries.flatMap(({ ranAt }) =>
			ranAt !== undefined && ranAt >= ms ? [ranAt] : [],
		);
	}

	/** Durable when it resolves; rejects with what the disk says. */
	async add(entries: readonly SettledEntry[]): Promise<void> {
		await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
		// A line that a crash has cut off must not take the next one with it.
		const text = entries.map((one) => `\n${JSON.stringify(one)}\n`).join("");
		const file = await open(this.#path, "a", 0o600);
		try {
			await file.appendFile(text);
			await file.datasync();
		} finally {
			await file.close();
		}
		this.#readOn();
		if (this.#now.size >= this.#options.most) await this.#rotate();
	}

	/** Under a lock, and only where it is still that long: else the old file would be replaced by a short one. */
	async #rotate(): Promise<void> {
		const { owner, unique } = this.#options;
		const lockPath = `${this.#path}.lock`;
		const lock = await takeLock(lockPath, owner, { unique: unique() });
		if (!lock) return;
		try {
			this.#readOn();
			if (this.#now.size >= this.#options.most)
				await rename(this.#path, `${this.#path}.old`);
		} finally {
			await lock.release();
		}
	}

	/** What others have appended meanwhile, or all of it where the file is another one now. */
	#readOn(): void {
		let file: number;
		try {
			file = openSync(this.#path, "r");
		} catch {
			if (this.#inode !== 0 || this.#old.size === 0) this.#startAgain(0);
			return;
		}
		try {
			const { ino, size } = fstatSync(file);
			if (ino !== this.#inode) this.#startAgain(ino);
			if (size <= this.#readBytes) return;
			const bytes = Buffer.alloc(size - this.#readBytes);
			const length = readSync(file, bytes, 0, bytes.length, this.#readBytes);
			const end = bytes.subarray(0, length).lastIndexOf("\n") + 1;
			this.#readBytes += end;
			readEntries(bytes.subarray(0, end), this.#now);
		} finally {
			closeSync(file);
		}
	}

	#startAgain(inode: number): void {
		this.#inode = inode;
		this.#readBytes = 0;
		this.#now = new Map();
		this.#old = new Map();
		const oldPath = `${this.#path}.old`;
		if (statSync(oldPath, { throwIfNoEntry: false }))
			readEntries(readFileSync(oldPath), this.#old);
	}
}

/** A line that cannot be read is none: its claim was not let go of, and is in doubt. */
function readEntries(bytes: Buffer, entries: Map<string, SettledEntry>): void {
	for (const line of bytes.toString("utf8").split("\n")) {
		const entry = line === "" ? undefined : parseEntry(line);
		if (entry) entries.set(entry.key, entry);
	}
}

function parseEntry(line: string): SettledEntry | undefined {
	try {
		const value: unknown = JSON.parse(line);
		if (!isRecord(value) || typeof value.key !== "string") return undefined;
		const { key, ranAt } = value;
		return {
			key,
			how: value.how === "parked" ? "parked" : "done",
			ranAt: typeof ranAt === "number" ? ranAt : undefined,
		};
	} catch {
		return undefined;
	}
}
