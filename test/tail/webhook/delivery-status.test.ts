import { expect, it } from "vitest";
import type { DeliveryStatus } from "../../../src/protocol/index.ts";
import { troubleIn } from "../../../src/tail/webhook/delivery-status.ts";

const well: DeliveryStatus = {
	active: true,
	lastDeliveryAt: 0,
	lastError: undefined,
	failedSince: undefined,
	throttled: false,
	retryAfterMs: undefined,
};

it.each<[string, Partial<DeliveryStatus>, string | undefined]>([
	["all well", {}, undefined],
	["an error", { lastError: "timeout" }, "deliveries to us fail: timeout"],
	[
		"a suspension",
		{ active: false, failedSince: 0, lastError: "http_5xx" },
		"deliveries to us were suspended until now since 1970-01-01T00:00:00.000Z: http_5xx",
	],
	[
		"a limit",
		{ throttled: true, retryAfterMs: 50 },
		"deliveries to us are throttled (50 ms): late, not lost",
	],
])("tells %s", (_what, changes, message) => {
	expect(troubleIn({ ...well, ...changes }, undefined)?.message).toBe(message);
});

it("does not tell the same trouble twice", () => {
	const status: DeliveryStatus = { ...well, lastError: "timeout" };
	expect(troubleIn({ ...status, lastDeliveryAt: 9 }, status)).toBeUndefined();
	expect(troubleIn({ ...status, failedSince: 9 }, status)).toBeDefined();
});

it("tells nothing where the server says nothing", () => {
	expect(troubleIn(undefined, undefined)).toBeUndefined();
});
