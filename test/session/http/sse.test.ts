import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSseParser, type SseEvent } from "../../../src/session/http/sse.ts";
import { startOwnTime } from "../../helpers/own-time.ts";

const LIMIT = 1024 * 1024;
const over = (): never => {
	throw new Error("over");
};

function parse(chunks: (string | Buffer)[], limitBytes = LIMIT) {
	const parser = openSseParser(limitBytes, over);
	const events: SseEvent[] = [];
	for (const chunk of chunks) parser.push(Buffer.from(chunk), events);
	return events.map(({ type, data }) => [type, data.toString()]);
}

// The first four are the examples of the WHATWG standard, 9.2.6.
const streams: [what: string, text: string, events: [string, string][]][] = [
	[
		"several data lines",
		"data: YHOO\ndata: +2\ndata: 10\n\n",
		[["", "YHOO\n+2\n10"]],
	],
	[
		"comments and ids, one space dropped",
		": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
		[
			["", "first event"],
			["", "second event"],
			["", " third event"],
		],
	],
	[
		"empty data, and data alone on the last line",
		"data\n\ndata\ndata\n\ndata:",
		[["", "\n"]],
	],
	[
		"no space or one",
		"data:test\n\ndata: test\n\n",
		[
			["", "test"],
			["", "test"],
		],
	],
	[
		"CR",
		"data: a\rdata: b\r\rdata: c\r\r",
		[
			["", "a\nb"],
			["", "c"],
		],
	],
	["CRLF", "data: a\r\ndata: b\r\n\r\n", [["", "a\nb"]]],
	["mixed ends", "data: a\rdata: b\ndata: c\r\n\n", [["", "a\nb\nc"]]],
	["a byte order mark at the start", "\ufeffdata: a\n\n", [["", "a"]]],
	["a second byte order mark is part of a name", "\ufeff\ufeffdata: a\n\n", []],
	[
		"a type, which ends with its event",
		"event: x\ndata: a\n\ndata: b\n\n",
		[
			["x", "a"],
			["", "b"],
		],
	],
	["a type without data", "event: x\n\ndata: b\n\n", [["", "b"]]],
	[
		"retry and unknown fields",
		"retry: 10\nfoo: bar\ndata: a\nDATA: b\ndatax: c\n\n",
		[["", "a"]],
	],
	["an unfinished event", "data: a\n\ndata: b\n", [["", "a"]]],
	["colons and spaces in data", "data:a: b \n\n", [["", "a: b "]]],
	["a field name behind a space", " data: a\n\n", []],
	["an empty first data line", "data:\ndata: a\n\n", [["", "\na"]]],
	[
		"multi-byte characters",
		"data: ä€𝄞\u2028\u0085\n\n",
		[["", "ä€𝄞\u2028\u0085"]],
	],
];

describe("an event stream", () => {
	it.each(streams)("is read by the standard: %s", (_what, text, events) => {
		expect(parse([text])).toEqual(events);
	});

	it.each(streams)(
		"reads the same cut at any byte: %s",
		(_what, text, events) => {
			const bytes = Buffer.from(text);
			for (let cut = 0; cut <= bytes.length; cut++)
				expect(parse([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(
					events,
				);
			expect(parse([...bytes].map((byte) => Buffer.from([byte])))).toEqual(
				events,
			);
		},
	);

	it("reads the same however it is cut, over line ends of every kind", () => {
		const piece = fc.constantFrom(
			"data",
			"data:",
			"data: ",
			"event: m",
			":",
			"id: 1",
			"\r",
			"\n",
			"\r\n",
			"\n\n",
			"x",
			"€",
			"\ufeff",
			" ",
		);
		const cases = fc.tuple(
			fc.array(piece, { maxLength: 40 }),
			fc.array(fc.nat(200)),
		);
		fc.assert(
			fc.property(cases, ([pieces, cuts]) => {
				const bytes = Buffer.from(pieces.join(""));
				const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
				const chunks = places.map((place, at) =>
					bytes.subarray(place, places[at + 1]),
				);
				expect(parse(chunks)).toEqual(parse([bytes]));
			}),
			{ seed: 3415, numRuns: 500 },
		);
	});

	it("copies nothing where an event lies within a chunk", () => {
		const chunk = Buffer.from("data: abc\n\n");
		const events: SseEvent[] = [];
		openSseParser(LIMIT, over).push(chunk, events);
		chunk[6] = 0x7a;
		expect(events[0]?.data.toString()).toBe("zbc");
	});

	it("passes bytes that are no UTF-8 on as they are", () => {
		const events: SseEvent[] = [];
		const bytes = Buffer.from([
			...Buffer.from("data: "),
			0xff,
			0xc3,
			0x0a,
			0x0a,
		]);
		openSseParser(LIMIT, over).push(bytes, events);
		expect(events[0]?.data).toEqual(Buffer.from([0xff, 0xc3]));
	});
});

describe("the limit", () => {
	const long = "x".repeat(101);
	it.each([
		["one line in one chunk", [`data: ${long}\n`]],
		["a line that never ends", ["data: ", ...long, ..."and more"]],
		["a comment that never ends", [":", ...Array(12).fill("0123456789")]],
		["many data lines", Array(60).fill("data: x\n")],
		["many empty data lines", Array(110).fill("data\n")],
	])("stops %s while it grows", (_what, chunks) => {
		expect(() => parse(chunks, 100)).toThrow("over");
	});

	it("lets data of exactly the limit pass, in one chunk or in many", () => {
		const text = `data: ${"x".repeat(100)}\n\n`;
		expect(parse([text], 100)).toHaveLength(1);
		expect(parse([...text], 100)).toHaveLength(1);
	});

	it("hands over the events before it", () => {
		const events: SseEvent[] = [];
		const chunk = Buffer.from(`data: a\n\ndata: ${long}\n\n`);
		expect(() => openSseParser(100, over).push(chunk, events)).toThrow("over");
		expect(events).toHaveLength(1);
	});

	it("is one of a message: comments without end between events are fine", () => {
		const comments = Array<string>(1000).fill(": still here\n");
		expect(parse([...comments, "data: a\n\n"], 100)).toEqual([["", "a"]]);
	});
});

describe("the time it takes", () => {
	it("is linear: a megabyte byte by byte, and the same in empty data lines", () => {
		const ownTimeMs = startOwnTime();
		const frame = Buffer.from(`data: ${"x".repeat(LIMIT)}\n\n`);
		const parser = openSseParser(LIMIT, over);
		const events: SseEvent[] = [];
		for (let at = 0; at < frame.length; at++)
			parser.push(frame.subarray(at, at + 1), events);
		parser.push(Buffer.from(`${"data\n".repeat(LIMIT / 2)}\n`), events);
		expect(events).toHaveLength(2);
		expect(ownTimeMs()).toBeLessThan(3_000);
	});
});

it("counts the comment lines, which carry nothing", () => {
	const parser = openSseParser(LIMIT, over);
	parser.push(Buffer.from(": a\n\n:\n\ndata: b\n: c\n\n"), []);
	expect(parser.comments).toBe(3);
});
