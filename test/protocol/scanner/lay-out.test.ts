import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { REFUSED, scanSpace } from "../../../src/protocol/json-scan.ts";
import { layOut, scanValue } from "../../../src/protocol/scanner/lay-out.ts";

/** Whether the whole text is one value, by the scan. */
function isTaken(text: string): boolean {
	const bytes = Buffer.from(text, "utf8");
	const end = scanValue(layOut(bytes), scanSpace(bytes, 0));
	return end !== REFUSED && scanSpace(bytes, end) === bytes.length;
}

function isParsed(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

/** What JSON is made of, so that random rows of it are often nearly right. */
const PIECES = [
	...'{}[],:"\\-+.eE0123456789 \t\r\n/bfnrtu',
	...[
		"true",
		"false",
		"null",
		'"a"',
		'"\\u00e9"',
		"1.5e+3",
		'{"a":',
		"\u0001",
		"é",
		"\u2028",
	],
];

describe("a value in JSON", () => {
	it.each([
		...[
			"0",
			"-0",
			"10",
			"1.0",
			"1e400",
			"-1.5E-7",
			'""',
			'"\\u0000"',
			"[]",
			"{}",
			"[1,[2,{}]]",
		],
		...[
			'{"a":1,"a":2}',
			' { "a" : [ 1 ] } ',
			'"☕"',
			'"\\ud800"',
			"true",
			"false",
			"null",
			'"\u007f"',
		],
		...[
			"",
			"01",
			"-",
			"1.",
			".5",
			"1e",
			"+1",
			"0x1",
			"NaN",
			"tru",
			"truefalse",
			'"',
			'"\\x"',
			'"\\u12"',
		],
		...[
			"[1,]",
			"[,1]",
			"[1",
			'{"a"}',
			'{"a":}',
			'{"a":1,}',
			"{a:1}",
			"'a'",
			'"\n"',
			"1 2",
			"\u00a01",
			"[1]]",
		],
	])("is taken or refused as JSON.parse has it: %j", (text) => {
		expect(isTaken(text)).toBe(isParsed(text));
	});

	it("is taken or refused as JSON.parse has it, in random rows of the pieces of JSON", () => {
		const text = fc
			.array(fc.constantFrom(...PIECES), { maxLength: 12 })
			.map((pieces) => pieces.join(""));
		fc.assert(
			fc.property(text, (text) => {
				expect(isTaken(text)).toBe(isParsed(text));
			}),
			{ seed: 3415, numRuns: 20_000 },
		);
	});

	it("is taken or refused as JSON.parse has it, where one byte of good JSON was changed", () => {
		const change = fc.tuple(
			fc.json({ maxDepth: 4 }),
			fc.nat(),
			fc.constantFrom(...PIECES),
		);
		fc.assert(
			fc.property(change, ([text, place, piece]) => {
				const at = place % (text.length + 1);
				const changed = text.slice(0, at) + piece + text.slice(at + 1);
				expect(isTaken(text)).toBe(true);
				expect(isTaken(changed)).toBe(isParsed(changed));
			}),
			{ seed: 3415, numRuns: 5_000 },
		);
	});

	it("is not vouched for where it is nested too deep for the stack", () => {
		const deep = "[".repeat(1_000_000) + "]".repeat(1_000_000);
		expect(isTaken(deep)).toBe(false);
		expect(isTaken("[".repeat(100) + "]".repeat(100))).toBe(true);
	});

	it("ends where its text ends, whatever was laid out before it", () => {
		const longer = layOut(Buffer.from(`"${"a".repeat(100_000)}"`));
		expect(scanValue(longer, 0)).toBe(100_002);
		const scan = (text: string) => scanValue(layOut(Buffer.from(text)), 0);
		for (const cut of ['"aaa', "[1", '{"a":']) expect(scan(cut)).toBe(REFUSED);
		expect(scan("12")).toBe(2);
	});

	it("is scanned where it lies, in turn with one that lies elsewhere", () => {
		const one = layOut(Buffer.from('  "one"'));
		const other = layOut(Buffer.from("[1,2,3,4]"));
		for (let times = 0; times < 2; times++) {
			expect(scanValue(one, 2)).toBe(7);
			expect(scanValue(other, 0)).toBe(9);
		}
	});

	it("ends at its quote, wherever that stands among the sixteen bytes that are read at once", () => {
		for (let length = 0; length < 50; length++) {
			const letters = "a".repeat(length);
			expect(isTaken(`"${letters}é"`)).toBe(true);
			expect(isTaken(`"${letters}\\\\"`)).toBe(true);
			expect(isTaken(`"${letters}\\"`)).toBe(false);
			expect(isTaken(`"${letters}\\u0001"`)).toBe(true);
			expect(isTaken(`"${letters}\u001f"`)).toBe(false);
			expect(isTaken(`"${letters}`)).toBe(false);
		}
	});
});
