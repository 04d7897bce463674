// Each flaw of deliveries turns its own row, tried alone. That it turns no other takes the whole scenario for each: see
// the slow test of the same table.
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import { FLAWS } from "../../../src/reference/index.ts";
import {
	accusedOf,
	gradeDelivery,
	LONGEST_MS,
	openDeliveryServer,
} from "./delivery-server.ts";

const SCENARIO = "events-webhook-delivery";
const flaws = FLAWS.filter(({ scenario }) => scenario === SCENARIO);

/** Rows that look at what was brought to try others. */
const COMPANIONS: Record<string, string> = {
	"envelope-webhook-id-format": "envelope-gap",
	"envelope-signed-like-deliveries": "envelope-gap",
	"delivery-webhook-id": "delivery-retries-bounded",
};

describe("a fault of deliveries", () => {
	it.concurrent.each(flaws.map(({ name, rule }) => ({ name, rule })))(
		"$name turns $rule",
		async ({ name, rule }) => {
			await using server = await openDeliveryServer({ flaws: [name] });
			const graded = await gradeDelivery(server.url, {
				only: CATALOGUE.filter(
					({ scenario, id }) =>
						scenario === SCENARIO && [rule, COMPANIONS[rule]].includes(id),
				),
			});
			expect(graded.defects).toEqual([]);
			expect(accusedOf(graded)).toEqual([rule]);
		},
		LONGEST_MS,
	);
});
