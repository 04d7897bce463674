import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentFlags } from "../../src/arguments/flags.ts";
import { parseArguments } from "../../src/arguments/parse.ts";
import { parseArgumentsJson } from "../../src/arguments/parse-json.ts";

const schema = {
	properties: {
		text: { type: "string" },
		whole: { type: "integer" },
		real: { type: "number" },
		yes: { type: "boolean" },
		maybe: { type: ["integer", "null"] },
		list: { type: "array", items: { type: "string" } },
		rows: { type: "array", items: { type: "object" } },
		"dotted.key": { type: "string" },
		part: {
			type: "object",
			properties: { text: { type: "string" }, "a.b": { type: "boolean" } },
		},
	},
};

/** What a POSIX shell makes of the words. */
function shellRead(words: string[]): string[] {
	const script = `printf '%s\\0' ${words.join(" ")}`;
	return execFileSync("/bin/sh", ["-c", script], { encoding: "utf8" })
		.split("\0")
		.slice(0, -1);
}

function readBack(words: string[]) {
	if (words[0] === "--args")
		return parseArgumentsJson(words[1] ?? "", "--args");
	return parseArguments(
		words.filter((_, i) => i % 2 === 1),
		schema,
	);
}

/** A shell is slow to start, so the property undoes the quoting itself; the rows below show that a shell agrees. */
const unquote = (word: string) =>
	word.startsWith("'") ? word.slice(1, -1).replaceAll("'\\''", "'") : word;

describe("arguments as words of a command line", () => {
	it.each<[Record<string, unknown>, string[]]>([
		[{ text: "plain" }, ["-a", "text=plain"]],
		[
			{ text: 'it\'s $HOME `x` \\ "q"\n*' },
			["-a", "'text=it'\\''s $HOME `x` \\ \"q\"\n*'"],
		],
		[{ list: ["a", "b"] }, ["-a", "list=a", "-a", "list=b"]],
		[
			{ part: { text: "5", "a.b": true } },
			["-a", "part.text=5", "-a", "part.a.b=true"],
		],
		[{ part: {} }, ["-a", "'part={}'"]],
		[{ list: [] }, ["--args", `'{"list":[]}'`]],
		[{ maybe: null, whole: -3 }, ["-a", "maybe=null", "-a", "whole=-3"]],
		[{ rows: [{ a: 1 }] }, ["-a", `'rows={"a":1}'`]],
		[{ unknown: "5" }, ["--args", `'{"unknown":"5"}'`]],
		[{ text: "nul\0" }, ["--args", `'{"text":"nul\\u0000"}'`]],
		[{ real: 1e-7 }, ["--args", `'{"real":1e-7}'`]],
		[{}, []],
	])("%j", (args, words) => {
		expect(argumentFlags(args, schema)).toStrictEqual(words);
		expect(readBack(shellRead(words))).toStrictEqual(args);
	});

	it("are read back to the same arguments, whatever these are", () => {
		const values = fc.record(
			{
				text: fc.string({ unit: "grapheme" }),
				whole: fc.maxSafeInteger(),
				real: fc
					.double({ noNaN: true, noDefaultInfinity: true })
					.filter(
						(n) =>
							!Object.is(n, -0) &&
							(Number.isSafeInteger(n) || !Number.isInteger(n)),
					),
				yes: fc.boolean(),
				maybe: fc.option(fc.integer()),
				list: fc.array(fc.string(), { maxLength: 3 }),
				"dotted.key": fc.string(),
				part: fc.record(
					{ text: fc.string(), "a.b": fc.boolean() },
					{ requiredKeys: [] },
				),
			},
			{ requiredKeys: [], noNullPrototype: true },
		);
		fc.assert(
			fc.property(values, (args) => {
				const words = argumentFlags(args, schema).map(unquote);
				expect(JSON.stringify(readBack(words))).toBe(JSON.stringify(args));
			}),
			{ seed: 3415, numRuns: 200 },
		);
	});

	it("are read back without a schema too, whatever the JSON", () => {
		const anyArgs = fc.dictionary(
			fc.string(),
			fc
				.jsonValue({ maxDepth: 3 })
				.filter((v) => !/-0\b|e\+?\d/.test(JSON.stringify(v))),
			{ noNullPrototype: true },
		);
		fc.assert(
			fc.property(anyArgs, (args) => {
				const words = argumentFlags(args).map(unquote);
				const back =
					words[0] === "--args"
						? JSON.parse(words[1] ?? "")
						: parseArguments(words.filter((_, i) => i % 2 === 1));
				expect(back).toEqual(JSON.parse(JSON.stringify(args)));
			}),
			{ seed: 3415, numRuns: 150 },
		);
	});
});
