import { expect, it } from "vitest";
import { labelSubscriptions } from "../../src/tail/index.ts";

const labels = (...list: [string, Record<string, unknown>?][]) =>
	labelSubscriptions(
		list.map(([name, args = {}]) => ({ name, arguments: args })),
	).map(({ label }) => label);

it("is the name where there are no arguments", () => {
	expect(labels(["tick"], ["tock"])).toEqual(["tick", "tock"]);
});

it("has the arguments with sorted keys, at every depth", () => {
	const args = { b: [1, { d: null, c: "é" }], a: true, x: undefined };
	expect(labels(["tick", args])).toEqual([
		'tick {"a":true,"b":[1,{"c":"é","d":null}]}',
	]);
});

it("is the same text whatever the order of the keys, and numbered then", () => {
	const same = labels(["t", { a: 1, b: 2 }], ["t", { b: 2, a: 1 }], ["t"]);
	expect(same).toEqual(['t {"a":1,"b":2}', 't {"a":1,"b":2} #2', "t"]);
});

it("is unique even where a name looks like another's number", () => {
	const all = labels(["t"], ["t #2"], ["t"], ["t"]);
	expect(new Set(all).size).toBe(4);
});

it("takes a key that is special in JavaScript for a key", () => {
	const args = JSON.parse('{"__proto__": {"a": 1}}');
	expect(labels(["t", args])).toEqual(['t {"__proto__":{"a":1}}']);
});
