import { describe, expect, it } from "vitest";
import { CATALOGUE, SCENARIOS, type Scenario } from "../../src/grade/index.ts";
import { GRADED_SCENARIOS } from "../../src/grade/scenarios.ts";

/** Scenarios that are not graded whole. */
const UNFINISHED: readonly Scenario[] = [
	"events-poll",
	"events-webhook-delivery",
];

const rowsOf = (scenario: Scenario) =>
	CATALOGUE.filter((row) => row.scenario === scenario).map(({ id }) => id);

describe("the scenarios that are graded", () => {
	it.each(GRADED_SCENARIOS.map(({ scenario, ids }) => ({ scenario, ids })))(
		"$scenario judges rows of the catalogue alone, each once",
		({ scenario, ids }) => {
			expect(ids.filter((id) => !rowsOf(scenario).includes(id))).toEqual([]);
			expect(new Set(ids).size).toBe(ids.length);
		},
	);

	it.each(SCENARIOS.filter((scenario) => !UNFINISHED.includes(scenario)))(
		"%s judges every row of the catalogue",
		(scenario) => {
			const graded = GRADED_SCENARIOS.find(
				(each) => each.scenario === scenario,
			);
			const missing = rowsOf(scenario).filter(
				(id) => !graded?.ids.includes(id),
			);
			expect(missing).toEqual([]);
		},
	);
});
