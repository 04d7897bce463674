// Each flaw of webhook subscriptions turns its own row of the scenario and no other, all of them side by side.
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import { FLAWS } from "../../../src/reference/index.ts";
import { accusedIn, gradeWebhook, openWebhookServer } from "./webhook-server.ts";

const flaws = FLAWS.filter(({ scenario }) => scenario === "events-webhook");
const AT_ONCE = 10;

async function gradeFlaw(flaw: string) {
	await using server = await openWebhookServer({ flaw });
	return await gradeWebhook(server.url);
}

/** A few at a time: all at once would keep each other waiting. */
const found = new Map<string, Awaited<ReturnType<typeof gradeFlaw>>>();
const names = flaws.map(({ name }) => name);
await Promise.all(
	Array.from({ length: AT_ONCE }, async () => {
		for (let name = names.shift(); name; name = names.shift())
			found.set(name, await gradeFlaw(name));
	}),
);

describe("one flaw", () => {
	it.each(flaws.map(({ name, rule }) => ({ name, rule })))(
		"$name turns $rule, and accuses of nothing else",
		({ name, rule }) => {
			const rows = found.get(name) ?? new Map();
			const accused = accusedIn(rows).map((id) => `${id}: ${rows.get(id)?.message}`);
			expect(accused).toEqual([expect.stringContaining(`${rule}: `)]);
		},
	);
});
