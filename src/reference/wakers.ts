// Who wants to be told that there is something new.

export interface Wakers {
	add(wake: () => void): () => void;
	wakeAll(): void;
	readonly size: number;
}

export function createWakers(): Wakers {
	// Keyed by an object of their own: the same function may be added twice.
	const entries = new Map<object, () => void>();
	return {
		add(wake) {
			const key = {};
			entries.set(key, wake);
			return () => entries.delete(key);
		},
		wakeAll() {
			for (const wake of entries.values()) wake();
		},
		get size() {
			return entries.size;
		},
	};
}
