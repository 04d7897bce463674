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
	/**
	 * Takes a line with a character for each byte. Resolves once it is kept; rejects with a `file-failed` fault where it
	 * is not, and then it is not in the file.
	 */
	append(line: string): Promise<void>;
	/** The path of the file that is written now, and how much is in it. */
	readonly current: { path: string; size: number };
	/** Waits for what was appended, then closes; later appends are refused. */
	close(): Promise<void>;
}

const BATCH_BYTES = 8 * 1024 * 1024;

/** Lines that are written at a blow. They share one promise: each having its own would cost more than its writing. */
class Group {
	readonly lines: string[] = [];
	bytes = 0;
	readonly kept: Promise<void>;
	resolve: () => void = () => {};
	reject: (fault: Fault) => void = () => {};

	constructor() {
		this.kept = new Promise((resolve, reject) => {
			this.resolve = resolve;
			this.reject = reject;
		});
	}

	hasRoomFor(line: string): boolean {
		return this.bytes === 0 || this.bytes + line.length <= BATCH_BYTES;
	}

	add(line: string): void {
		this.lines.push(line);
		this.bytes += line.length;
	}
}

/** Opens a store with its first file. Throws `file-failed` where that cannot be made. */
export async function openLineStore(
	options: LineStoreOptions,
): Promise<LineStore> {
	return new GroupedStore(options, await makeSegment(options));
}

class GroupedStore implements LineStore {
	readonly #options: LineStoreOptions;
	#segment: Segment;
	#waiting: Group[] = [];
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

	append(line: string): Promise<void> {
		if (this.#isClosed) return Promise.reject(refused("it is closed"));
		if (this.#waitingBytes + line.length > this.#options.mostWaitingBytes)
			return Promise.reject(
				refused(`${this.#waitingBytes} bytes wait for the disk already`),
			);
		let group = this.#waiting.at(-1);
		if (!group?.hasRoomFor(line)) {
			group = new Group();
			this.#waiting.push(group);
		}
		group.add(line);
		this.#waitingBytes += line.length;
		this.#draining ??= this.#drain();
		return group.kept;
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
		for (;;) {
			// No line joins it from here on.
			const group = this.#waiting.shift();
			if (!group) break;
			try {
				await this.#write(group.lines);
				group.resolve();
			} catch (error) {
				group.reject(storeFault(this.#segment.path, error));
			}
			this.#waitingBytes -= group.bytes;
		}
		this.#draining = undefined;
	}

	async #write(lines: readonly string[]): Promise<void> {
		const { beforeRotation, segmentBytes } = this.#options;
		if (this.#segment.isBroken || this.#segment.size >= segmentBytes) {
			await beforeRotation?.();
			const last = this.#segment;
			this.#segment = await makeSegment(this.#options);
			// Its lines are on disk already; a failing close changes nothing.
			await last.close().catch(() => {});
		}
		await this.#segment.commit(Buffer.from(lines.join(""), "latin1"));
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
