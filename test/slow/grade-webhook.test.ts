// Each flaw of webhook subscriptions, graded by the whole scenario: it turns its own row and no other. And the profiles.
import { describe, expect, it } from "vitest";
import { FLAWS } from "../../src/reference/index.ts";
import {
	accusedIn,
	gradeWebhook,
	openWebhookServer,
	untriedIn,
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

describe("the reference server", () => {
	it.each([
		["sketch", []],
		// Every type of it offers webhook.
		["chatgpt", ["error-unsupported"]],
	] as const)(
		"breaks no rule of the profile %s, and all that can be are tried",
		async (profile, untried) => {
			await using server = await openWebhookServer({ profile });
			const found = await gradeWebhook(server.url, { profile });
			expect(accusedIn(found)).toEqual([]);
			expect(untriedIn(found)).toEqual(untried);
		},
	);
});
