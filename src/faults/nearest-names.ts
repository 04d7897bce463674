// Which of the names that exist a mistyped one may have meant: for the "next" of a fault. Names come from strangers:
// the work is bounded by how long and how many they are.

const COMPARED_CHARACTERS = 80;
const COMPARED_NAMES = 1_000;
const OFFERED = 3;

/** Up to three of the names that differ least from the word, nearest first; none where all differ too much. */
export function nearestNames(word: string, names: Iterable<string>): string[] {
	const wanted = comparable(word);
	// In a word of one or two letters every other one would be near.
	const limit =
		wanted.length < 3 ? 0 : Math.max(2, Math.floor(wanted.length / 3));
	return [...names]
		.slice(0, COMPARED_NAMES)
		.map((name) => ({ name, distance: editDistance(wanted, comparable(name)) }))
		.filter(({ distance }) => distance <= limit)
		.sort((a, b) => a.distance - b.distance)
		.slice(0, OFFERED)
		.map(({ name }) => name);
}

const comparable = (name: string) =>
	name.slice(0, COMPARED_CHARACTERS).toLowerCase();

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
function editDistance(a: string, b: string): number {
	const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
	const cell = (i: number, j: number) => rows[i]?.[j] ?? 0;
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		rows.push(row);
		for (let j = 1; j <= b.length; j++) {
			const isSame = a[i - 1] === b[j - 1];
			const isSwap =
				i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			row[j] = Math.min(
				cell(i - 1, j) + 1,
				(row[j - 1] ?? 0) + 1,
				cell(i - 1, j - 1) + (isSame ? 0 : 1),
				isSwap ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
	}
	return cell(a.length, b.length);
}
