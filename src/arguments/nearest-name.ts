// The name that was probably meant.

const LENGTH_LIMIT = 64;
const NAMES_LIMIT = 1_000;

/** The name closest to `given`, or undefined where none is close enough to be worth a suggestion. */
export function nearestName(
	given: string,
	names: Iterable<string>,
): string | undefined {
	const wanted = given.toLowerCase();
	let best: string | undefined;
	// In a name of one or two letters every other one would be near.
	const limit =
		given.length < 3 ? 0 : Math.max(1, Math.floor(given.length / 3));
	let bestDistance = limit + 0.5;
	for (const name of [...names].slice(0, NAMES_LIMIT)) {
		if (name.length > LENGTH_LIMIT || given.length > LENGTH_LIMIT) continue;
		const distance = editDistance(wanted, name.toLowerCase());
		if (distance < bestDistance) {
			best = name;
			bestDistance = distance;
		}
	}
	return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other. */
function editDistance(a: string, b: string): number {
	const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
	const cell = (i: number, j: number) => rows[i]?.[j] ?? 0;
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		rows.push(row);
		for (let j = 1; j <= b.length; j++) {
			const changed = a[i - 1] === b[j - 1] ? 0 : 1;
			const swapped =
				i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
			row[j] = Math.min(
				cell(i - 1, j) + 1,
				cell(i, j - 1) + 1,
				cell(i - 1, j - 1) + changed,
				swapped ? cell(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
			);
		}
	}
	return cell(a.length, b.length);
}
