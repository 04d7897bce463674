import { PassThrough } from "node:stream";
import { finished } from "node:stream/promises";
import { expect, it } from "vitest";
import { readStderr } from "../../../src/session/stdio/stderr-lines.ts";

it("hands over every line, very long ones cut, and keeps the last few", async () => {
	const stderr = new PassThrough();
	const lines: number[] = [];
	const lastLines = readStderr(stderr, (line) => lines.push(line.length));
	for (const text of [
		"one\ntwo\n",
		"x".repeat(100_000),
		"\n\nthree\r\nfo",
		"ur",
	])
		stderr.write(text);
	stderr.end();
	await finished(stderr);
	expect(lines).toEqual([3, 3, 16 * 1024, 0, 5, 4]);
	expect(lastLines().map((text) => text.length)).toEqual([300, 5, 4]);
});
