// For tests that grade many servers side by side: the test that is tried again grades its server once more, alone.

/**
 * Returns the way to what was found of a server: at first `first` has it, from then on it is graded anew. A machine
 * that stood still for a moment makes any server look slow; a verdict that is wrong is wrong again.
 */
export function secondLook<Name, Found>(
	first: ReadonlyMap<Name, Found>,
	grade: (name: Name) => Promise<Found>,
): (name: Name) => Promise<Found> {
	const looked = new Set<Name>();
	return async (name) => {
		const found = looked.has(name) ? undefined : first.get(name);
		looked.add(name);
		return found ?? (await grade(name));
	};
}
