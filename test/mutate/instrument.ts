// Sources whose conditions can be turned while they run: each is read through a function, on the line where it stands.
import { relative } from "node:path";
import type { Plugin } from "vitest/config";
import { type Condition, findConditions } from "./conditions.ts";

/** Where a condition stands: `path:line:column`, and its length, for two may begin at one place. */
export const placeOf = (
	path: string,
	{ line, column, start, end }: Condition,
) => `${path}:${line}:${column}+${end - start}`;

/** The text with each condition behind a call of `name`. */
export function instrument(text: string, path: string, name: string): string {
	const inserts = findConditions(text).flatMap((condition) => {
		const { start, end } = condition;
		const place = JSON.stringify(placeOf(path, condition));
		return [
			{ at: start, order: -end, what: `${name}(${place}, ` },
			{ at: end, order: -start, what: ")" },
		];
	});
	// At one place, what is around goes outside: an outer call opens first and closes last.
	inserts.sort((a, b) => a.at - b.at || a.order - b.order);
	let done = "";
	let from = 0;
	for (const { at, what } of inserts) {
		done += text.slice(from, at) + what;
		from = at;
	}
	return done + text.slice(from);
}

const NAME = "__readCondition";

/** Instruments what `isMutated` says of a path under `root`. */
export function mutating(
	root: string,
	isMutated: (path: string) => boolean,
): Plugin {
	const door = JSON.stringify(`${root}/test/mutate/switch.ts`);
	return {
		name: "mutating",
		enforce: "pre",
		transform(text, id) {
			const path = relative(root, id.split("?")[0] ?? id);
			if (!isMutated(path)) return undefined;
			const code = `import { readCondition as ${NAME} } from ${door}; ${instrument(text, path, NAME)}`;
			return { code, map: null };
		},
	};
}
