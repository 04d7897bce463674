import { describe, expect, it } from "vitest";
import {
	callerAt,
	createRateLimit,
} from "../../../src/reference/http/rate-limit.ts";
import { createManualClock } from "../manual-clock.ts";

describe("a rate limit", () => {
	it("lets a burst through, then as much as fills again, for each caller alone", async () => {
		const clock = createManualClock();
		const limit = createRateLimit({ clock, perSecond: 10, burst: 3 });
		const take = (count: number) =>
			Array.from({ length: count }, () => limit.take("a"));
		expect(take(5)).toEqual([0, 0, 0, 100, 100]);
		await clock.advance(60);
		expect(limit.take("a")).toBe(40);
		expect(limit.take("b")).toBe(0);
		await clock.advance(40);
		expect(take(2)).toEqual([0, 100]);
		await clock.advance(60_000);
		expect(take(4)).toEqual([0, 0, 0, 100]);
	});

	it("remembers a bounded number of callers, the latest", () => {
		const clock = createManualClock();
		const options = { clock, perSecond: 1, burst: 1, maxCallers: 2 };
		const limit = createRateLimit(options);
		for (const caller of ["a", "b", "a", "c"]) limit.take(caller);
		expect(limit.size).toBe(2);
		expect([limit.take("a"), limit.take("c")].every((ms) => ms > 0)).toBe(true);
		expect(limit.take("b")).toBe(0);
	});
});

describe("the caller at an address", () => {
	it.each([
		["192.0.2.7", "192.0.2.7"],
		["::ffff:192.0.2.7", "192.0.2.7"],
		["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
		["2001:db8:1:2::6", "2001:db8:1:2::/64"],
		["2001:db8::6", "2001:db8:0:0::/64"],
		["::1", "0:0:0:0::/64"],
		["fe80::1%eth0", "fe80:0:0:0::/64"],
		[undefined, "unknown"],
	])("%s is %s", (address, caller) => {
		expect(callerAt(address)).toBe(caller);
	});
});
