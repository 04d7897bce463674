// Each flaw of the requests of poll turns its own row, and no other.
import { describe, expect, it } from "vitest";
import { pollRequestsRows as rows } from "../../../src/grade/catalogue/poll-requests.ts";
import {
	accusedOf,
	flawsOf,
	gradeEach,
	gradePoll,
	severityOf,
	tellRest,
} from "./poll-reference.ts";

const flaws = flawsOf(rows).map(({ name, rule }) => ({ name, rule }));
const graded = await gradeEach(
	flaws.map(({ name }) => name),
	(name) => gradePoll({ faults: [name] }),
);

describe("a server with one flaw", () => {
	it("is there for every rule", () => {
		const rules = new Set(flaws.map(({ rule }) => rule));
		expect(rows.filter(({ id }) => !rules.has(id))).toEqual([]);
	});

	it.each(flaws)(
		"$name turns $rule, and is accused of nothing else",
		({ name, rule }) => {
			const found = graded.get(name);
			const row = rows.find(({ id }) => id === rule);
			if (!found || !row) throw new Error(`${name} was not graded`);
			expect(found.defects).toEqual([]);
			expect(accusedOf(found), tellRest(found)).toEqual([
				`${rule} ${severityOf(row)}`,
			]);
		},
	);
});
