import { describe, expect, it } from "vitest";
import { Stretch } from "../../../src/grade/push/occurrences.ts";
import { frameOf } from "../../../src/grade/wire/frame.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";

const scribe = openScribe({ now: () => 0, secrets: [], secretHeaders: [] });

const event = (params: Record<string, unknown>, method = "event") => {
	const value = {
		jsonrpc: "2.0",
		method: `notifications/events/${method}`,
		params,
	};
	const about = { direction: "received", via: "http" } as const;
	return frameOf(value, 0, scribe.note(about, Buffer.from("{}")));
};
const AT = "2026-10-01T12:00:00Z";
const told = (eventId: string, n: number, timestamp = AT) =>
	event({ eventId, timestamp, cursor: `c${n}`, data: { n } });

describe("a stretch of events", () => {
	const stretch = new Stretch([told("a", 1), told("b", 2), told("c", 3)]);

	it("knows the cursor of each, where it is one", () => {
		const frames = [told("a", 1), event({ eventId: "b", cursor: 7, data: 2 })];
		expect(new Stretch(frames).events.map(({ cursor }) => cursor)).toEqual([
			"c1",
			undefined,
		]);
	});

	it("tells an event by its id first", () => {
		const twice = new Stretch([told("a", 1), told("a", 2)]);
		expect(twice.placeOf({ eventId: "a", data: { n: 2 } })).toBe(0);
	});

	it("tells one by its data, at whatever time it was made", () => {
		const { params } = told("other", 2, "2026-10-01T12:00:09Z");
		expect(stretch.placeOf(params)).toBe(1);
	});

	it("leaves out what is no event, and other events", () => {
		const frames = [
			told("c", 3),
			event({ eventId: "a", data: { n: 1 } }, "heartbeat"),
			told("z", 9),
			told("a", 1),
		];
		expect(stretch.placesIn(frames)).toEqual([2, 0]);
	});
});

describe("a stretch in which data comes twice", () => {
	const later = "2026-10-01T12:00:01Z";
	const stretch = new Stretch([told("a", 1), told("b", 1, later)]);

	it("tells an event by its time, too", () => {
		expect(stretch.placeByContent(told("x", 1, later).params)).toBe(1);
		expect(stretch.placeByContent(told("x", 1, "else").params)).toBeUndefined();
	});

	it("tells none of two that are alike", () => {
		const alike = new Stretch([told("a", 1), told("b", 1)]);
		expect(alike.placeByContent(told("x", 1).params)).toBeUndefined();
	});

	it("takes data that is too deep for one and the same", () => {
		let deep: unknown = 1;
		for (let level = 0; level < 100_000; level++) deep = [deep];
		const one = new Stretch([event({ eventId: "a", data: deep })]);
		expect(one.placeByContent({ data: deep })).toBe(0);
	});
});
