import { describe, expect, it } from "vitest";
import {
	checkUserHeaders,
	maskReceived,
	maskSent,
	requestHeaders,
} from "../../../src/session/http/headers.ts";

const check = (headers: [string, string][], bearer?: string) => {
	const notes: string[] = [];
	const user = checkUserHeaders(headers, bearer, (text) => notes.push(text));
	return { user, notes };
};

describe("a header of the user", () => {
	it.each([
		["a line end", "X-A", "secret\r\nx: y"],
		["a NUL", "X-A", "secret\0"],
		["a character beyond Latin-1", "X-A", "secret€"],
	])(
		"with %s in its value is refused by name, and the value never shown",
		(_what, name, value) => {
			const act = () => check([[name, value]]);
			expect(act).toThrow(
				expect.objectContaining({
					code: "wrong-use",
					what: expect.stringContaining("X-A"),
				}),
			);
			try {
				act();
			} catch (fault) {
				expect(JSON.stringify(fault)).not.toContain("secret");
			}
		},
	);

	it.each(["", "a b", "a:b", "ä", "a\n"])("cannot be named %j", (name) => {
		expect(() => check([[name, "v"]])).toThrow(
			expect.objectContaining({ code: "wrong-use" }),
		);
	});

	it("goes before our own default, in any case of letters, and may come twice", () => {
		const { user } = check([
			["User-Agent", "mine"],
			["x-a", "1"],
			["X-A", "2"],
		]);
		const sent = requestHeaders(user, {});
		expect(sent.filter(([name]) => name === "user-agent")).toEqual([
			["user-agent", "mine"],
		]);
		expect(sent.filter(([name]) => name === "x-a")).toEqual([
			["x-a", "1"],
			["x-a", "2"],
		]);
	});

	it.each([
		"Accept",
		"content-type",
		"MCP-Protocol-Version",
		"Mcp-Name",
		"Mcp-Session-Id",
		"Transfer-Encoding",
		"Content-Length",
	])("cannot replace %s, and that is noted", (name) => {
		const { user, notes } = check([[name, "theirs"]]);
		expect(user.pairs).toEqual([]);
		expect(notes).toEqual([expect.stringContaining(name.toLowerCase())]);
	});
});

describe("a bearer token", () => {
	it("is sent as authorization", () => {
		expect(check([], "t0ken").user.pairs).toEqual([
			["authorization", "Bearer t0ken"],
		]);
	});

	it("gives way to an authorization header, and that is noted", () => {
		const { user, notes } = check([["Authorization", "Basic eA=="]], "t0ken");
		expect(user.pairs).toEqual([["authorization", "Basic eA=="]]);
		expect(notes).toHaveLength(1);
	});

	it.each(["", "to ken", "token\n", "tökén"])(
		"that is %j is refused",
		(bearer) => {
			expect(() => check([], bearer)).toThrow(
				expect.objectContaining({ code: "wrong-use" }),
			);
		},
	);
});

describe("in a log", () => {
	it("all that the user set is masked, and so is the session", () => {
		const { user } = check([["X-Api-Key", "secret"]], "secret");
		const shown = maskSent(
			requestHeaders(user, { "mcp-session-id": "secret", "mcp-method": "m" }),
			user,
		);
		expect(JSON.stringify(shown)).not.toContain("secret");
		expect(shown).toMatchObject({
			"x-api-key": "***",
			authorization: "***",
			"mcp-method": "m",
		});
	});

	it("the secrets of an answer are masked", () => {
		const headers = {
			"set-cookie": ["secret"],
			"mcp-session-id": "secret",
			location: "/x?t=secret",
			via: "a",
		};
		const shown = maskReceived(headers, new URL("http://host/"));
		expect(JSON.stringify(shown)).not.toContain("secret");
		expect(shown).toMatchObject({ via: "a", location: "http://host/x?t=***" });
	});
});
