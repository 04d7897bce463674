import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellWord, splitShellWords } from "../../src/faults/index.ts";

it.each([
	"orders.created",
	"a b",
	"it's",
	"$(id)",
	"`id`",
	"=ls",
	"~",
	"*",
	"",
	"-n",
	"a\nb",
	"é",
	"{a,b}",
	"#x",
])("a shell reads %j back as it was", (word) => {
	const read = execFileSync("/bin/sh", ["-c", `printf %s ${shellWord(word)}`], {
		encoding: "utf8",
	});
	expect(read).toBe(word);
});

it.each([
	["node handle.js", ["node", "handle.js"]],
	['  a\t\'b  c\' "d \\"e\\" \\f" g\\ h ', ["a", "b  c", 'd "e" \\f', "g h"]],
	["a '' $(id) | b > c", ["a", "", "$(id)", "|", "b", ">", "c"]],
	["a 'b", undefined],
	["a \\", undefined],
])("the words of %j are those of a shell, and nothing runs", (text, words) => {
	expect(splitShellWords(text)).toEqual(words);
});
