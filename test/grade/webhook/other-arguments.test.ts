// What else a schema allows beside the arguments that were derived from it.
import { describe, expect, it } from "vitest";
import { otherArguments } from "../../../src/grade/webhook/other-arguments.ts";

const own = { shop: "a" };
const shop = { shop: { type: "string" } };

const subjectOf = (inputSchema: Record<string, unknown>) => ({
	arguments: own,
	type: { inputSchema },
});

describe("other arguments than those that were derived", () => {
	it.each([
		[
			"an optional property",
			{ properties: { ...shop, least: { type: "integer", default: 3 } } },
			[{ shop: "a", least: 3 }],
		],
		[
			"a property that the schema does not name, where it names no other",
			{ properties: shop },
			[{ shop: "a", "conformance-other": true }],
		],
		[
			"nothing, where it allows nothing else",
			{ properties: shop, additionalProperties: false },
			[],
		],
	])("are %s", async (_about, more, expected) => {
		const subject = subjectOf({ type: "object", ...more });
		expect(await otherArguments(subject)).toEqual(expected);
	});
});
