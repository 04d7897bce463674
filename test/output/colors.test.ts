import { expect, it } from "vitest";
import { colorDepth, loadPalette, PLAIN } from "../../src/output/colors.ts";

it.each([
	[{}, false, 0],
	[{ TERM: "xterm" }, true, 1],
	[{ TERM: "xterm-256color" }, true, 2],
	[{ TERM: "xterm-256color", COLORTERM: "truecolor" }, true, 3],
	[{ TERM: "xterm-256color" }, false, 0],
	[{ TERM: "dumb" }, true, 0],
	[{ TERM: "xterm", NO_COLOR: "1" }, true, 0],
	[{ TERM: "xterm", NO_COLOR: "" }, true, 1],
	[{ FORCE_COLOR: "1" }, false, 1],
	[{ FORCE_COLOR: "" }, false, 1],
	[{ FORCE_COLOR: "true" }, false, 1],
	[{ FORCE_COLOR: "2" }, false, 2],
	[{ FORCE_COLOR: "3", NO_COLOR: "1" }, false, 3],
	[{ FORCE_COLOR: "0", TERM: "xterm" }, true, 0],
	[{ FORCE_COLOR: "false", TERM: "xterm" }, true, 0],
	[{ FORCE_COLOR: "1", TERM: "dumb" }, true, 1],
] as const)(
	"with %j and a terminal: %s, the depth is %i",
	(env, isTerminal, depth) => {
		expect(colorDepth(env, isTerminal)).toBe(depth);
	},
);

it("paints nothing at depth 0, and does paint at depth 1", async () => {
	expect(await loadPalette(0)).toBe(PLAIN);
	expect((await loadPalette(1)).failure("x")).toContain("\u001b[31m");
});
