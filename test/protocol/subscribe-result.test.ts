import { expect, it } from "vitest";
import { readSubscribeResult } from "../../src/protocol/index.ts";

const granted = {
	id: "sub_1",
	refreshBefore: "2026-12-01T10:00:00Z",
	cursor: "c",
	truncated: false,
};

function read(changes: Record<string, unknown>) {
	const odd: string[] = [];
	const grant = readSubscribeResult({ ...granted, ...changes }, (what) =>
		odd.push(what),
	);
	return { grant, odd };
}

it("reads a grant as the contract has it", () => {
	expect(read({})).toEqual({
		grant: {
			id: "sub_1",
			refreshBefore: Date.UTC(2026, 11, 1, 10),
			cursor: "c",
			truncated: false,
			deliveryStatus: undefined,
		},
		odd: [],
	});
});

it.each([
	["null", null, null],
	["another zone", "2026-12-01T12:00:00+02:00", Date.UTC(2026, 11, 1, 10)],
	["a fraction", "2026-12-01T10:00:00.5Z", Date.UTC(2026, 11, 1, 10) + 500],
])("reads an expiry of %s without a note", (_what, refreshBefore, time) => {
	const { grant, odd } = read({ refreshBefore });
	expect(grant.refreshBefore).toBe(time);
	expect(odd).toEqual([]);
});

it.each([
	["nothing", undefined],
	["epoch milliseconds", 1_796_119_200_000],
	["no zone", "2026-12-01T10:00:00"],
	["a day that is none", "2026-02-30T25:00:00Z"],
	["words", "tomorrow"],
])("notes an expiry of %s and has none", (_what, refreshBefore) => {
	const { grant, odd } = read({ refreshBefore });
	expect(grant.refreshBefore).toBeUndefined();
	expect(odd).toHaveLength(1);
});

it.each([
	["missing", undefined],
	["a number", 7],
	["empty", ""],
	["two lines", "a\r\nb"],
	["not ASCII", "süb"],
	["endless", "x".repeat(2000)],
])("refuses an id that no header can carry: %s", (_what, id) => {
	expect(() => read({ id })).toThrow(
		expect.objectContaining({ code: "wrong-shape" }),
	);
});

it("reads how deliveries have gone, and notes what it cannot use", () => {
	const { grant, odd } = read({
		deliveryStatus: {
			active: false,
			lastDeliveryAt: "2026-11-30T10:00:00Z",
			lastError: "boom <html>",
			failedSince: 7,
			throttled: true,
			retryAfterMs: 1_000,
		},
	});
	expect(grant.deliveryStatus).toEqual({
		active: false,
		lastDeliveryAt: Date.UTC(2026, 10, 30, 10),
		lastError: undefined,
		failedSince: undefined,
		throttled: true,
		retryAfterMs: 1_000,
	});
	expect(odd).toEqual([
		'deliveryStatus.lastError is "boom <html>", no known category',
	]);
});
