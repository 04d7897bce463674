// So many at once and no more: for commands and requests that events set off.

/** Makes a function that runs tasks in the order given, at most `most` at once. */
export function limitTasks(
	most: number,
): <T>(task: () => Promise<T>) => Promise<T> {
	const waiting: (() => void)[] = [];
	let running = 0;
	return async (task) => {
		if (running >= most)
			await new Promise<void>((resolve) => waiting.push(resolve));
		else running++;
		try {
			return await task();
		} finally {
			// The place is handed on, so that nobody who comes now can take it.
			const next = waiting.shift();
			if (next) next();
			else running--;
		}
	};
}
