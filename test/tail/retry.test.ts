import { describe, expect, it } from "vitest";
import { FAULT_CODES, type FaultCode } from "../../src/faults/index.ts";
import {
	isBroken,
	isCursorSuspect,
	isShutOut,
	RETRY_DEFAULTS,
	retryDelayMs,
} from "../../src/tail/retry.ts";
import { fault } from "./run-tail.ts";

const delay = (failures: number, random: number, retryAfterMs?: number) =>
	retryDelayMs(
		failures,
		{
			retry: RETRY_DEFAULTS,
			fault: fault("server-failing", { retryAfterMs }),
		},
		() => random,
	);

describe("the wait before trying again", () => {
	it("doubles from a second up to half a minute", () => {
		const longest = [1, 2, 3, 4, 5, 6, 7, 50, 5_000].map((n) => delay(n, 1));
		expect(longest).toEqual([
			1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000, 30_000,
		]);
	});

	it("is spread over the whole range, but for a floor", () => {
		expect([0, 0.25, 0.5, 1].map((chance) => delay(3, chance))).toEqual([
			100, 1_000, 2_000, 4_000,
		]);
	});

	it("is short after a connection that had been alive", () => {
		expect([delay(0, 0), delay(0, 1)]).toEqual([100, 350]);
	});

	it("is never shorter than the server asks, up to a day", () => {
		expect(delay(1, 1, 45_000)).toBe(45_000);
		expect(delay(6, 1, 45)).toBe(30_000);
		expect(delay(1, 1, 1e15)).toBe(86_400_000);
	});
});

describe("a refusal", () => {
	it("may be the cursor's where the parameters are refused or the schema has changed", () => {
		const unsupported = (data: unknown) =>
			fault("mode-not-offered", {
				wire: { name: "Unsupported", code: -32026, message: "", data },
			});
		expect(isCursorSuspect(fault("arguments-refused"))).toBe(true);
		expect(isCursorSuspect(unsupported({ reason: "schema_changed" }))).toBe(
			true,
		);
		for (const data of [undefined, null, "schema_changed", { reason: 1 }])
			expect(isCursorSuspect(unsupported(data))).toBe(false);
		expect(isCursorSuspect(fault("forbidden"))).toBe(false);
	});

	it("is never both transient and final", () => {
		for (const code of Object.keys(FAULT_CODES) as FaultCode[]) {
			const one = fault(code);
			const kinds = [one.isTransient, isBroken(one), isShutOut(one)];
			expect(kinds.filter(Boolean).length).toBeLessThanOrEqual(1);
		}
	});
});
