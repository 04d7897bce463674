// How much of all streams together is read ahead: events that were read and wait to be shown take several times the memory
// of their bytes, and what a thousand streams bring at once would keep the garbage collector at work.
import type { ReadingGate } from "../session/index.ts";

/** Some full chunks, so that there is always one to be shown; what they become fits into a young generation. */
const MOST_BYTES = 256 * 1024;

export interface Gate extends ReadingGate {
	/** Resolves once what has come is let in; undefined where nothing waits. */
	readonly waiting: Promise<void> | undefined;
}

export class Reading {
	/** Oldest first. */
	readonly #waiting: (() => void)[] = [];
	#bytes = 0;

	/** The gate of one stream. Who has come first is let in first, and whoever is alone at once. */
	openGate(): Gate {
		let held = 0;
		let waiting: Promise<void> | undefined;
		const letIn = (bytes: number) => {
			held = bytes;
			this.#bytes += bytes;
			waiting = undefined;
		};
		return {
			get waiting() {
				return waiting;
			},
			enter: (bytes) => {
				if (this.#bytes < MOST_BYTES) {
					letIn(bytes);
					return undefined;
				}
				waiting = new Promise((resolve) => {
					this.#waiting.push(() => {
						letIn(bytes);
						resolve();
					});
				});
				return waiting;
			},
			leave: () => {
				this.#bytes -= held;
				held = 0;
				while (this.#bytes < MOST_BYTES) {
					const letNext = this.#waiting.shift();
					if (!letNext) return;
					letNext();
				}
			},
		};
	}
}
