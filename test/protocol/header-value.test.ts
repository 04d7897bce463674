import { describe, expect, it } from "vitest";
import {
	decodeHeaderValue,
	encodeHeaderValue,
} from "../../src/protocol/header-value.ts";

describe("a name as a header value", () => {
	it.each(["orders.created", "a b", "x=?y", "!#$%&'*+-.^_`|~"])(
		"stays as it is: %s",
		(name) => {
			expect(encodeHeaderValue(name)).toBe(name);
			expect(decodeHeaderValue(name)).toBe(name);
		},
	);

	// Known answers from `printf %s … | base64`.
	it.each([
		["日本語", "=?base64?5pel5pys6Kqe?="],
		[" a", "=?base64?IGE=?="],
		["a ", "=?base64?YSA=?="],
		["a\nb", "=?base64?YQpi?="],
		["", "=?base64??="],
		["=?base64?YQ==?=", "=?base64?PT9iYXNlNjQ/WVE9PT89?="],
		["=?base64?not base64?=", "=?base64?PT9iYXNlNjQ/bm90IGJhc2U2ND89?="],
	])("travels in the sentinel form: %j", (name, sentinel) => {
		expect(encodeHeaderValue(name)).toBe(sentinel);
		expect(decodeHeaderValue(sentinel)).toBe(name);
	});

	it("is nothing where the sentinel holds no UTF-8", () => {
		expect(decodeHeaderValue("=?base64?/w==?=")).toBeUndefined();
	});
});
