// A bounded memory of what has been here: the oldest is forgotten first.

/** What has been acknowledged already. One that outlives the program may be handed in. */
export interface Seen {
	/** The status that it was answered with; undefined where it has not been here. */
	statusOf(key: string): number | undefined;
	add(key: string, status: number): void;
}

/** Remembers the last `size` keys while the program runs. */
export function rememberLast(size: number): Seen {
	const places = new Map<string, number>();
	// The places are taken in turn. A Map knows its oldest key too, but looks for it behind all those that are gone.
	const keys: string[] = [];
	const statuses: number[] = [];
	let next = 0;
	return {
		statusOf(key) {
			const place = places.get(key);
			return place === undefined ? undefined : statuses[place];
		},
		add(key, status) {
			if (size === 0) return;
			const place = next;
			next = (place + 1) % size;
			const oldest = keys[place];
			if (oldest !== undefined && places.get(oldest) === place)
				places.delete(oldest);
			keys[place] = key;
			statuses[place] = status;
			places.set(key, place);
		},
	};
}
