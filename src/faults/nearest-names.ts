// Which of the names that exist a mistyped one may have meant: for the "next" of a fault.

/** Longer names are compared by their beginning: the work grows with the product of the lengths. */
const COMPARED_CHARACTERS = 80;

/** Up to three of the names that differ least from the word, nearest first; none where all differ too much. */
export function nearestNames(word: string, names: readonly string[]): string[] {
	const limit = Math.max(
		2,
		Math.floor(Math.min(word.length, COMPARED_CHARACTERS) / 3),
	);
	return names
		.map((name) => ({ name, distance: editDistance(word, name) }))
		.filter(({ distance }) => distance <= limit)
		.sort((a, b) => a.distance - b.distance)
		.slice(0, 3)
		.map(({ name }) => name);
}

/** Levenshtein's distance, without regard to case. */
function editDistance(one: string, other: string): number {
	const a = one.slice(0, COMPARED_CHARACTERS).toLowerCase();
	const b = other.slice(0, COMPARED_CHARACTERS).toLowerCase();
	let previous = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let row = 1; row <= a.length; row++) {
		const current = [row];
		for (let column = 1; column <= b.length; column++) {
			const replace =
				(previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
			const change =
				1 + Math.min(previous[column] ?? 0, current[column - 1] ?? 0);
			current.push(Math.min(replace, change));
		}
		previous = current;
	}
	return previous[b.length] ?? 0;
}
