// What waits in this process for the consumers of one pipe, summed up as it changes: with a thousand streams there is no
// time to look at each of them for every chunk.

/** A consumer this far behind stops the reading, unless somebody waits for an answer. */
const BEHIND_BYTES = 1024 * 1024;
/** A consumer this far behind stops the reading whoever waits: memory comes before an answer, which may time out. */
const FAR_BEHIND_BYTES = 16 * 1024 * 1024;
/** The same for all of them together: many that are a little behind hold as much memory as one that is far. */
const ALL_BEHIND_BYTES = 8 * 1024 * 1024;
const ALL_FAR_BEHIND_BYTES = 64 * 1024 * 1024;

/** What one exchange has in it. */
export interface Share {
	readonly bytes: number;
	setBytes(bytes: number): void;
	/** Its consumer waits for an answer, and may be unable to go on before. */
	await(): void;
	/** It has come, or is awaited no longer. */
	answered(): void;
	/** Takes all of it away. */
	close(): void;
}

export class Backlog {
	#bytes = 0;
	#behind = 0;
	#farBehind = 0;
	#awaited = 0;

	/** Whether nothing more must be read for now. */
	get mustWait(): boolean {
		if (this.#farBehind > 0 || this.#bytes > ALL_FAR_BEHIND_BYTES) return true;
		// The same consumer may be the one that is behind and the one that waits: it cannot catch up before its answer.
		const isBehind = this.#behind > 0 || this.#bytes > ALL_BEHIND_BYTES;
		return isBehind && this.#awaited === 0;
	}

	/** Opens the share of one exchange. */
	open(): Share {
		let bytes = 0;
		let isAwaited = false;
		const setBytes = (now: number) => {
			this.#bytes += now - bytes;
			this.#behind += step(bytes, now, BEHIND_BYTES);
			this.#farBehind += step(bytes, now, FAR_BEHIND_BYTES);
			bytes = now;
		};
		const setAwaited = (now: boolean) => {
			if (now !== isAwaited) this.#awaited += now ? 1 : -1;
			isAwaited = now;
		};
		return {
			get bytes() {
				return bytes;
			},
			setBytes,
			await: () => setAwaited(true),
			answered: () => setAwaited(false),
			close() {
				setBytes(0);
				setAwaited(false);
			},
		};
	}
}

/** 1 where the limit was passed, -1 where it was left. */
const step = (before: number, now: number, limit: number) =>
	Number(now > limit) - Number(before > limit);
