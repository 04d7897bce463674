// Lines that many wait for, written in groups: one write and one disk sync serve all that have gathered meanwhile.
import { Fault } from "../faults/index.ts";
import { type OpenDisk, openSegment, type Segment } from "./segment.ts";

export interface LineStoreOptions {
	/** The path of the next file; never the same twice. */
	nextPath: () => string;
	/** A file that has reached this is left for a new one. */
	segmentBytes: number;
	/** Lines that wait beyond this are refused at once, so that a slow disk cannot fill the memory. */
	mostWaitingBytes: number;
	/** False: lines are written but not waited for to reach the disk. */
	sync: boolean;
	openDisk: OpenDisk;
	/** Called before each new file but the first. */
	beforeRotation?: () => Promise<void>;
}

export interface LineStore {
	/** Resolves once the line is kept; rejects with a `file-failed` fault where it is not, and then it is not in the file. */
	append(line: Buffer): Promise<void>;
	/** The path of the file that is written now, and how much is in it. */
	readonly current: { path: string; size: number };
	/** Waits for what was appended, then closes; later appends are refused. */
	close(): Promise<void>;
}

interface Waiting {
	line: Buffer;
	resolve: () => void;
	reject: (fault: Fault) => void;
}

const BATCH_BYTES = 8 * 1024 * 1024;

/** Opens a store with its first file. Throws `file-failed` where that cannot be made. */
export async function openLineStore(
	options: LineStoreOptions,
): Promise<LineStore> {
	return new GroupedStore(options, await makeSegment(options));
}

class GroupedStore implements LineStore {
	readonly #options: LineStoreOptions;
	#segment: Segment;
	#waiting: Waiting[] = [];
	#waitingBytes = 0;
	#draining: Promise<void> | undefined;
	#isClosed = false;

	constructor(options: LineStoreOptions, segment: Segment) {
		this.#options = options;
		this.#segment = segment;
	}

	get current() {
		return { path: this.#segment.path, size: this.#segment.size };
	}

	append(line: Buffer): Promise<void> {
		if (this.#isClosed) return Promise.reject(refused("it is closed"));
		if (this.#waitingBytes + line.length > this.#options.mostWaitingBytes)
			return Promise.reject(
				refused(`${this.#waitingBytes} bytes wait for the disk already`),
			);
		return new Promise((resolve, reject) => {
			this.#waiting.push({ line, resolve, reject });
			this.#waitingBytes += line.length;
			this.#draining ??= this.#drain();
		});
	}

	async close(): Promise<void> {
		if (this.#isClosed) return;
		this.#isClosed = true;
		await this.#draining;
		await this.#segment.close();
	}

	async #drain(): Promise<void> {
		// All that arrives in this turn of the loop goes into the first group.
		await new Promise((resolve) => setImmediate(resolve));
		while (this.#waiting.length > 0) {
			const batch = this.#takeBatch();
			try {
				await this.#write(batch);
				for (const { resolve } of batch) resolve();
			} catch (error) {
				const fault = storeFault(this.#segment.path, error);
				for (const { reject } of batch) reject(fault);
			}
			for (const { line } of batch) this.#waitingBytes -= line.length;
		}
		this.#draining = undefined;
	}

	#takeBatch(): Waiting[] {
		let bytes = 0;
		const tooMany = this.#waiting.findIndex(({ line }, at) => {
			bytes += line.length;
			return at > 0 && bytes > BATCH_BYTES;
		});
		return this.#waiting.splice(0, tooMany < 0 ? Infinity : tooMany);
	}

	async #write(batch: Waiting[]): Promise<void> {
		const { beforeRotation, segmentBytes } = this.#options;
		if (this.#segment.isBroken || this.#segment.size >= segmentBytes) {
			await beforeRotation?.();
			const last = this.#segment;
			this.#segment = await makeSegment(this.#options);
			// Its lines are on disk already; a failing close changes nothing.
			await last.close().catch(() => {});
		}
		await this.#segment.commit(Buffer.concat(batch.map(({ line }) => line)));
	}
}

function makeSegment({ nextPath, sync, openDisk }: LineStoreOptions) {
	const path = nextPath();
	return openSegment({ path, sync, openDisk }).catch((error: unknown) => {
		throw storeFault(path, error);
	});
}

function storeFault(path: string, error: unknown): Fault {
	if (error instanceof Fault) return error;
	return new Fault("file-failed", {
		what: `captures cannot be written to ${path}`,
		why: error instanceof Error ? error.message : String(error),
		next: "make room there, or name another folder with --captures DIR",
		cause: error,
	});
}

function refused(why: string): Fault {
	return new Fault("file-failed", {
		what: "the capture store takes no more",
		why,
	});
}
