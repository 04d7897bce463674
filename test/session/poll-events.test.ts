import { expect, it } from "vitest";
import { askPoll } from "../../src/session/index.ts";
import { scriptedSession } from "./scripted-session.ts";

it("asks with what is given, and reads occurrences as they were written", async () => {
	const event =
		'{"eventId":"1","name":"t","timestamp":"2026-01-01T00:00:00Z","data":{"n":1.0}}';
	const { session, asked } = scriptedSession({
		results: [
			`{"events":[ ${event} ],"cursor":"c","hasMore":true,"nextPollMs":5}`,
		],
	});
	const result = await askPoll(
		session,
		{ name: "t", arguments: {}, cursor: undefined, maxEvents: 3 },
		{ odd: () => {} },
	);
	expect(asked).toEqual([
		{
			method: "events/poll",
			params: { name: "t", arguments: {}, maxEvents: 3 },
		},
	]);
	expect(result.occurrences.map(({ raw }) => raw.toString())).toEqual([event]);
	expect(result).toMatchObject({
		cursor: "c",
		hasMore: true,
		truncated: false,
		nextPollMs: 5,
	});
});
