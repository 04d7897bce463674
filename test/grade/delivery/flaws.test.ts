// Each row of deliveries by itself: a right server keeps it, and a flaw turns it. That a flaw turns no other takes the whole scenario for each: see
// the slow test of the same table.
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import { FLAWS } from "../../../src/reference/index.ts";
import {
	accusedOf,
	authorization,
	certificate,
	gradeDelivery,
	LONGEST_MS,
	leftOf,
	openDeliveryServer,
	UNTRIED,
} from "./delivery-server.ts";

const SCENARIO = "events-webhook-delivery";
const flaws = FLAWS.filter(({ scenario }) => scenario === SCENARIO);

/** Rows that look at what was brought to try others. */
const COMPANIONS: Record<string, string> = {
	"envelope-webhook-id-format": "envelope-gap",
	"envelope-signed-like-deliveries": "envelope-gap",
	"delivery-webhook-id": "delivery-retries-bounded",
};

/** A row, and what has to be tried for it. */
const withCompanion = (rule: string) =>
	CATALOGUE.filter(
		({ scenario, id }) =>
			scenario === SCENARIO && [rule, COMPANIONS[rule]].includes(id),
	);

const tried = CATALOGUE.filter(
	({ scenario, id }) => scenario === SCENARIO && !UNTRIED.includes(id),
);

describe("the reference server", () => {
	it.concurrent.each(tried)(
		"keeps $id by itself",
		async ({ id }) => {
			await using server = await openDeliveryServer({ isSigningTwice: true });
			const graded = await gradeDelivery(server.url, {
				only: withCompanion(id),
				receiver: {
					tls: { cert: certificate.certPem, key: certificate.keyPem },
				},
				secondHeaders: [authorization("bob")],
			});
			expect(graded.defects).toEqual([]);
			expect([...leftOf(graded)]).toEqual([]);
		},
		LONGEST_MS,
	);
});

describe("a fault of deliveries", () => {
	it.concurrent.each(flaws.map(({ name, rule }) => ({ name, rule })))(
		"$name turns $rule",
		async ({ name, rule }) => {
			await using server = await openDeliveryServer({ flaws: [name] });
			const graded = await gradeDelivery(server.url, {
				only: withCompanion(rule),
			});
			expect(graded.defects).toEqual([]);
			expect(accusedOf(graded)).toEqual([rule]);
		},
		LONGEST_MS,
	);
});
