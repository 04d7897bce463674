import { describe, expect, it } from "vitest";
import { parseServerUrl } from "../../src/servers/index.ts";

function faultOf(word: string) {
	try {
		parseServerUrl(word);
	} catch (error) {
		return error as {
			exitStatus: number;
			what: string;
			next: string;
			why: string;
		};
	}
	throw new Error(`${word} was taken`);
}

describe("SERVER", () => {
	it.each([
		"http://127.0.0.1:8931/mcp",
		"https://shop.example/mcp?tenant=1",
		"http://[::1]:1/",
	])("is a URL: %s", (word) => {
		expect(parseServerUrl(word)).toEqual({ kind: "http", url: new URL(word) });
	});

	it.each([
		"shop.example/mcp",
		"ftp://x/",
		"orders.created",
		"",
		"javascript:alert(1)",
		"http://",
	])("is not %j: status 2", (word) => {
		expect(faultOf(word).exitStatus).toBe(2);
	});

	it("offers the URL that a bare host may have meant", () => {
		expect(faultOf("localhost:8931/mcp").next).toContain(
			"http://localhost:8931/mcp",
		);
		expect(faultOf("shop.example/mcp").next).toContain(
			"https://shop.example/mcp",
		);
	});

	it("with a password is refused, and the password is not repeated", () => {
		for (const word of [
			"https://me:hunter2@shop.example/mcp",
			"ftp://me:hunter2@x/",
		]) {
			const fault = faultOf(word);
			expect(fault.exitStatus).toBe(2);
			expect(JSON.stringify([fault.what, fault.why, fault.next])).not.toContain(
				"hunter2",
			);
		}
	});
});
