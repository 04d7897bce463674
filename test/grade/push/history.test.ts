// What is said of a stretch of events that is read twice, from streams that are made by hand.
import { describe, expect, it } from "vitest";
import { historyChecks } from "../../../src/grade/push/history.ts";
import { frame, judge, slowStreamOf, streamOf } from "./by-hand.ts";

const ACTIVE = frame({
	method: "notifications/events/active",
	params: { cursor: "c0", truncated: false },
});
const event = (n: number) =>
	frame({
		method: "notifications/events/event",
		params: { eventId: `e${n}`, cursor: `c${n}`, data: { n } },
	});

/** Of six events; the stream that begins again in their middle, behind the third, brings these. */
const resume = (...numbers: number[]) =>
	judge(historyChecks, "resume-exactly-once", {
		main: streamOf(ACTIVE, ...[1, 2, 3, 4, 5, 6].map(event)),
		streams: [slowStreamOf(ACTIVE, ...numbers.map(event))],
	});

describe("a stream that begins behind the third of six events", () => {
	it.each([
		["brings the rest of them, one after the other", [4, 5, 6], "holds"],
		["leaves one out", [4, 6], "broken"],
		["brings one twice", [4, 5, 5, 6], "broken"],
		["begins with the third", [3, 4, 5, 6], "broken"],
		["brings nothing", [], "broken"],
		["brings only what cannot be told", [17, 18], "untestable traffic"],
	])("%s", async (_what, numbers, word) => {
		expect(await resume(...numbers)).toBe(word);
	});
});
