import { expect, it } from "vitest";
import { GrowingBytes } from "../../src/protocol/growing-bytes.ts";

const over = (): never => {
	throw new Error("over");
};

it("gives back what was appended, whatever the pieces", () => {
	const bytes = new GrowingBytes(10_000, over);
	const text = "äöü€𝄞 ".repeat(200);
	for (const byte of Buffer.from(text)) bytes.append(Buffer.from([byte]));
	expect(bytes.take().toString()).toBe(text);
	expect(bytes.length).toBe(0);
});

it.each([
	["as many as were expected", 100],
	["fewer than were expected", 1_000],
	["more than were expected", 10],
	["fewer than anybody could hold", 2 ** 52],
	["some, where a part of one was expected", 0.5],
])("gives back what was appended: %s", (_, expected) => {
	const bytes = new GrowingBytes(10_000, over, expected);
	for (let n = 0; n < 100; n++) bytes.appendByte(n);
	expect([...bytes.take()]).toEqual([...Array(100).keys()]);
});

it("makes memory once for what was expected, and little for a large promise", () => {
	const memoryFor = (expected: number) => {
		const bytes = new GrowingBytes(10_000, over, expected);
		bytes.appendByte(1);
		return bytes.view.buffer.byteLength;
	};
	expect(memoryFor(5_000)).toBe(5_000);
	expect(memoryFor(2 ** 40)).toBeLessThan(2 ** 21);
});

it("appends a part of a source", () => {
	const bytes = new GrowingBytes(10, over);
	bytes.append(Buffer.from("abcdef"), 2, 4);
	expect(bytes.take().toString()).toBe("cd");
});

it("keeps what it gave away untouched by what comes next", () => {
	const bytes = new GrowingBytes(10, over);
	bytes.append(Buffer.from("one"));
	const first = bytes.take();
	bytes.append(Buffer.from("two"));
	expect(first.toString()).toBe("one");
});

it("begins anew in the same memory where nobody needs what was there", () => {
	const bytes = new GrowingBytes(10, over);
	bytes.append(Buffer.from("one"));
	bytes.appendByte(0x0a);
	const { view } = bytes;
	expect(view.toString()).toBe("one\n");
	bytes.clear();
	bytes.append(Buffer.from("two"));
	expect(bytes.view.toString()).toBe("two");
	expect(view.toString()).toBe("two\n");
});

it("takes exactly the limit, and stops before it holds one byte more", () => {
	const bytes = new GrowingBytes(4, over);
	bytes.append(Buffer.from("1234"));
	expect(() => bytes.append(Buffer.from("5"))).toThrow("over");
	expect(() => bytes.appendByte(0x35)).toThrow("over");
	expect(bytes.length).toBe(4);
});
