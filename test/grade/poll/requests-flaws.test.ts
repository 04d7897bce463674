// Each flaw of the requests of poll turns its own row, and no other.
import { describe, expect, it } from "vitest";
import { pollRequestsRows as rows } from "../../../src/grade/catalogue/poll-requests.ts";
import { secondLook } from "../second-look.ts";
import {
	accusedOf,
	flawsOf,
	gradeEach,
	gradePoll,
	severityOf,
	tellRest,
} from "./poll-reference.ts";

const flaws = flawsOf(rows).map(({ name, rule }) => ({ name, rule }));
const grade = (name: string) => gradePoll({ faults: [name] });
const look = secondLook(
	await gradeEach(
		flaws.map(({ name }) => name),
		grade,
	),
	grade,
);

describe("a server with one flaw", () => {
	it("is there for every rule", () => {
		const rules = new Set(flaws.map(({ rule }) => rule));
		expect(rows.filter(({ id }) => !rules.has(id))).toEqual([]);
	});

	it.each(flaws)(
		"$name turns $rule, and is accused of nothing else",
		async ({ name, rule }) => {
			const found = await look(name);
			const row = rows.find(({ id }) => id === rule);
			if (!row) throw new Error(`${rule} is no row`);
			expect(found.defects).toEqual([]);
			expect(accusedOf(found), tellRest(found)).toEqual([
				`${rule} ${severityOf(row)}`,
			]);
		},
	);
});
