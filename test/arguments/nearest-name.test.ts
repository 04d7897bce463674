import { expect, it } from "vitest";
import { nearestName } from "../../src/arguments/nearest-name.ts";

const names = ["colour", "sides", "domain", "from", "a"];

it.each([
	["colur", "colour"],
	["Colour", "colour"],
	["sidse", "sides"],
	["domian", "domain"],
	["form", "from"],
	["x", undefined],
	["entirely-different", undefined],
	["", undefined],
])("%s is meant as %s", (given, meant) => {
	expect(nearestName(given, names)).toBe(meant);
});

it("is not slowed down by endless names", () => {
	const started = performance.now();
	const long = Array.from(
		{ length: 50_000 },
		(_, i) => `${"n".repeat(50)}${i}`,
	);
	nearestName("n".repeat(60), long);
	nearestName("n".repeat(1_000_000), names);
	expect(performance.now() - started).toBeLessThan(2_000);
});
