// Holds every flaw of the rules of poll in one part of the catalogue to its own rule, and to no other.
import { describe, expect, it } from "vitest";
import type { CatalogueRow } from "../../../src/grade/catalogue/row.ts";
import { secondLook } from "../second-look.ts";
import {
	accusedOf,
	flawsOf,
	gradeEach,
	gradePoll,
	severityOf,
	tellRest,
} from "./poll-reference.ts";

/** Grades a server with each flaw of these rows, side by side; what came of each is then a test of its own. */
export async function describeFlaws(
	rows: readonly CatalogueRow[],
): Promise<void> {
	const flaws = flawsOf(rows).map(({ name, rule }) => ({ name, rule }));
	const names = flaws.map(({ name }) => name);
	const grade = (name: string) => gradePoll({ faults: [name] });
	const look = secondLook(await gradeEach(names, grade), grade);

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
}
