import { describe, expect, it } from "vitest";
import { validateArguments } from "../../src/arguments/validate.ts";
import { startOwnTime } from "../helpers/own-time.ts";
import { faultOf } from "./fault-of.ts";

/** Each definition refers twice to the next: the work doubles with each. */
function doublingReferences(count: number) {
	const $defs: Record<string, unknown> = { [`d${count}`]: { type: "object" } };
	for (let i = 0; i < count; i++)
		$defs[`d${i}`] = {
			allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }],
		};
	return { $defs, $ref: "#/$defs/d0" };
}

function nested(depth: number): unknown {
	return depth === 0 ? {} : { properties: { a: nested(depth - 1) } };
}

const longText = { a: `${"a".repeat(40)}!` };

describe("a hostile schema is refused in bounded time", () => {
	it.each<[string, unknown, unknown, RegExp]>([
		[
			"a regular expression that takes for ever",
			{ properties: { a: { pattern: "^(a+)+$" } } },
			longText,
			/could not be checked within 200 ms/,
		],
		[
			"the same as the name of keys",
			{ patternProperties: { "^(a+)+$": {} } },
			{ [longText.a]: 1 },
			/within 200 ms/,
		],
		[
			"references that double forty times",
			doublingReferences(40),
			{},
			/within 200 ms/,
		],
		[
			"many items that must differ",
			{ properties: { a: { uniqueItems: true } } },
			{ a: Array.from({ length: 60_000 }, (_, i) => i) },
			/within 200 ms/,
		],
		[
			"a reference to itself",
			{ $ref: "#" },
			{},
			/cannot be checked to its end/,
		],
		[
			"a circle of references",
			{
				$ref: "#/$defs/a",
				$defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } },
			},
			{},
			/cannot be checked to its end/,
		],
		[
			"branches that are itself",
			{ anyOf: [{ $ref: "#" }, { $ref: "#" }] },
			{},
			/cannot be checked to its end/,
		],
		["nesting", nested(40), {}, /nested too deep/],
		[
			"many values",
			{ enum: Array.from({ length: 30_000 }, (_, i) => i) },
			{},
			/too large/,
		],
		["many bytes", { description: "x".repeat(300_000) }, {}, /too large/],
	])("%s", async (_, schema, value, words) => {
		const ownTimeMs = startOwnTime();
		const fault = await faultOf(() =>
			validateArguments(value as Record<string, unknown>, schema, {
				timeoutMs: 200,
			}),
		);
		expect(ownTimeMs()).toBeLessThan(2_000);
		expect(fault.code).toBe("schema-unusable");
		expect(fault.what).toMatch(words);
		expect(fault.next).toMatch(/--no-validate/);
	});
});

describe("a broken schema is refused by name", () => {
	it.each<[unknown, RegExp]>([
		[{ type: 5 }, /#\/type must be one or more of null, boolean/],
		[{ type: [] }, /#\/type must be/],
		[{ type: "strnig" }, /#\/type must be/],
		[{ properties: [] }, /#\/properties must be an object/],
		[
			{ properties: { a: { b: 1, minimum: "1" } } },
			/#\/properties\/a\/minimum must be a number/,
		],
		[{ properties: { "a/b": 7 } }, /#\/properties\/a~1b must be a schema/],
		[{ required: "a" }, /#\/required must be an array of strings/],
		[{ required: [1] }, /#\/required must be an array of strings/],
		[{ enum: "red" }, /#\/enum must be an array/],
		[{ anyOf: {} }, /#\/anyOf must be an array of schemas/],
		[{ allOf: [] }, /at least one/],
		[{ items: [{}] }, /prefixItems/],
		[{ exclusiveMinimum: true }, /#\/exclusiveMinimum must be a number/],
		[{ multipleOf: 0 }, /above 0/],
		[{ minLength: -1 }, /whole number/],
		[{ pattern: "(" }, /#\/pattern holds "\(", which is no regular expression/],
		[{ patternProperties: { "[": {} } }, /no regular expression/],
		[{ format: 1 }, /#\/format must be a string/],
		[
			{ dependentRequired: { a: "b" } },
			/#\/dependentRequired\/a must be an array of strings/,
		],
		[{ $ref: 1 }, /#\/\$ref must be a string/],
		[
			{ $ref: "https://example.com/s.json" },
			/"https:\/\/example\.com\/s\.json", which leads to no schema inside/,
		],
		[{ $ref: "file:///etc/passwd" }, /leads to no schema inside/],
		[{ $ref: "#/$defs/none" }, /"#\/\$defs\/none", which leads to no schema/],
		[{ $ref: "#/%E0%A4%A" }, /leads to no schema/],
		[{ $ref: "#/constructor" }, /leads to no schema/],
		[
			{
				$defs: { a: { $dynamicAnchor: "n" }, b: { $dynamicAnchor: "n" } },
				$dynamicRef: "#n",
			},
			/\$dynamicRef/,
		],
		[
			{ $schema: "http://json-schema.org/draft-04/schema#" },
			/dialect that is not supported, "http:\/\/json-schema\.org\/draft-04\/schema#"/,
		],
		[{ $schema: "https://json-schema.org/draft/2019-09/schema" }, /2019-09/],
		[{ $schema: 7 }, /dialect that is not supported, 7/],
		[
			{
				properties: {
					a: { $schema: "http://json-schema.org/draft-07/schema#" },
				},
			},
			/mixes dialects/,
		],
		[[], /no JSON Schema/],
		["string", /no JSON Schema/],
		[null, /no JSON Schema/],
	])("%j", async (schema, words) => {
		const fault = await faultOf(() => validateArguments({}, schema));
		expect(fault.code).toBe("schema-unusable");
		expect(fault.exitStatus).toBe(5);
		expect(fault.what).toMatch(words);
	});
});
