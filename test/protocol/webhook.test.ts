import { describe, expect, it } from "vitest";
import { headerValues, readDeliveryContent } from "../../src/protocol/index.ts";

function read(text: string) {
	const notes: string[] = [];
	const content = readDeliveryContent(
		Buffer.from(text),
		JSON.parse(text),
		(note) => notes.push(note),
	);
	return { content, notes };
}

describe("the body of a delivery", () => {
	it("without a type is an occurrence, kept as it was written", () => {
		const text =
			'{"eventId":"e","name":"n","timestamp":"2026-01-01T00:00:00Z","data":{"n":1.0},"cursor":null}';
		const { content, notes } = read(text);
		expect(content).toMatchObject({
			kind: "event",
			occurrence: { eventId: "e", raw: Buffer.from(text), cursor: undefined },
		});
		expect(notes).toEqual([]);
	});

	it.each([
		[
			'{"type":"verification","challenge":"n-1"}',
			{ kind: "verification", challenge: "n-1" },
			0,
		],
		['{"type":"gap","cursor":"c"}', { kind: "gap", cursor: "c" }, 0],
		['{"type":"gap"}', { kind: "gap", cursor: undefined }, 1],
		[
			'{"type":"terminated","error":{"code":-32012,"message":"no"}}',
			{
				kind: "terminated",
				error: { name: "Forbidden", code: -32012, message: "no" },
			},
			0,
		],
		[
			'{"type":"terminated"}',
			{ kind: "terminated", error: { name: "Unknown" } },
			1,
		],
		[
			'{"type":"news","eventId":"e","name":"n"}',
			{ kind: "unknown", type: "news" },
			0,
		],
		['{"type":null}', { kind: "unknown", type: "" }, 0],
	])("%s is an envelope", (text, expected, notes) => {
		const read1 = read(text);
		expect(read1.content).toMatchObject(expected);
		expect(read1.notes).toHaveLength(notes);
	});

	it.each([
		"[]",
		'"x"',
		"{}",
		'{"eventId":1,"name":"n"}',
		'{"type":"verification"}',
		'{"type":"verification","challenge":""}',
	])("%s is neither", (text) => {
		expect(() => read(text)).toThrow(
			expect.objectContaining({ code: "wrong-shape" }),
		);
	});
});

it("a header's values are found whatever the case of its name, in order", () => {
	expect(
		headerValues(
			[
				["A", "1"],
				["b", "2"],
				["a", "3"],
			],
			"a",
		),
	).toEqual(["1", "3"]);
});
