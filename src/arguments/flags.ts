// Arguments as the words of a command line: the way back from parseArguments.

import { shellWord } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";
import { pairText } from "./pair-text.ts";
import { parseArguments } from "./parse.ts";

/**
 * The words, quoted for a POSIX shell, that give `args` again under `schema`: `-a key=value` where parseArguments reads
 * the very same object back from them, else `--args JSON`. No words where there are no arguments.
 */
export function argumentFlags(
	args: Record<string, unknown>,
	schema?: unknown,
): string[] {
	const pairs = pairsOf(args, "");
	if (isReadBack(pairs, args, schema))
		return pairs.flatMap((pair) => ["-a", shellWord(pair)]);
	return ["--args", shellWord(JSON.stringify(args))];
}

function pairsOf(value: Record<string, unknown>, path: string): string[] {
	return Object.entries(value).flatMap(([key, part]) => {
		const place = path === "" ? key : `${path}.${key}`;
		if (Array.isArray(part))
			return part.map((item) => `${place}=${pairText(item)}`);
		if (isRecord(part) && Object.keys(part).length > 0)
			return pairsOf(part, place);
		return [`${place}=${pairText(part)}`];
	});
}

function isReadBack(
	pairs: string[],
	args: Record<string, unknown>,
	schema: unknown,
): boolean {
	// A NUL cannot stand in a word of a command line.
	if (pairs.some((pair) => pair.includes("\0"))) return false;
	try {
		return isSame(parseArguments(pairs, schema), args);
	} catch {
		return false;
	}
}

function isSame(a: unknown, b: unknown): boolean {
	if (typeof a !== "object" || a === null) return Object.is(a, b);
	if (typeof b !== "object" || b === null) return false;
	if (Array.isArray(a) !== Array.isArray(b)) return false;
	const [left, right] = [Object.entries(a), Object.entries(b)];
	return (
		left.length === right.length &&
		left.every(
			([key, value]) =>
				Object.hasOwn(b, key) &&
				isSame(value, (b as Record<string, unknown>)[key]),
		)
	);
}
