import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { runBounded } from "../../src/arguments/run-bounded.ts";

it("gives what the work returns, and throws what it throws", () => {
	expect(runBounded(() => [1, 2], 100)).toEqual([1, 2]);
	const broken = () => {
		throw new RangeError("too deep");
	};
	expect(() => runBounded(broken, 100)).toThrow(new RangeError("too deep"));
});

it("interrupts work without end, and does the next one all the same", () => {
	const endless = () => /^(a+)+$/.test(`${"a".repeat(60)}!`);
	expect(() => runBounded(endless, 20)).toThrow(
		expect.objectContaining({ code: "ERR_SCRIPT_EXECUTION_TIMEOUT" }),
	);
	expect(runBounded(() => "next", 100)).toBe("next");
});

/** What a thousand of them cost, in microseconds of our own time: a busy machine makes none of it longer. */
function costOf(work: () => unknown): number {
	const begun = process.cpuUsage();
	for (let n = 0; n < 1_000; n++) work();
	const { user, system } = process.cpuUsage(begun);
	return user + system;
}

it("costs less than a context for each piece of work would", () => {
	const bounded = costOf(() => runBounded(() => 1, 100));
	expect(bounded).toBeLessThan(costOf(() => runInNewContext("1")) / 3);
});
