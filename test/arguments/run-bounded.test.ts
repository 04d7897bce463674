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

it("does a thousand pieces of work in less time than as many contexts would take to make", () => {
	const begun = performance.now();
	for (let n = 0; n < 1_000; n++) runBounded(() => n, 100);
	expect(performance.now() - begun).toBeLessThan(500);
});
