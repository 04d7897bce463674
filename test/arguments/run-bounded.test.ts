import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { runBounded } from "../../src/arguments/run-bounded.ts";
import { startOwnTime } from "../helpers/own-time.ts";

/** Never reached, not even where the machine stands still for a moment. */
const LONG_MS = 10_000;

it("gives what the work returns, and throws what it throws", () => {
	expect(runBounded(() => [1, 2], LONG_MS)).toEqual([1, 2]);
	const broken = () => {
		throw new RangeError("too deep");
	};
	expect(() => runBounded(broken, LONG_MS)).toThrow(new RangeError("too deep"));
});

it("interrupts work without end, and does the next one all the same", () => {
	const endless = () => /^(a+)+$/.test(`${"a".repeat(60)}!`);
	expect(() => runBounded(endless, 20)).toThrow(
		expect.objectContaining({ code: "ERR_SCRIPT_EXECUTION_TIMEOUT" }),
	);
	expect(runBounded(() => "next", LONG_MS)).toBe("next");
});

/** What some hundreds of them cost. */
function costOf(work: () => unknown): number {
	const ownTimeMs = startOwnTime();
	for (let n = 0; n < 300; n++) work();
	return ownTimeMs();
}

it("costs less than a context for each piece of work would", () => {
	const bounded = costOf(() => runBounded(() => 1, LONG_MS));
	expect(bounded).toBeLessThan(costOf(() => runInNewContext("1")) / 3);
});
