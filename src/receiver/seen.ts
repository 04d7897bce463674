// A bounded memory of what has been here: the oldest is forgotten first.

/** What has been acknowledged already. One that outlives the program may be handed in. */
export interface Seen {
	/** The status that it was answered with; undefined where it has not been here. */
	statusOf(key: string): number | undefined;
	add(key: string, status: number): void;
}

/** Remembers the last `size` keys while the program runs. */
export function rememberLast(size: number): Seen {
	const statuses = new Map<string, number>();
	return {
		statusOf: (key) => statuses.get(key),
		add(key, status) {
			statuses.delete(key);
			statuses.set(key, status);
			if (statuses.size <= size) return;
			// A Map keeps the order of insertion, so the first key is the oldest.
			for (const oldest of statuses.keys()) {
				statuses.delete(oldest);
				return;
			}
		},
	};
}
