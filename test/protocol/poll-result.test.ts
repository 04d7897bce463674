import { describe, expect, it } from "vitest";
import { parseMessage } from "../../src/protocol/message.ts";
import { readPollResult } from "../../src/protocol/poll-result.ts";

const EVENT =
	'{"eventId":"e1","name":"n","timestamp":"2026-11-30T00:00:00Z","data":{"n":1.0}}';

function read(result: string) {
	const odd: string[] = [];
	const message = parseMessage(
		Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${result}}`),
	);
	if (message.kind !== "result")
		throw new Error("the test's message is no result");
	return { ...readPollResult(message, (what) => odd.push(what)), odd };
}

describe("a poll result", () => {
	it("keeps each event's own text", () => {
		const { occurrences, odd } = read(
			`{"events":[${EVENT} , ${EVENT}],"cursor":"c","truncated":false,"hasMore":true,"nextPollMs":5}`,
		);
		expect(occurrences.map(({ raw }) => raw.toString())).toEqual([
			EVENT,
			EVENT,
		]);
		expect(odd).toEqual([]);
	});

	it("takes the last of two events members, as JSON.parse does", () => {
		const { occurrences } = read(
			`{"events":[],"events":[${EVENT}],"nextPollMs":1}`,
		);
		expect(occurrences.map(({ eventId }) => eventId)).toEqual(["e1"]);
	});

	it.each([
		['{"events":[],"nextPollMs":250}', 250],
		['{"events":[],"nextPollSeconds":2}', 2000],
		['{"events":[]}', undefined],
		['{"events":[],"nextPollMs":"5"}', undefined],
		['{"events":[],"nextPollMs":-1}', undefined],
		['{"events":[],"nextPollMs":1e400}', undefined],
	])("says when to ask again: %s", (result, expected) => {
		expect(read(result).nextPollMs).toBe(expected);
	});

	it("reads what is missing as false, null and empty", () => {
		expect(read("{}")).toMatchObject({
			occurrences: [],
			cursor: undefined,
			truncated: false,
			hasMore: false,
		});
	});

	it.each([
		["events that are no array", '{"events":{}}'],
		["an event that is no object", '{"events":[1]}'],
		["an event without an id", '{"events":[{"name":"n"}]}'],
		[
			"an event with an id that is a number",
			'{"events":[{"eventId":1,"name":"n"}]}',
		],
		["an event without a name", '{"events":[{"eventId":"e"}]}'],
		["a cursor that is a number", '{"events":[],"cursor":7}'],
	])("is refused: %s", (_name, result) => {
		expect(() => read(result)).toThrow(
			expect.objectContaining({ code: "wrong-shape", exitStatus: 5 }),
		);
	});

	it("tells of a timestamp that is none, and prints the event all the same", () => {
		const { odd, occurrences } = read(
			'{"events":[{"eventId":"e","name":"n","timestamp":"now","data":{}}],"nextPollMs":1}',
		);
		expect(occurrences).toHaveLength(1);
		expect(odd).toHaveLength(1);
	});
});
