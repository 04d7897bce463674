// Patterns for paths: `*` and `?` within a part, `**` over parts. Matched in the time of pattern times path at worst,
// because a stranger may have written the pattern.

export type PathTest = (path: string) => boolean;

/** Whether a whole path, with forward slashes, is of this form. */
export function makeGlob(pattern: string): PathTest {
	const tokens = pattern.split("/").map((part) => ({
		isWild: part === "**",
		fits: makePart(part),
	}));
	return (path) => fitsSequence(path.split("/"), tokens);
}

/** Whether a path is of one of these forms: without a slash a pattern means a name at any depth. */
export function makeIgnore(patterns: readonly string[]): PathTest {
	const tests = patterns.map((pattern): PathTest => {
		if (pattern.includes("/")) return makeGlob(pattern);
		const fits = makePart(pattern);
		return (path) => fits(path.slice(path.lastIndexOf("/") + 1));
	});
	return (path) => tests.some((test) => test(path));
}

function makePart(pattern: string): PathTest {
	const tokens = [...pattern].map((char) => ({
		isWild: char === "*",
		fits: (other: string) => char === "?" || char === other,
	}));
	return (name) => fitsSequence([...name], tokens);
}

interface Token {
	/** Stands for any number of items, none too. */
	isWild: boolean;
	fits(item: string): boolean;
}

/** Only the latest wild token is ever tried again: the ones before it can do no better. */
function fitsSequence(
	items: readonly string[],
	tokens: readonly Token[],
): boolean {
	let item = 0;
	let token = 0;
	let wild: { token: number; item: number } | undefined;
	while (item < items.length) {
		const next = tokens[token];
		if (next?.isWild) wild = { token: token++, item };
		else if (next?.fits(items[item] ?? "")) {
			item++;
			token++;
		} else if (wild) {
			item = ++wild.item;
			token = wild.token + 1;
		} else return false;
	}
	return tokens.slice(token).every(({ isWild }) => isWild);
}
