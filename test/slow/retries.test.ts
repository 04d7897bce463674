// What fails for the moment is tried again, and nothing is printed twice or lost by it: seen from outside, in real time.
import { expect, test } from "vitest";
import { RAW_FAULTS } from "../fixtures/servers/raw-faults.ts";
import {
	type Answer,
	openRawOddities,
	type RawOptions,
} from "../fixtures/servers/raw-oddities.ts";
import { VERBATIM_EVENTS } from "../fixtures/verbatim-events.ts";
import { runCli } from "../helpers/run-cli.ts";

const COUNT = String(VERBATIM_EVENTS.length);
const IDS = VERBATIM_EVENTS.map(({ text }) => JSON.parse(text).eventId);
const patiently = { deadlineMs: 120_000 };

test.each<[string, RawOptions]>([
	["is cut after three events each time", { eventsPerStream: 3 }],
	[
		"ends with its final frame after three events each time",
		{ eventsPerStream: 3, oddities: ["final-frame"] },
	],
])("a stream that %s goes on from its last cursor", async (_, options) => {
	await using server = await openRawOddities(options);
	const words = ["stream", server.url, "verbatim.case", "--cursor", "0"];
	const run = await runCli([...words, "--count", COUNT], patiently);
	expect(run.status).toBe(0);
	expect(run.lines.map((line) => JSON.parse(line).eventId)).toEqual(IDS);
	const cursors = server.asked
		.filter(({ method }) => method === "events/stream")
		.map(({ params }) => params.cursor);
	expect(cursors).toEqual(["0", "3", "6", "9", "12", "15", "18"]);
	expect(run.stderr.match(/connects again/g)).toHaveLength(6);
});

test("a poll that is told to wait waits, and then goes on", async () => {
	const times: number[] = [];
	let refusals = 0;
	const refuseTwice: Answer = (asked, response) => {
		times.push(performance.now());
		if (refusals++ < 2) RAW_FAULTS["429"](asked, response);
		else
			response
				.writeHead(200, { "content-type": "application/json" })
				.end(
					`{"jsonrpc":"2.0","id":${JSON.stringify(asked.id)},"result":{"events":[${VERBATIM_EVENTS[0]?.text}],"cursor":"1"}}`,
				);
	};
	await using server = await openRawOddities({
		instead: { "events/poll": refuseTwice },
	});
	const words = ["poll", server.url, "verbatim.case", "--cursor", "0"];
	const run = await runCli([...words, "--count", "1"], patiently);
	expect(run).toMatchObject({ status: 0, lines: [VERBATIM_EVENTS[0]?.text] });
	const [first = 0, second = 0, third = 0] = times;
	expect(Math.min(second - first, third - second)).toBeGreaterThan(950);
});

test.each([
	["poll", "500"],
	["poll", "503"],
	["poll", "an SSE answer without a response"],
	["poll", "a connection cut in the middle"],
	["stream", "500"],
	["stream", "a connection cut in the middle"],
	["stream", "an SSE answer without a response"],
] as const)("a %s that meets %s every time gives up", async (by, fault) => {
	await using server = await openRawOddities({
		instead: { [`events/${by}`]: RAW_FAULTS[fault] },
	});
	const words = [by, server.url, "verbatim.case", "--cursor", "0"];
	const run = await runCli(words, patiently);
	expect([3, 5]).toContain(run.status);
	const tries = server.asked.filter(({ method }) => method === `events/${by}`);
	expect(tries).toHaveLength(5);
	// It is down and stays down: that is told once.
	expect(run.stderr.match(/connects again in/g)).toHaveLength(1);
	expect(run.stderr).toMatch(/stopped: .*to go on: --cursor '0'\n$/);
});
