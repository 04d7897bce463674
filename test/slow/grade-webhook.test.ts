// Each flaw of webhook subscriptions, graded by the whole scenario: it turns its own row and no other.
import { describe, expect, it } from "vitest";
import { FLAWS } from "../../src/reference/index.ts";
import {
	accusedIn,
	gradeWebhook,
	openWebhookServer,
} from "../grade/webhook/webhook-server.ts";

const flaws = FLAWS.filter(({ scenario }) => scenario === "events-webhook");

describe("one flaw", () => {
	it.each(flaws.map(({ name, rule }) => ({ name, rule })))(
		"$name turns $rule, and accuses of nothing else",
		async ({ name, rule }) => {
			await using server = await openWebhookServer({ flaw: name });
			const found = await gradeWebhook(server.url);
			const told = accusedIn(found).map(
				(id) => `${id}: ${found.get(id)?.message}`,
			);
			expect(told).toEqual([expect.stringContaining(`${rule}: `)]);
		},
		60_000,
	);
});
