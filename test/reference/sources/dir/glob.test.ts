import { describe, expect, it } from "vitest";
import {
	makeGlob,
	makeIgnore,
} from "../../../../src/reference/sources/dir/glob.ts";
import { startOwnTime } from "../../../helpers/own-time.ts";

describe("a glob", () => {
	it.each([
		["*.txt", "a.txt", true],
		["*.txt", ".txt", true],
		["*.txt", "in/a.txt", false],
		["**/*.txt", "a.txt", true],
		["**/*.txt", "in/deep/a.txt", true],
		["in/**", "in/deep/a", true],
		["in/**/z", "in/z", true],
		["in/**/z", "in/a/b/z/z", true],
		["in/**/z", "in/a/b/y", false],
		["?b", "ab", true],
		["?b", "😀b", true],
		["?b", "b", false],
		["a*b*c", "aXbYbZc", true],
		["a*b*c", "aXbYbZ", false],
		["[a].(b)+", "[a].(b)+", true],
		["**", "a/b/c", true],
		["a", "A", false],
		["***", "anything", true],
	])("%s on %s: %s", (pattern, path, fits) => {
		expect(makeGlob(pattern)(path)).toBe(fits);
	});

	it("of a stranger takes no more than the time of pattern times path", () => {
		const fits = makeGlob("*a".repeat(100));
		const ownTimeMs = startOwnTime();
		expect(fits(`${"a".repeat(4_000)}b`)).toBe(false);
		expect(ownTimeMs()).toBeLessThan(1_000);
	});
});

describe("what is ignored", () => {
	it.each([
		["node_modules", "a/node_modules", true],
		["*.tmp", "a/b.tmp", true],
		["a/*.tmp", "a/b.tmp", true],
		["a/*.tmp", "c/a/b.tmp", false],
	])("by %s is %s: %s", (pattern, path, isIgnored) => {
		expect(makeIgnore(["other", pattern])(path)).toBe(isIgnored);
	});
});
