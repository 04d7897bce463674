import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { splitLine } from "../../../src/program/flags/split-line.ts";

describe("the words of a line", () => {
	it.each([
		"orders.created -a status=paid",
		"  a\tb  ",
		"a 'b c' \"d e\"",
		`a 'b"c' "d'e"`,
		String.raw`a\ b \"c\" "d\"e\\f\g"`,
		`--args '{"a": "b c"}'`,
		`x=''y`,
		"'' \"\"",
		"-a 'title=it'\\''s'",
	])("are those of a shell: %s", (line) => {
		const shell = execFileSync("sh", ["-c", `printf '%s\\n' ${line}`], {
			encoding: "utf8",
		});
		expect(splitLine(line)).toEqual(shell.split("\n").slice(0, -1));
	});

	it("are taken as they stand where a shell would expand them", () => {
		expect(splitLine("$HOME * ~ `id`")).toEqual(["$HOME", "*", "~", "`id`"]);
	});

	it.each(["a 'b", 'a "b', "a\\"])("are none where %s never ends", (line) => {
		expect(splitLine(line)).toBeUndefined();
	});
});
