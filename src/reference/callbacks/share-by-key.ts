// One piece of work for all who ask for the same thing at the same time.

/** Returns a function that starts `work` unless that of the same key is still under way; all get its outcome. */
export function shareByKey<T>(): (
	key: string,
	work: () => Promise<T>,
) => Promise<T> {
	const underWay = new Map<string, Promise<T>>();
	return (key, work) => {
		const shared = underWay.get(key);
		if (shared) return shared;
		const started = work().finally(() => underWay.delete(key));
		underWay.set(key, started);
		return started;
	};
}
