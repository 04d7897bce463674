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
