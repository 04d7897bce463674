import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutAtLineEnds } from "../../src/captures/index.ts";
import { LINE_LIMIT_BYTES } from "../../src/captures/read.ts";

const memory = Buffer.alloc(LINE_LIMIT_BYTES);

/** Each chunk is overwritten by the next one. */
async function* inOneMemory(texts: readonly (string | Buffer)[]) {
	for (const text of texts) {
		const bytes = Buffer.from(text);
		bytes.copy(memory);
		yield memory.subarray(0, bytes.length);
	}
}

const roomFor = (length: number) => new Uint8Array(length);

async function cut(texts: readonly (string | Buffer)[]) {
	const pieces: string[] = [];
	for await (const piece of cutAtLineEnds(inOneMemory(texts), roomFor))
		pieces.push(Buffer.from(piece).toString("latin1"));
	return pieces;
}

describe("cutting files into pieces", () => {
	it("gives the same bytes in pieces that end where lines do, however they come", async () => {
		const chunk = fc.string({
			unit: fc.constantFrom("a", "\n", "é"),
			maxLength: 8,
		});
		const property = fc.asyncProperty(fc.array(chunk), async (chunks) => {
			const pieces = await cut(chunks);
			const whole = Buffer.from(chunks.join("")).toString("latin1");
			expect(pieces.join("")).toBe(whole);
			expect(pieces.slice(0, -1).every((one) => one.endsWith("\n"))).toBe(true);
			expect(pieces).not.toContain("");
		});
		await fc.assert(property, { seed: 1, numRuns: 1_000 });
	});

	it("keeps no more of a line that is too long than shows that it is", async () => {
		const part = Buffer.alloc(LINE_LIMIT_BYTES / 2 + 1, "x");
		const pieces = await cut(["a\n", part, part, part, "y\nb\n"]);
		expect(pieces.map((piece) => piece.length)).toEqual([
			2,
			LINE_LIMIT_BYTES + 1 + "\nb\n".length,
		]);
		expect(pieces[1]?.endsWith("x\nb\n")).toBe(true);
	});
});
