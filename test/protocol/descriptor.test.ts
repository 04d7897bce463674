import { describe, expect, it } from "vitest";
import { readDescriptor } from "../../src/protocol/descriptor.ts";

function read(text: string) {
	const odd: string[] = [];
	const bytes = Buffer.from(text);
	const span = { start: 0, end: bytes.length };
	const descriptor = readDescriptor(bytes, span, JSON.parse(text), (what) =>
		odd.push(what),
	);
	return { ...descriptor, odd };
}

describe("a descriptor", () => {
	it("is read with nothing odd when it is complete", () => {
		const text =
			'{"name":"a","description":"d","delivery":["push","poll"],"inputSchema":{},"payloadSchema":{"type":"object"}}';
		expect(read(text)).toMatchObject({
			name: "a",
			delivery: ["push", "poll"],
			odd: [],
		});
		expect(read(text).raw.toString()).toBe(text);
	});

	it("lives without a description and schemas", () => {
		expect(read('{"name":"a","delivery":["poll"]}')).toMatchObject({
			description: "",
			inputSchema: undefined,
			odd: ["a: inputSchema is missing", "a: payloadSchema is missing"],
		});
	});

	it.each([
		['["poll","poll"]', ["poll"]],
		['["pigeon","push"]', ["push"]],
		["[]", []],
		["null", []],
		['{"mode":"poll"}', []],
	])("keeps the modes that we know of %s", (delivery, expected) => {
		const { delivery: modes, odd } = read(
			`{"name":"a","delivery":${delivery},"inputSchema":{},"payloadSchema":{}}`,
		);
		expect(modes).toEqual(expected);
		expect(odd).toHaveLength(1);
	});

	it.each(["{}", '{"name":7}', '{"name":""}', "[]", "null"])(
		"is refused without a name: %s",
		(text) => {
			expect(() => read(text)).toThrow(
				expect.objectContaining({ code: "wrong-shape" }),
			);
		},
	);
});
