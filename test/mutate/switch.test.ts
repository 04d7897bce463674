import { describe, expect, it } from "vitest";
import { inRun, openRun, readCondition } from "./switch.ts";

const PLACE = "a.ts:1:1+1";
const read = (value: unknown) => readCondition(PLACE, value);

describe("a condition", () => {
	it.each([
		["not", 7, false],
		["not", 0, true],
		["yes", 0, true],
		["yes", 7, 7],
		["no", 7, false],
		["no", "", ""],
	] as const)("turned by %s is, in place of %j, %j", (turn, value, told) => {
		expect(inRun(openRun(`${PLACE} ${turn}`), () => read(value))).toBe(told);
	});

	it("is what it is outside of a run, and where another one is turned", () => {
		expect(read(7)).toBe(7);
		expect(inRun(openRun("b.ts:1:1+1 not"), () => read(7))).toBe(7);
	});

	it("is turned in one of two runs that go on side by side", async () => {
		const later = async () => {
			await Promise.resolve();
			return read(true);
		};
		const runs = [openRun(`${PLACE} not`), openRun()];
		const told = runs.map((run) => inRun(run, later));
		expect(await Promise.all(told)).toEqual([false, true]);
	});
});

describe("a run", () => {
	it("has reached what would have made a difference to it", () => {
		const run = openRun();
		inRun(run, () => read(true));
		expect([...run.reached].sort()).toEqual([`${PLACE} no`, `${PLACE} not`]);
	});

	it("that goes round in circles is ended", () => {
		const goRound = () => {
			while (read(true)) read(false);
		};
		expect(() => inRun(openRun(undefined, 100), goRound)).toThrow("runs away");
	});
});
