// The store on disk: lines are added in groups, each synced before anybody is told that it is kept, and the file is
// written anew when it has grown to several times what it says.
import {
	chmod,
	type FileHandle,
	mkdir,
	open,
	readFile,
	rename,
	unlink,
} from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../../faults/index.ts";
import { syncFolder, writeDurably } from "../../state/index.ts";

const PRIVATE_FILE = 0o600;
const PRIVATE_FOLDER = 0o700;
const LEAST_REWRITE_BYTES = 1024 * 1024;
const REWRITE_RATIO = 3;

interface Waiting {
	text: string;
	resolve: () => void;
	reject: (error: unknown) => void;
}

export interface LogFileOptions {
	path: string;
	/** The file's whole text as of now, all that waits to be added included. */
	wholeText: () => string;
}

/** Append-only between two rewritings. Writes nothing before `rewrite` was called once. */
export class LogFile {
	readonly #options: LogFileOptions;
	#handle: FileHandle | undefined;
	#waiting: Waiting[] = [];
	#working: Promise<void> | undefined;
	#wholeBytes = 0;
	#addedBytes = 0;

	constructor(options: LogFileOptions) {
		this.#options = options;
	}

	/** Resolves once the text is on disk; rejects where it may not be. */
	append(text: string): Promise<void> {
		return new Promise((resolve, reject) => {
			this.#waiting.push({ text, resolve, reject });
			this.#working ??= this.#work();
		});
	}

	/** Replaces the file, durably: whoever reads it, after a crash too, finds the old text or the new one. */
	async rewrite(): Promise<void> {
		const { path } = this.#options;
		// One name for all drafts, so that a crash leaves no litter with secrets in it; the lock keeps others away.
		const draft = `${path}.new`;
		const text = this.#options.wholeText();
		try {
			await unlink(draft).catch(() => {});
			await writeDurably(draft, text);
			// Windows renames over no file that is open.
			await this.#handle?.close();
			this.#handle = undefined;
			await rename(draft, path);
		} catch (error) {
			await unlink(draft).catch(() => {});
			throw error;
		}
		await syncFolder(dirname(path));
		this.#handle = await open(path, "a", PRIVATE_FILE);
		this.#wholeBytes = Buffer.byteLength(text);
		this.#addedBytes = 0;
	}

	/** Waits for what was appended. */
	async close(): Promise<void> {
		await this.#working;
		await this.#handle?.close();
		this.#handle = undefined;
	}

	async #work(): Promise<void> {
		// All that comes in this turn of the loop shares one sync.
		await new Promise((resolve) => setImmediate(resolve));
		while (this.#waiting.length > 0) {
			const batch = this.#waiting;
			this.#waiting = [];
			try {
				await this.#commit(batch.map(({ text }) => text).join(""));
				for (const { resolve } of batch) resolve();
			} catch (error) {
				// The file may end in half a line now: it is written anew before anything is added.
				await this.#handle?.close().catch(() => {});
				this.#handle = undefined;
				for (const { reject } of batch) reject(error);
			}
		}
		this.#working = undefined;
	}

	async #commit(text: string): Promise<void> {
		const most = Math.max(
			LEAST_REWRITE_BYTES,
			REWRITE_RATIO * this.#wholeBytes,
		);
		if (!this.#handle || this.#addedBytes >= most) {
			await this.rewrite();
			return;
		}
		await this.#handle.appendFile(text);
		await this.#handle.datasync();
		this.#addedBytes += Buffer.byteLength(text);
	}
}

/** A file's text, for its owner's eyes alone from now on; undefined where there is none. Throws `file-failed`. */
export async function readPrivateFile(
	path: string,
): Promise<string | undefined> {
	try {
		await mkdir(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
		const text = await readFile(path, "utf8");
		await chmod(path, PRIVATE_FILE);
		return text;
	} catch (cause) {
		if (cause instanceof Error && "code" in cause && cause.code === "ENOENT")
			return undefined;
		throw storeFault(`the store ${path} cannot be read`, cause);
	}
}

/** The `file-failed` fault of a store. */
export function storeFault(what: string, cause: unknown): Fault {
	return new Fault("file-failed", {
		what,
		why: cause instanceof Error ? cause.message : String(cause),
		next: "name a file in a folder that can be written to: --store PATH",
		cause,
	});
}
