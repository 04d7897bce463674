import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { PLAIN } from "../../src/output/colors.ts";
import { describeSink } from "../../src/output/sink.ts";
import { openStderr } from "../../src/output/stderr.ts";

function open(stream: PassThrough) {
	return openStderr(describeSink(stream, {}), {
		palette: Promise.resolve(PLAIN),
		isQuiet: false,
	});
}

it("leaves out a child's lines while nobody reads, and tells how many", async () => {
	const stream = new PassThrough();
	const stderr = open(stream);
	await stderr.flush();
	for (let count = 0; count < 1_000; count++)
		stderr.childLine("x".repeat(10_000));
	expect(stream.writableLength).toBeLessThan(2 * 1024 * 1024);
	const read = text(stream);
	await stderr.flush();
	stderr.childLine("the end");
	await stderr.flush();
	stream.end();
	const lines = (await read).trimEnd().split("\n");
	expect(lines.at(-1)).toBe("server| the end");
	const leftOut = Number(
		/… (\d+) lines left out/.exec(lines.at(-2) ?? "")?.[1],
	);
	expect(lines.length - 2 + leftOut).toBe(1_000);
});

it("goes on without a word where nobody reads stderr any more", async () => {
	const stream = new PassThrough();
	const stderr = open(stream);
	stderr.write(() => "never read".repeat(10_000));
	stream.destroy(new Error("EPIPE"));
	stderr.write(() => "nor this");
	await stderr.flush();
});
