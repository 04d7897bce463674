import { describe, expect, it } from "vitest";
import { FLAWS, parseFlaws } from "../../../src/reference/index.ts";

const CHAOS = [
	"duplicate",
	"reorder",
	"drop",
	"burst",
	"bad-signature",
	"stale-timestamp",
	"no-heartbeat",
	"close-every",
	"slow",
	"garbage",
	"revoke-after",
	"schema-break",
];

describe("the table of faults to serve with", () => {
	it("names each once, in kebab-case, with a sentence", () => {
		const names = FLAWS.map(({ name }) => name);
		expect(new Set(names).size).toBe(names.length);
		for (const { name, about, rule } of FLAWS) {
			expect(name).toMatch(/^[a-z][a-z0-9-]*$/);
			// Of what it does, which is not the name of the rule.
			expect(name).not.toBe(rule);
			expect(about).toMatch(/^[a-z].*[^.]$/);
		}
	});

	it("has what client authors need", () => {
		const chaos = FLAWS.filter(({ rule }) => rule === "chaos");
		expect(chaos.map(({ name }) => name)).toEqual(CHAOS);
	});
});

describe("--fault", () => {
	it.each([
		["drop", "drop", 3],
		["drop=7", "drop", 7],
		["slow", "slow", 1_000],
		["slow=250ms", "slow", 250],
		["burst=2m", "burst", 120_000],
		["no-heartbeat", "no-heartbeat", 0],
	])("%s is %s with %i", (text, name, value) => {
		const [chosen] = parseFlaws([text]);
		expect([chosen?.flaw.name, chosen?.value]).toEqual([name, value]);
	});

	it.each([
		["drpo", /there is no fault "drpo"/, "--fault drop"],
		[
			"",
			/there is no fault ""/,
			"see them all: mcp-events serve --list-faults",
		],
		["drop=0", /drop=0 cannot be used/, "--fault drop=3"],
		["drop=2s", /drop=2s cannot be used/, "--fault drop=3"],
		["slow=5", /slow=5 cannot be used/, "--fault slow=1000ms"],
		["slow=0s", /slow=0s cannot be used/, "--fault slow=1000ms"],
		["no-heartbeat=1", /cannot be used/, "--fault no-heartbeat"],
	])("%s is refused, with one that works", (text, what, next) => {
		let fault: unknown;
		try {
			parseFlaws([text]);
		} catch (error) {
			fault = error;
		}
		expect(fault).toMatchObject({ code: "wrong-use", next });
		expect(fault).toHaveProperty("what", expect.stringMatching(what));
	});

	it("is refused twice", () => {
		expect(() => parseFlaws(["drop", "drop=2"])).toThrow(/given twice/);
	});
});
