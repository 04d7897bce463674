import { expect, it } from "vitest";
import { nearestNames } from "../../src/faults/index.ts";
import { startOwnTime } from "../helpers/own-time.ts";

const names = [
	"orders.created",
	"orders.paid",
	"stock.low",
	"Clock.Tick",
	"from",
];

it.each([
	["order.created", ["orders.created"]],
	["clock.tick", ["Clock.Tick"]],
	["stokc.low", ["stock.low"]],
	["form", ["from"]],
	["orders.pa", ["orders.paid"]],
	["something.else.entirely", []],
	["x", []],
	["", []],
])("%j may have meant %j", (word, expected) => {
	expect(nearestNames(word, names)).toEqual(expected);
});

it("offers three at most, the nearest first", () => {
	expect(
		nearestNames("aaaa", ["aaac", "aabb", "aaaa", "aaad", "aaae"]),
	).toEqual(["aaaa", "aaac", "aaad"]);
});

it("is found at once among endless names", () => {
	const endless = Array.from(
		{ length: 50_000 },
		(_, at) => `${"n".repeat(1_000)}${at}`,
	);
	const ownTimeMs = startOwnTime();
	expect(nearestNames("n".repeat(1_000_000), endless)).toHaveLength(3);
	expect(ownTimeMs()).toBeLessThan(2_000);
});
