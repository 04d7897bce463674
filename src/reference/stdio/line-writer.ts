// The one output that all answers and streams of a stdio connection share, and its back-pressure.
import type { Writable } from "node:stream";

export interface LineWriter {
	/** Writes at once; resolves when more may be written, the signal aborts, or the output is gone. */
	write(lines: string, cancelled?: AbortSignal): Promise<void>;
	/** Resolves once the output cannot be written to. */
	readonly failed: Promise<void>;
	/** Takes back its listeners. The output stays open: it is the caller's. */
	close(): void;
}

export function createLineWriter(output: Writable): LineWriter {
	let isGone = false;
	const waiting = new Set<() => void>();
	let tellFailed = () => {};
	const failed = new Promise<void>((resolve) => {
		tellFailed = resolve;
	});
	const wakeAll = () => {
		for (const go of [...waiting]) go();
	};
	const onGone = () => {
		isGone = true;
		tellFailed();
		wakeAll();
	};
	output.on("drain", wakeAll).on("close", onGone).on("error", onGone);

	return {
		failed,
		async write(lines, cancelled) {
			if (isGone || output.write(lines)) return;
			await new Promise<void>((resolve) => {
				const go = () => {
					waiting.delete(go);
					cancelled?.removeEventListener("abort", go);
					resolve();
				};
				waiting.add(go);
				cancelled?.addEventListener("abort", go, { once: true });
			});
		},
		close() {
			// The error listener stays: a late failure of the output must not end the process.
			output.off("drain", wakeAll).off("close", onGone);
		},
	};
}
