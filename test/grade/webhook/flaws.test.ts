// Each flaw of webhook subscriptions turns its own row. That it turns no other takes the whole scenario for each: see
// the slow test of the same table.
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import { FLAWS } from "../../../src/reference/index.ts";
import { secondLook } from "../second-look.ts";
import {
	accusedIn,
	gradeWebhook,
	openWebhookServer,
} from "./webhook-server.ts";

const flaws = FLAWS.filter(({ scenario }) => scenario === "events-webhook");
const rows = CATALOGUE.filter(({ scenario }) => scenario === "events-webhook");

/** Brings a result of either method, for the rules that look at all results. */
const COMPANION = "ttl-omitted-means-default";

/** The verdicts of one row, with a flaw and without. */
async function gradeRow(rule: string, flaw?: string) {
	await using server = await openWebhookServer(flaw ? { flaw } : {});
	return await gradeWebhook(server.url, {
		only: rows.filter(({ id }) => id === rule || id === COMPANION),
	});
}

/** Side by side: most of it is waiting. */
const AT_ONCE = 4;
const found = new Map<string, Awaited<ReturnType<typeof gradeRow>>>();
const waiting = [...flaws];
await Promise.all(
	Array.from({ length: AT_ONCE }, async () => {
		for (let next = waiting.shift(); next; next = waiting.shift())
			found.set(next.name, await gradeRow(next.rule, next.name));
	}),
);

const rules = new Map(flaws.map(({ name, rule }) => [name, rule]));
const look = secondLook(found, (name) => gradeRow(rules.get(name) ?? "", name));

/** Rows whose failing server is no flaw of ours, for the door of ours is shut: see the other tests here. */
const ELSEWHERE = ["subscribe-auth-required", "webhook-needs-principals"];

describe("the reference server", () => {
	it.concurrent.each(rows)("keeps $id by itself", async ({ id }) => {
		const found = await gradeRow(id);
		const rest = [...found].filter(([, { verdict }]) => verdict !== "SUCCESS");
		expect(rest).toEqual([]);
	});
});

describe("a fault of the scenario events-webhook", () => {
	it("is there for each rule of the scenario", () => {
		const rules = new Set(flaws.map(({ rule }) => rule));
		const all = rows.map(({ id }) => id);
		expect(all.filter((id) => !rules.has(id))).toEqual(ELSEWHERE);
		expect([...rules].filter((rule) => !all.includes(rule))).toEqual([]);
	});

	it("has a name that no other has", () => {
		const names = FLAWS.map(({ name }) => name);
		const own = flaws.map(({ name }) => name);
		const isTwice = (name: string) =>
			names.indexOf(name) !== names.lastIndexOf(name);
		expect(own.filter(isTwice)).toEqual([]);
	});

	it.each(flaws.map(({ name, rule }) => ({ name, rule })))(
		"$name turns $rule",
		async ({ name, rule }) => {
			expect(accusedIn(await look(name))).toEqual([rule]);
		},
	);
});
