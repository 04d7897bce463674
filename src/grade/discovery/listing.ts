// events/list and its pages (events.md 2).
import { excerpt } from "../../protocol/index.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { isListed } from "../ground.ts";
import { checkRow } from "../scenario.ts";
import { type Listing, nextCursorOf } from "../traffic/list-types.ts";
import { errorOf, resultOf, tellAnswer } from "../wire/answer.ts";
import { isDeclaredInVain, noListing } from "./capability.ts";

export const listingChecks = [
	checkRow("list-implemented", async (context) => {
		const { declared, listing, shaken } = context;
		const [first] = listing.pages;
		if (isListed(listing))
			return holds(
				`events is an array; ${listing.types.length} event types on ${listing.pages.length} pages`,
				first,
			);
		const isError = errorOf(first) !== undefined;
		if (isError && resultOf(shaken.answer) && !declared.isDeclared)
			return skipped("the extension is not declared");
		if (isDeclaredInVain(context))
			return untestable(
				{ kind: "answer", name: "events/list" },
				"it is not known to the server; capability-empty-settings tells of it",
				first,
			);
		const isContradiction =
			declared.isDeclared && errorOf(first)?.name === "MethodNotFound";
		const also = isContradiction ? "; yet the extension is declared" : "";
		const result = resultOf(first);
		return broken(
			result
				? `events is ${excerpt(result.events, 120)}, no array`
				: `events/list is answered with ${tellAnswer(first)}${also}`,
			first,
		);
	}),

	checkRow("list-pagination", async (context) => {
		if (!isListed(context.listing)) return noListing(context);
		return judgePages(context.listing);
	}),
];

function judgePages({ pages, types, stopped }: Listing): Finding {
	const [first, second] = pages;
	const odd = pages.find((page) => {
		const cursor = resultOf(page)?.nextCursor;
		return cursor != null && typeof cursor !== "string";
	});
	if (odd)
		return broken(
			`nextCursor is ${excerpt(resultOf(odd)?.nextCursor, 80)}, no string`,
			odd,
		);
	if (!second)
		return untestable(
			{ kind: "traffic", name: "a catalogue larger than one page" },
			"the first page has no nextCursor",
			first,
		);
	const unserved = pages.find((page) => !Array.isArray(resultOf(page)?.events));
	if (unserved)
		return broken(
			`a nextCursor of the server, sent back, is answered with ${tellAnswer(unserved)}`,
			first,
			unserved,
		);
	const repeated = firstRepeated(types.map(({ name }) => name));
	if (repeated !== undefined)
		return broken(
			`${JSON.stringify(repeated)} stands on more than one page or twice on one`,
			...pages.slice(0, 3),
		);
	const isEndless = stopped !== undefined && nextCursorOf(second) !== undefined;
	if (isEndless)
		return broken(`the pages do not end: ${stopped}`, ...pages.slice(0, 3));
	return holds(
		`${pages.length} pages with ${types.length} different event types`,
		...pages.slice(0, 3),
	);
}

function firstRepeated(names: readonly string[]): string | undefined {
	return names.find((name, at) => name !== "" && names.indexOf(name) !== at);
}
