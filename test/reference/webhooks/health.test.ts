import { describe, expect, it } from "vitest";
import { Health } from "../../../src/reference/webhooks/health.ts";

const MINUTE = 60_000;
const limits = { windowMs: 60 * MINUTE, leastAttempts: 100 };

/** One attempt a minute; every nth succeeds. */
function watch(
	health: Health,
	minutes: number,
	nth = Number.POSITIVE_INFINITY,
	perMinute = 2,
) {
	for (let at = 0; at < minutes; at++)
		for (let n = 0; n < perMinute; n++) {
			const count = at * perMinute + n + 1;
			if (count % nth === 0) health.succeeded(at * MINUTE, false);
			else health.failed(at * MINUTE, "timeout");
		}
}

describe("the health of an endpoint", () => {
	it("is hopeless when nearly all has failed for an hour", () => {
		const health = new Health(limits);
		watch(health, 59);
		expect(health.isHopeless(59 * MINUTE)).toBe(false);
		watch(health, 1);
		expect(health.isHopeless(60 * MINUTE)).toBe(true);
	});

	it.each([
		["one in ten is taken", 70, 10, 2],
		["there were too few attempts", 70, Number.POSITIVE_INFINITY, 1],
	])("is not hopeless when %s", (_, minutes, nth, perMinute) => {
		const health = new Health(limits);
		watch(health, minutes, nth, perMinute);
		expect(health.isHopeless(minutes * MINUTE)).toBe(false);
	});

	it("does not count what lies before the window", () => {
		const health = new Health(limits);
		watch(health, 70);
		expect(health.isHopeless(200 * MINUTE)).toBe(false);
	});

	it("tells since when nothing was taken, and forgets the reason when nothing is left to send", () => {
		const health = new Health(limits);
		health.failed(1, "timeout");
		health.failed(2, "http_5xx");
		expect(health).toMatchObject({ failedSince: 1, lastError: "http_5xx" });
		health.succeeded(3, false);
		expect(health).toMatchObject({
			failedSince: undefined,
			lastError: "http_5xx",
			lastDeliveryAt: 3,
		});
		health.succeeded(4, true);
		expect(health.lastError).toBeUndefined();
	});
});
