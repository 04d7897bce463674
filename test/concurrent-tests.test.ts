// A trap of the runner: while tests of one file run beside each other, its global hooks and polls belong to whichever
// test began last, or to none once one has ended. Such tests take them from their own context.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const isConcurrent = /\b(?:it|test|describe)\.concurrent\b/;
const isGlobal =
	/^import [^;]*\bonTestFinished\b[^;]*from "vitest"|expect\s*\.poll\(/m;

it("tests that run beside others of their file use no hook and no poll that is global", () => {
	const files = readdirSync(import.meta.dirname, { recursive: true })
		.map(String)
		.filter((name) => name.endsWith(".test.ts"));
	const wrong = files.filter((name) => {
		const text = readFileSync(join(import.meta.dirname, name), "utf8");
		return isConcurrent.test(text) && isGlobal.test(text);
	});
	expect(files.length).toBeGreaterThan(200);
	expect(wrong).toEqual([]);
});
