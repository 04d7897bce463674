import { execFileSync, spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellQuote } from "../../src/output/shell-quote.ts";
import { dangers, HOSTILE_TEXTS } from "../fixtures/hostile-text.ts";

const hasBash = spawnSync("bash", ["-c", "exit 0"]).status === 0;

it.each([
	["abc-1:2", "abc-1:2"],
	["", "''"],
	["a b", "'a b'"],
	["it's", "'it'\\''s'"],
	["a\nb", "$'a\\u000ab'"],
	["'\\\x1b", "$'\\'\\\\\\u001b'"],
])("quotes %j as %s", (word, quoted) => {
	expect(shellQuote(word)).toBe(quoted);
});

it.skipIf(!hasBash)("is read back by bash as the same word", () => {
	// NUL and lone surrogates cannot be in an argument at all.
	const words = HOSTILE_TEXTS.map(({ text }) => text)
		.filter((text) => !text.includes("\0") && !/\p{Cs}/u.test(text))
		.concat("$(id)", "`id`", "a'b\"c", "-x");
	const quoted = words.map(shellQuote);
	expect(dangers(quoted.join(""))).toEqual([]);
	const script = `printf '%s\\0' ${quoted.join(" ")}`;
	const printed = execFileSync("bash", ["-c", script], {
		env: { ...process.env, LC_ALL: "C.UTF-8" },
	});
	expect(printed.toString().split("\0").slice(0, -1)).toEqual(words);
});
