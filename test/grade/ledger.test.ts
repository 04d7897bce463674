import { describe, expect, it } from "vitest";
import { rowsOf } from "../../src/grade/catalogue/row.ts";
import {
	broken,
	harmful,
	holds,
	odd,
	untestable,
} from "../../src/grade/finding.ts";
import { type LedgerOptions, openLedger } from "../../src/grade/ledger.ts";
import { openScribe } from "../../src/grade/wire/record.ts";

const rule = { section: "s", requirement: "A rule.", how: "Try it." };
const rows = rowsOf("events-poll", [
	{ id: "a-must", level: "must", ...rule },
	{ id: "a-should", level: "should", ...rule },
	{ id: "a-may", level: "may", ...rule },
	{ id: "a-fact", level: "wire", ...rule },
	{ id: "a-weak-fact", level: "wire", isWeak: true, ...rule },
	{ id: "final-only", level: "must", profiles: ["final"], ...rule },
	{ id: "http-only", level: "must", transport: "http", ...rule },
	{
		id: "turned",
		level: "must",
		turned: { chatgpt: "it is the other way" },
		...rule,
	},
]);
const scribe = openScribe({
	now: () => 0,
	secrets: ["a-long-secret"],
	secretHeaders: [],
});

function open(options: Partial<LedgerOptions> = {}) {
	const told: string[] = [];
	const ledger = openLedger({
		rows,
		profile: "final",
		transport: "http",
		scribe,
		onRow: ({ id }) => told.push(id),
		...options,
	});
	const tell = (id: string, finding: Parameters<typeof ledger.tell>[1]) =>
		ledger.tell({ scenario: "events-poll", id, tookMs: 1 }, finding);
	const rowOf = (id: string) =>
		ledger.graded().find((row) => row.id === `sep-3415-${id}`);
	return { ledger, tell, rowOf, told };
}

describe("a broken rule", () => {
	it.each([
		["a-must", "FAILURE"],
		["a-should", "WARNING"],
		["a-may", "WARNING"],
		["a-fact", "FAILURE"],
		["a-weak-fact", "WARNING"],
	])("%s is a %s", (id, verdict) => {
		const { tell, rowOf } = open();
		tell(id, broken("seen"));
		expect(rowOf(id)?.verdict).toBe(verdict);
	});

	it("is only odd, or does harm, where the check says so", () => {
		const { tell, rowOf } = open();
		tell("a-must", odd("seen"));
		tell("a-should", harmful("seen"));
		expect(rowOf("a-must")?.verdict).toBe("WARNING");
		expect(rowOf("a-should")?.verdict).toBe("FAILURE");
	});
});

describe("the ledger", () => {
	it("keeps the first word about a row", () => {
		const { tell, rowOf, told } = open();
		tell("a-must", holds("first"));
		tell("a-must", broken("second"));
		expect(rowOf("a-must")).toMatchObject({
			verdict: "SUCCESS",
			message: "first",
		});
		expect(told).toEqual(["sep-3415-a-must"]);
	});

	it("has no word for what it was not asked to grade", () => {
		const { tell, ledger } = open();
		tell("another", broken("seen"));
		expect(ledger.graded()).toEqual([]);
	});

	it("gives every row that is left the same word", () => {
		const { tell, ledger } = open();
		tell("a-must", holds("seen"));
		ledger.tellRest(
			"events-poll",
			untestable({ kind: "answer", name: "events/list" }, "why"),
		);
		expect(ledger.graded().map(({ verdict }) => verdict)).toEqual([
			"SUCCESS",
			...Array(7).fill("UNTESTABLE"),
		]);
	});

	it("skips what the profile or the transport has not", () => {
		const { rowOf } = open({ profile: "sketch", transport: "stdio" });
		expect(rowOf("final-only")?.verdict).toBe("SKIPPED");
		expect(rowOf("http-only")?.verdict).toBe("SKIPPED");
	});

	it("tells the rule as the profile turns it", () => {
		const { tell, rowOf } = open({ profile: "chatgpt" });
		tell("turned", holds("seen"));
		expect(rowOf("turned")?.requirement).toBe(
			"A rule. Under the profile chatgpt: it is the other way.",
		);
	});

	it("names what is missing, and masks what is secret", () => {
		const { tell, rowOf } = open();
		tell(
			"a-must",
			untestable(
				{ kind: "control", name: "events_x" },
				"it said a-long-secret",
			),
		);
		expect(rowOf("a-must")).toMatchObject({
			missing: { kind: "control", name: "events_x" },
			message: "not tried, for want of the control tool events_x: it said ***",
		});
	});
});
