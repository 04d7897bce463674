// What makes two subscriptions one, and what does not.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { idOf } from "../../../src/reference/webhooks/key.ts";

const key = {
	principal: "ann",
	url: "https://one.example/hook",
	name: "order.made",
	arguments: { region: "eu", limits: { high: 10, low: 1 } },
};

describe("the id of a subscription", () => {
	it("is a hash of its canonical key, which anybody can compute", () => {
		const text =
			'["ann","https://one.example/hook","order.made",{"limits":{"high":10,"low":1},"region":"eu"}]';
		const digest = createHash("sha256").update(text).digest("base64url");
		expect(idOf(key)).toBe(`sub_${digest}`);
	});

	it.each([
		["the order of keys", { limits: { low: 1, high: 10 }, region: "eu" }],
		[
			"the spelling of numbers",
			JSON.parse('{"region":"\\u0065u","limits":{"high":1e1,"low":1.0}}'),
		],
	])("does not depend on %s", (_, args) => {
		expect(idOf({ ...key, arguments: args })).toBe(idOf(key));
	});

	it.each([
		["principal", { principal: "bob" }],
		["url", { url: "https://one.example/hook/" }],
		["name", { name: "order.paid" }],
		["arguments", { arguments: { region: "eu" } }],
		[
			"an argument's type",
			{ arguments: { region: "eu", limits: { high: "10", low: 1 } } },
		],
		[
			"what reaches into the next part",
			{ principal: 'ann","https://one.example', url: "hook" },
		],
	])("changes with %s", (_, change) => {
		expect(idOf({ ...key, ...change })).not.toBe(idOf(key));
	});
});
