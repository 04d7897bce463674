import fc from "fast-check";
import { expect, it } from "vitest";
import { LineSplitter } from "../../src/protocol/line-splitter.ts";
import { startOwnTime } from "../helpers/own-time.ts";

function split(chunks: Buffer[], limitBytes = 1000) {
	const lines: string[] = [];
	const tooLong: string[] = [];
	const splitter = new LineSplitter(limitBytes, {
		onLine: (line) => lines.push(line.toString("latin1")),
		onTooLong: (beginning) => tooLong.push(beginning.toString("latin1")),
	});
	for (const chunk of chunks) splitter.push(chunk);
	splitter.end();
	return { lines, tooLong };
}

it("gives the same lines however the bytes are cut", () => {
	const text = fc.stringMatching(/^[ab\r\n]{0,60}$/);
	fc.assert(
		fc.property(text, fc.array(fc.nat(7)), (whole, cuts) => {
			const bytes = Buffer.from(whole);
			const chunks: Buffer[] = [];
			let at = 0;
			for (const cut of cuts) {
				chunks.push(bytes.subarray(at, at + cut));
				at += cut;
			}
			chunks.push(bytes.subarray(at));
			const expected = whole.split("\n");
			if (expected.at(-1) === "") expected.pop();
			expect(split(chunks).lines).toEqual(
				expected.map((line) => line.replace(/\r$/, "")),
			);
		}),
		{ seed: 3415 },
	);
});

it.each([
	["whole", ["aaaaaaaaaa\nb\n"]],
	["in pieces", ["aaa", "aaa", "aaa", "a\nb", "\n"]],
	["with its end cut off", ["aaaaaa", "\nb\n"]],
])("skips a line over the limit and goes on after it: %s", (_, chunks) => {
	const { lines, tooLong } = split(
		chunks.map((chunk) => Buffer.from(chunk)),
		5,
	);
	expect(lines).toEqual(["b"]);
	expect(tooLong).toEqual(["aaaaa"]);
});

it("takes a long line byte by byte in linear time", () => {
	const ownTimeMs = startOwnTime();
	const bytes = Array.from({ length: 100_000 }, () => Buffer.from("a"));
	expect(split([...bytes, Buffer.from("\n")], 1_000_000).lines[0]).toHaveLength(
		100_000,
	);
	expect(ownTimeMs()).toBeLessThan(3_000);
});
