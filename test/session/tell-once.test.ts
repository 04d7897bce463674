import { expect, it } from "vitest";
import { tellOnce } from "../../src/session/tell-once.ts";

it("what is odd is told once, and not without end", () => {
	const told: string[] = [];
	const odd = tellOnce((text) => told.push(text));
	for (let at = 0; at < 500; at++) odd(`oddity ${at % 300}`);
	expect(told).toHaveLength(101);
	expect(told.at(-1)).toBe("more was odd; the rest is not told");
});
