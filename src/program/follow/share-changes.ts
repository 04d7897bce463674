// One source of changes for many who watch: each gets every change from when it began to watch.

export interface SharedChanges {
	/** To be iterated once; ends with its loop, or with the source. */
	open(): AsyncIterable<string>;
	/** Ends all of them. */
	close(): void;
}

/** Reads the source from the first `open` on. What it throws is for whoever owns the source: here it is an end. */
export function shareChanges(
	source: AsyncIterable<string> | undefined,
): SharedChanges {
	const watchers = new Set<Watcher>();
	const close = () => {
		for (const watcher of watchers) watcher.end();
	};
	const iterator = source?.[Symbol.asyncIterator]();
	const read = async () => {
		for (;;) {
			const next = await iterator?.next();
			if (!next || next.done) return;
			for (const watcher of watchers) watcher.push(next.value);
		}
	};
	let isRead = false;
	return {
		open() {
			if (!isRead) void read().then(close, close);
			isRead = true;
			const watcher = new Watcher();
			watchers.add(watcher);
			if (!iterator) watcher.end();
			return watch(watcher, () => watchers.delete(watcher));
		},
		close() {
			close();
			void iterator?.return?.();
		},
	};
}

class Watcher {
	readonly waiting: string[] = [];
	isOver = false;
	wake: () => void = () => {};

	push(value: string): void {
		this.waiting.push(value);
		this.wake();
	}

	end(): void {
		this.isOver = true;
		this.wake();
	}
}

function watch(watcher: Watcher, left: () => void): AsyncIterable<string> {
	const next = async (): Promise<IteratorResult<string>> => {
		for (;;) {
			const value = watcher.waiting.shift();
			if (value !== undefined) return { done: false, value };
			if (watcher.isOver) return { done: true, value: undefined };
			await new Promise<void>((resolve) => {
				watcher.wake = resolve;
			});
		}
	};
	return {
		[Symbol.asyncIterator]: () => ({
			next,
			async return() {
				left();
				watcher.end();
				return { done: true, value: undefined };
			},
		}),
	};
}
