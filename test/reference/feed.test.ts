import { describe, expect, it } from "vitest";
import { Feed } from "../../src/reference/feed.ts";
import { createManualClock } from "./manual-clock.ts";

function feedOf(count: number, maxEvents = 100, maxBytes?: number) {
	const clock = createManualClock();
	const feed = new Feed<number>({
		clock,
		epoch: "run-1",
		maxEvents,
		...(maxBytes !== undefined && { maxBytes }),
	});
	const emit = () =>
		feed.emit(
			(sequence) => ({
				eventId: `e${sequence}`,
				name: "n",
				at: clock.now(),
				dataText: "{}",
			}),
			++emitted,
		);
	let emitted = 0;
	for (let i = 0; i < count; i++) emit();
	const read = (cursor: string, more = {}, fits = (_: number) => true) => {
		const request = { arguments: {}, cursor, limit: 10, ...more };
		const batch = feed.read(request, fits);
		const ids = batch.events.map(({ head }) => JSON.parse(`${head}}`).eventId);
		return { ...batch, ids };
	};
	return { feed, clock, emit, read };
}

describe("a feed", () => {
	it("gives what came after a cursor, oldest first, and where to go on", () => {
		const { read } = feedOf(5);
		expect(read("v1.run-1.2")).toMatchObject({
			ids: ["e3", "e4", "e5"],
			cursor: "v1.run-1.5",
			hasMore: false,
			truncated: false,
		});
	});

	it("stops at the limit and says that there is more", () => {
		const { read } = feedOf(5);
		const { ids, cursor, hasMore } = read("v1.run-1.0", { limit: 2 });
		expect([ids, cursor, hasMore]).toEqual([["e1", "e2"], "v1.run-1.2", true]);
	});

	it("does not say that there is more when nothing more fits the filter", () => {
		const { read } = feedOf(9);
		const small = (value: number) => value <= 2;
		expect(read("v1.run-1.0", { limit: 2 }, small)).toMatchObject({
			ids: ["e1", "e2"],
			cursor: "v1.run-1.9",
			hasMore: false,
		});
	});

	it("says that the cursor was truncated once its place has left the ring", () => {
		const { read } = feedOf(10, 3);
		expect(read("v1.run-1.7").truncated).toBe(false);
		expect(read("v1.run-1.6")).toMatchObject({
			ids: ["e8", "e9", "e10"],
			from: "v1.run-1.7",
			truncated: true,
		});
	});

	it.each([
		["of another run", "v1.run-0.2"],
		["beyond the last event", "v1.run-1.99"],
	])("takes a cursor %s for a gap", (_what, cursor) => {
		expect(feedOf(3).read(cursor)).toMatchObject({
			cursor: "v1.run-1.3",
			truncated: true,
		});
	});

	it.each(["", "3", "v2.run-1.3", "v1.run-1.-1", "v1.run-1.1e3"])(
		"refuses the cursor %j",
		(cursor) => {
			expect(() => feedOf(3).read(cursor)).toThrow("cursor is none of");
		},
	);

	it("leaves out what is too old, and says so", async () => {
		const { read, clock, emit } = feedOf(2);
		await clock.advance(1_000);
		emit();
		const sinceMs = clock.now() - 500;
		expect(read("v1.run-1.0", { sinceMs })).toMatchObject({
			ids: ["e3"],
			truncated: true,
		});
		expect(read("v1.run-1.2", { sinceMs }).truncated).toBe(false);
	});

	it("keeps no more bytes than it may", () => {
		const { read } = feedOf(100, 1_000, 1_000);
		const { truncated, events } = read("v1.run-1.0", { limit: 100 });
		expect(truncated).toBe(true);
		expect(events.length).toBeLessThan(15);
	});
});

describe("a gap in a feed", () => {
	function feedWithGap() {
		const made = feedOf(2);
		made.feed.tellGap();
		made.emit();
		return made;
	}

	it("is told before what came after it, once what came before it was given", () => {
		const { read } = feedWithGap();
		expect(read("v1.run-1.0")).toMatchObject({
			ids: ["e1", "e2"],
			cursor: "v1.run-1.2",
			hasMore: true,
			truncated: false,
		});
		expect(read("v1.run-1.2")).toMatchObject({
			from: "v1.run-1.3",
			ids: ["e4"],
			hasMore: false,
			truncated: true,
		});
	});

	it("is told to whoever waits at the end, and not to who begins behind it", () => {
		const { feed, read } = feedOf(1);
		feed.tellGap();
		expect(read("v1.run-1.1")).toMatchObject({ truncated: true, ids: [] });
		expect(feed.head()).toBe("v1.run-1.2");
		expect(read("v1.run-1.2").truncated).toBe(false);
	});
});
