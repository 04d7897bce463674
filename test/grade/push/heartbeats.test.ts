// What is said of heartbeats that come one after the other, for as long as somebody watches.
import { describe, expect, it } from "vitest";
import { heartbeatChecks } from "../../../src/grade/push/heartbeats.ts";
import { ACTIVE, frame, judge, slowStreamOf } from "./by-hand.ts";

const beatAt = (seconds: number) =>
	frame(
		{ method: "notifications/events/heartbeat", params: { cursor: "c" } },
		seconds * 1_000,
	);

describe("heartbeats", () => {
	it.each([
		["30 seconds apart", [1, 31], "holds"],
		["further apart than is tolerated", [1, 34], "broken"],
		["of which the second one comes when nobody watches", [4, 38], "holds"],
	])("%s", async (_how, seconds, word) => {
		const main = slowStreamOf(ACTIVE, ...seconds.map(beatAt));
		await judge(heartbeatChecks, "stream-heartbeat-required", { main });
		const row = "stream-heartbeat-interval";
		expect(await judge(heartbeatChecks, row, { main })).toBe(word);
	});
});
