import { describe, expect, it } from "vitest";
import { createLineCutter } from "../../src/reference/byte-lines.ts";

function cut(bytes: Buffer, at: number, limitBytes = 10) {
	const lines: string[] = [];
	const cutter = createLineCutter(limitBytes, {
		line: (line) => lines.push(line.toString()),
		tooLong: () => lines.push("TOO LONG"),
	});
	cutter.push(bytes.subarray(0, at));
	cutter.push(bytes.subarray(at));
	cutter.end();
	return lines;
}

describe("lines from bytes", () => {
	it("are the same wherever the bytes are cut", () => {
		const bytes = Buffer.from("né\r\n\nlonger than ten\nlast");
		for (let at = 0; at <= bytes.length; at++)
			expect(cut(bytes, at)).toEqual(["né", "", "TOO LONG", "last"]);
	});

	it("may be as long as the limit", () => {
		expect(cut(Buffer.from("0123456789\n0123456789a"), 3)).toEqual([
			"0123456789",
			"TOO LONG",
		]);
	});
});
