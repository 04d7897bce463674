import { PassThrough } from "node:stream";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines } from "../../src/tunnel/read-lines.ts";

async function linesOf(chunks: readonly (string | Buffer)[]) {
	const stream = new PassThrough();
	const lines: string[] = [];
	readLines(stream, (line) => lines.push(line));
	for (const chunk of chunks) stream.write(chunk);
	stream.end();
	await new Promise((resolve) => stream.once("end", resolve));
	return lines;
}

describe("the lines of a program", () => {
	it("are whole however its writes are cut, letters of many bytes too", async () => {
		const text = "ä one\nhttps://x.example\r\nthree\rfour 🙂";
		const bytes = Buffer.from(text);
		await fc.assert(
			fc.asyncProperty(fc.array(fc.nat(bytes.length)), async (cuts) => {
				const ends = [...cuts, bytes.length].sort((a, b) => a - b);
				const chunks = ends.map((end, at) =>
					bytes.subarray(ends[at - 1] ?? 0, end),
				);
				const lines = await linesOf(chunks);
				expect(lines).toEqual([
					"ä one",
					"https://x.example",
					"three",
					"four 🙂",
				]);
			}),
			{ seed: 7, numRuns: 50 },
		);
	});

	it("over the limit are skipped, and the next one is read", async () => {
		const long = Array.from({ length: 40 }, () => "x".repeat(1000));
		expect(await linesOf(["a\n", ...long, "https://no.example\nb\n"])).toEqual([
			"a",
			"b",
		]);
	});
});
