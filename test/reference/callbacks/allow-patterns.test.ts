import { describe, expect, it } from "vitest";
import { parsePattern } from "../../../src/reference/callbacks/allow-patterns.ts";

describe("a pattern of callbacks", () => {
	it.each([
		["https://a.example", "https://a.example/", true],
		["https://a.example", "https://a.example/any?key=1", true],
		["https://a.example", "https://A.example:443/any", true],
		["https://a.example", "https://a.example:8443/any", false],
		["https://a.example:8443", "https://a.example:8443/any", true],
		["https://a.example", "http://a.example/any", false],
		["https://a.example", "https://b.a.example/any", false],
		["https://a.example", "https://a.example.org/any", false],
		["https://a.example", "https://a-example/any", false],
		["https://a.example/in", "https://a.example/in", true],
		["https://a.example/in", "https://a.example/in/side", true],
		["https://a.example/in", "https://a.example/inside", false],
		["https://a.example/in/", "https://a.example/in/../out", false],
		["https://a.example/in/", "https://a.example/in/..%2fout", false],
		["https://*.a.example", "https://b.a.example/any", true],
		["https://*.a.example", "https://c.b.a.example/any", false],
		["https://*.a.example", "https://a.example/any", false],
		["https://*.a.example", "https://evil.org/.a.example", false],
		["https://hook-*.a.example", "https://hook-7.a.example/any", true],
		["https://hook-*.a.example", "https://hook-.a.example/any", false],
		["https://bücher.example", "https://xn--bcher-kva.example/any", true],
		["https://127.0.0.1:8443/", "https://0x7f.1:8443/any", true],
		["https://[::1]:8443/", "https://[0:0::1]:8443/any", true],
	])("%s covers %s: %s", (pattern, url, isCovered) => {
		expect(parsePattern(pattern)(new URL(url))).toBe(isCovered);
	});

	it.each([
		"a.example",
		"*",
		"https://",
		"ftp://a.example",
		"https://*.*.example",
		"https://a.example/*",
		"https://user@a.example",
		"https://a.example/?key=1",
		"https://a.example/#part",
	])("cannot be %s", (text) => {
		const wrongUse = expect.objectContaining({ code: "wrong-use" });
		expect(() => parsePattern(text)).toThrow(wrongUse);
	});
});
