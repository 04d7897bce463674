import { expect, it } from "vitest";
import { safeTarget, safeUrl } from "../../src/network/safe-url.ts";

it.each([
	["https://host.example/mcp", "https://host.example/mcp"],
	["http://me:secret@host:8080/mcp", "http://host:8080/mcp"],
	[
		"https://host/mcp?token=secret&b=1#part",
		"https://host/mcp?token=***&b=***#***",
	],
	["https://host/?secret", "https://host/?***"],
	["https://host/mcp?", "https://host/mcp"],
	["http://[::1]:80/", "http://[::1]/"],
])("%s is shown as %s", (url, shown) => {
	expect(safeUrl(new URL(url))).toBe(shown);
});

it.each([
	["/login?next=secret", "http://host/login?next=***"],
	["https://u:p@other.example/", "https://other.example/"],
	["//other", "http://other/"],
	["http://[broken", "something that is no URL"],
	["javascript:alert(1)", "javascript:alert(1)"],
])("the target %s is shown as %s", (location, shown) => {
	expect(safeTarget(location, new URL("http://host/mcp"))).toBe(shown);
});
