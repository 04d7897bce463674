// What work in the background says, as something to loop over.

/**
 * Starts the work when it is first asked for; yields what it puts, and ends, or throws, as it does. Whoever leaves the
 * loop leaves the work to its own signal.
 */
export async function* openFeed<T>(
	work: (put: (item: T) => void) => Promise<void>,
): AsyncGenerator<T> {
	let waiting: T[] = [];
	let wake = () => {};
	let end: { error?: unknown; hasFailed: boolean } | undefined;
	const put = (item: T) => {
		waiting.push(item);
		wake();
	};
	const settle = (how: { error?: unknown; hasFailed: boolean }) => {
		end = how;
		wake();
	};
	work(put).then(
		() => settle({ hasFailed: false }),
		(error: unknown) => settle({ error, hasFailed: true }),
	);
	for (;;) {
		const batch = waiting;
		waiting = [];
		yield* batch;
		if (waiting.length > 0) continue;
		if (end?.hasFailed) throw end.error;
		if (end) return;
		await new Promise<void>((resolve) => {
			wake = resolve;
		});
	}
}
