import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { findProblems } from "../../../src/arguments/index.ts";
import { openStdinSource } from "../../../src/reference/index.ts";
import { createManualClock } from "../manual-clock.ts";

const T0 = 1_800_000_000_000;

async function readAll(text: string | Buffer, more = {}) {
	const input = new PassThrough();
	const notes: string[] = [];
	const source = openStdinSource({
		input,
		clock: createManualClock(T0),
		epoch: "run",
		note: (note) => notes.push(note),
		...more,
	});
	input.end(text);
	await new Promise((resolve) => input.once("close", resolve));
	const [type] = source.types;
	const batch = await type?.read({
		arguments: {},
		cursor: "v1.run.0",
		limit: 100,
	});
	const texts = batch?.events.map(({ head }) => `${head}}`) ?? [];
	return { texts, events: texts.map((t) => JSON.parse(t)), notes, type };
}

describe("a line on stdin", () => {
	it.each([
		['{"a":1.0,"b":-0,"c":1e400,"c":12345678901234567890}', undefined],
		['  {"a": "\\u0041\\ud800"}\t', undefined],
		['{"a":1}\r', '{"a":1}'],
		['{"a":\r1}', '{"a":1}'],
		["[1.0,2]", '{"value":[1.0,2]}'],
		["null", '{"value":null}'],
		["plain text", '{"line":"plain text"}'],
		['{"torn":', '{"line":"{\\"torn\\":"}'],
		["a\rb", '{"line":"a\\rb"}'],
	])("%j becomes a payload, its JSON as it was written", async (line, data) => {
		const { texts } = await readAll(`${line}\n`);
		expect(texts).toEqual([expect.stringContaining(`"data":${data ?? line}}`)]);
	});

	it("may be the last, without an end; empty ones are none", async () => {
		const { events } = await readAll('\n{"a":1}\n \n\r\n{"b":2}');
		expect(events.map((event) => event.data)).toEqual([{ a: 1 }, { b: 2 }]);
	});

	it("gets a stable id of its own where it brings none", async () => {
		const { events } = await readAll("{}\n{}\n", { eventName: "my.event" });
		expect(events.map(({ eventId, name }) => [eventId, name])).toEqual([
			["my.event-run-1", "my.event"],
			["my.event-run-2", "my.event"],
		]);
	});

	it.each([
		['{"id":"x-1"}', "x-1"],
		['{"id":12345678901234567890}', "12345678901234567890"],
		['{"id":null}', "stdin.line-run-1"],
		['{"id":""}', "stdin.line-run-1"],
		["[]", "stdin.line-run-1"],
	])("%s names its own id where it can", async (line, id) => {
		const { events } = await readAll(line, { idField: "id" });
		expect(events[0].eventId).toBe(id);
	});

	it.each([
		['{"at":"2026-01-02T03:04:05+01:00"}', "2026-01-02T02:04:05.000Z"],
		['{"at":1767323045}', "2026-01-02T03:04:05.000Z"],
		['{"at":1767323045678}', "2026-01-02T03:04:05.678Z"],
		['{"at":"yesterday"}', new Date(T0).toISOString()],
		['{"at":1e300}', new Date(T0).toISOString()],
		['{"at":-5}', new Date(T0).toISOString()],
	])("%s says when it happened where it can", async (line, timestamp) => {
		const { events } = await readAll(line, { timestampField: "at" });
		expect(events[0].timestamp).toBe(timestamp);
	});

	it("over the limit is left out, and the operator told", async () => {
		const { events, notes } = await readAll(
			`{"a":1}\n${"x".repeat(2 ** 21)}\n{"b":2}\n`,
		);
		expect(events.map((event) => event.data)).toEqual([{ a: 1 }, { b: 2 }]);
		expect(notes).toEqual([expect.stringContaining("over 1048576 bytes")]);
	});

	it("with bytes that are no UTF-8 arrives with them replaced", async () => {
		const { events } = await readAll(Buffer.from([0x61, 0xff, 0x62, 0x0a]));
		expect(events[0].data).toEqual({ line: "a�b" });
	});

	it("fits the payloadSchema", async () => {
		const { events, type } = await readAll('{"a":1}\nx\n[1]\n');
		for (const { data } of events)
			expect(await findProblems(data, type?.descriptor.payloadSchema)).toEqual(
				[],
			);
	});
});
