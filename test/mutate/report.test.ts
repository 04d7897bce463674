import { describe, expect, it } from "vitest";
import type { FoundMutant } from "./mutants.ts";
import { EMPTY_RECORD } from "./record.ts";
import { sortMutants, tellOutcome } from "./report.ts";

const found = (text: string): FoundMutant => ({
	mutant: `${text} not`,
	path: "a.ts",
	line: 1,
	column: 2,
	turn: "not",
	text,
});
const record = {
	...EMPTY_RECORD,
	killed: { "caught not": "a test", "listed-and-caught not": "a test" },
	reached: { "survives not": ["a test"], "listed not": ["a test"] },
};
const listed = (text: string) => ({ path: "a.ts", text, why: "it is so" });

describe("the outcome of mutants", () => {
	it("tells of each that is left, of what is listed in vain, and counts", () => {
		const texts = [
			"caught",
			"survives",
			"unreached",
			"listed",
			"listed-and-caught",
		];
		const known = ["listed", "listed-and-caught", "gone"].map(listed);
		const outcome = sortMutants(texts.map(found), record, known);
		expect(tellOutcome("poll", outcome)).toEqual([
			"survived a.ts:1:2 not: survives",
			"not reached a.ts:1:2 not: unreached",
			"caught, yet listed a.ts: listed-and-caught",
			"caught, yet listed a.ts: gone",
			"poll: 5 mutants, 2 caught, 1 known to survive, 1 survived, 1 not reached",
		]);
	});
});
