import { expect, it } from "vitest";
import { resolveStateFolder } from "../../src/state/index.ts";

const cwd = "/here";

it.each([
	["--state", "/s", { XDG_STATE_HOME: "/x", HOME: "/h" }, "/s"],
	["a relative --state", "s", {}, "/here/s"],
	[
		"XDG_STATE_HOME",
		undefined,
		{ XDG_STATE_HOME: "/x", HOME: "/h" },
		"/x/mcp-events",
	],
	["HOME", undefined, { HOME: "/h" }, "/h/.local/state/mcp-events"],
	[
		"HOME where XDG_STATE_HOME is no whole path",
		undefined,
		{ XDG_STATE_HOME: "x", HOME: "/h" },
		"/h/.local/state/mcp-events",
	],
])("follows %s", (_what, flag, env, folder) => {
	expect(resolveStateFolder({ flag, env, cwd })).toBe(folder);
});

it("says what to do where there is no home", () => {
	expect(() => resolveStateFolder({ env: {}, cwd })).toThrow(
		expect.objectContaining({
			code: "wrong-use",
			next: expect.stringContaining("--state"),
		}),
	);
});
