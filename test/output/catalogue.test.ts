import { describe, expect, it } from "vitest";
import {
	type CatalogueEntry,
	renderCatalogue,
	renderDescription,
} from "../../src/output/catalogue.ts";
import { PLAIN } from "../../src/output/colors.ts";

const page = (width: number) => ({ width, palette: PLAIN });

const TICK: CatalogueEntry = {
	name: "clock.tick",
	description: "Ticks once every period, with the number of the tick.",
	delivery: ["poll", "push"],
	arguments: [
		{ name: "period", required: true },
		{ name: "label", required: false },
	],
};
const BROKEN: CatalogueEntry = {
	name: "old.thing",
	title: "Old",
	description: "",
	delivery: [],
	unusable: "it offers no delivery mode",
};

describe("the table of list", () => {
	it("fits a wide terminal", () => {
		expect(renderCatalogue([TICK, BROKEN], page(120))).toBe(
			`EVENT       MODES       ARGUMENTS       DESCRIPTION
clock.tick  poll, push  period [label]  Ticks once every period, with the number of the tick.
old.thing   none                        Not usable here: it offers no delivery mode
`,
		);
	});

	it("folds descriptions, never names, on a narrow one", () => {
		expect(renderCatalogue([TICK], page(60))).toBe(
			`EVENT       MODES       ARGUMENTS       DESCRIPTION
clock.tick  poll, push  period [label]  Ticks once every
                                        period, with the
                                        number of the tick.
`,
		);
	});

	it("says so when there is nothing", () => {
		expect(renderCatalogue([], page(80))).toBe(
			"The server offers no events.\n",
		);
	});
});

describe("the page of describe", () => {
	it("shows modes, arguments, rules, payload and a line to paste", () => {
		const input = {
			rows: [
				{
					name: "period",
					type: "integer",
					required: true,
					description: "Seconds.",
				},
				{
					name: "label",
					type: "string",
					required: false,
					default: '"tick"',
					deprecated: true,
				},
			],
			rules: ["at least one of: period, label"],
		};
		const parts = {
			input,
			payload: { rows: [], rules: [] },
			commandLine: "mcp-events tail http://h/mcp clock.tick -a period=1",
		};
		const entry = { ...TICK, title: "Clock" };
		expect(renderDescription(entry, parts, page(60))).toBe(`clock.tick - Clock
  Ticks once every period, with the number of the tick.

Modes: poll, push

Arguments
  NAME    TYPE     REQUIRED  DEFAULT  DESCRIPTION
  period  integer  yes                Seconds.
  label   string             "tick"   (deprecated)
  - at least one of: period, label

Payload: anything

Try it
  mcp-events tail http://h/mcp clock.tick -a period=1
`);
	});

	it("bounds a description without end", () => {
		const description = "line\n".repeat(100_000);
		const none = { rows: [], rules: [] };
		const text = renderDescription(
			{ ...BROKEN, description },
			{ input: none, payload: none },
			page(60),
		);
		expect(text.split("\n").length).toBeLessThan(60);
		expect(text).toContain("  …\n");
		expect(text).toContain("Not usable here: it offers no delivery mode");
	});
});
