// The threads that check pieces for `verify`.
import { Worker } from "node:worker_threads";
import { Fault } from "../../faults/index.ts";
import type { CheckedPiece, CheckOrder, Piece } from "./check-piece.ts";

export interface CheckThreads extends AsyncDisposable {
	/** Gives a piece, with its memory, to the thread that has least to do. Rejects where a thread has died, or at a stop. */
	check(piece: Piece): Promise<CheckedPiece>;
}

/** Beside the chunk that this file is built into. */
const THREAD_FILE = new URL("../verify-thread.cjs", import.meta.url);

/** What a thread makes is gone after each piece: a nursery that grows would only keep it for longer. */
const LIMITS = { maxYoungGenerationSizeMb: 16 };

interface Waiting {
	resolve: (checked: CheckedPiece) => void;
	reject: (reason: unknown) => void;
}

interface Thread {
	worker: Worker;
	/** For the pieces that it has, in their order. */
	waiting: Waiting[];
}

/** Starts so many threads. Disposed of, they end at once, whatever they have under way. */
export function openCheckThreads(
	order: CheckOrder,
	options: { threads: number; stop: AbortSignal; file?: URL },
): CheckThreads {
	const { stop, file = THREAD_FILE } = options;
	let end: { reason: unknown } | undefined;
	const endAll = (reason: unknown) => {
		end ??= { reason };
		for (const { waiting } of threads)
			for (const { reject } of waiting.splice(0)) reject(end.reason);
	};
	const threads = Array.from({ length: options.threads }, (): Thread => {
		const worker = new Worker(file, {
			workerData: order,
			resourceLimits: LIMITS,
		});
		const waiting: Waiting[] = [];
		worker.on("message", (checked) => waiting.shift()?.resolve(checked));
		worker.on("error", (error) => endAll(died(error)));
		worker.on("exit", () => endAll(died()));
		return { worker, waiting };
	});
	const stopAll = () => endAll(stop.reason);
	stop.addEventListener("abort", stopAll, { once: true });
	return {
		check: (piece) =>
			new Promise((resolve, reject) => {
				stop.throwIfAborted();
				if (end) return reject(end.reason);
				const { worker, waiting } = threads.reduce((least, thread) =>
					thread.waiting.length < least.waiting.length ? thread : least,
				);
				waiting.push({ resolve, reject });
				worker.postMessage(piece, [piece.bytes.buffer]);
			}),
		async [Symbol.asyncDispose]() {
			stop.removeEventListener("abort", stopAll);
			await Promise.all(threads.map(({ worker }) => worker.terminate()));
		},
	};
}

const died = (cause?: unknown) =>
	new Fault("bug", {
		what: "a thread that checks deliveries has died",
		why:
			cause instanceof Error
				? cause.message
				: "it ended before its work was done",
		next: "check one file at a time, each through stdin: mcp-events verify - < FILE",
		cause,
	});
