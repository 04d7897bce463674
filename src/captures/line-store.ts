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
	const { sync, openDisk, segmentBytes, mostWaitingBytes } = options;
	const makeSegment = () => {
		const path = options.nextPath();
		return openSegment({ path, sync, openDisk }).catch((error: unknown) => {
			throw storeFault(path, error);
		});
	};
	let segment: Segment = await makeSegment();
	let waiting: Waiting[] = [];
	let waitingBytes = 0;
	let draining: Promise<void> | undefined;
	let isClosed = false;

	function append(line: Buffer): Promise<void> {
		if (isClosed) return Promise.reject(refused("it is closed"));
		if (waitingBytes + line.length > mostWaitingBytes)
			return Promise.reject(
				refused(`${waitingBytes} bytes wait for the disk already`),
			);
		return new Promise((resolve, reject) => {
			waiting.push({ line, resolve, reject });
			waitingBytes += line.length;
			draining ??= drain();
		});
	}

	async function drain(): Promise<void> {
		// All that arrives in this turn of the loop goes into the first group.
		await new Promise((resolve) => setImmediate(resolve));
		while (waiting.length > 0) {
			const batch = takeBatch();
			try {
				await writeBatch(batch);
				for (const { resolve } of batch) resolve();
			} catch (error) {
				const fault = storeFault(segment.path, error);
				for (const { reject } of batch) reject(fault);
			}
			for (const { line } of batch) waitingBytes -= line.length;
		}
		draining = undefined;
	}

	function takeBatch(): Waiting[] {
		let bytes = 0;
		const tooMany = waiting.findIndex(({ line }, at) => {
			bytes += line.length;
			return at > 0 && bytes > BATCH_BYTES;
		});
		const batch = tooMany < 0 ? waiting : waiting.slice(0, tooMany);
		waiting = tooMany < 0 ? [] : waiting.slice(tooMany);
		return batch;
	}

	async function writeBatch(batch: Waiting[]): Promise<void> {
		if (segment.isBroken || segment.size >= segmentBytes) {
			await options.beforeRotation?.();
			const next = await makeSegment();
			const last = segment;
			segment = next;
			// Its lines are on disk already; a failing close changes nothing.
			await last.close().catch(() => {});
		}
		await segment.commit(Buffer.concat(batch.map(({ line }) => line)));
	}

	async function close(): Promise<void> {
		if (isClosed) return;
		isClosed = true;
		await draining;
		await segment.close();
	}

	const current = () => ({ path: segment.path, size: segment.size });
	return {
		append,
		close,
		get current() {
			return current();
		},
	};
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
