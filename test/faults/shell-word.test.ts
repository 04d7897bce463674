import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { shellWord } from "../../src/faults/index.ts";

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
