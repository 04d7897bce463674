import { describe, expect, it } from "vitest";
import { asUsageFault } from "../../../src/program/flags/usage-fault.ts";

const COMMANDS = ["tail", "list", "captures:list", "captures:show"].map(
	(id) => ({ id, flags: [] }),
);

/** As oclif throws it. */
const oclif = (message: string) =>
	Object.assign(new Error(message), { oclif: { exit: 2 } });

describe("a command that there is not", () => {
	it.each([
		[["tial"], '"tial"', "the nearest: tail", "mcp-events tail --help"],
		[
			["captures", "lst"],
			'"captures lst"',
			"the nearest: captures list, captures show",
			"mcp-events captures list --help",
		],
		[
			["nothing-near"],
			'"nothing-near"',
			"none has a name like that",
			"mcp-events --help",
		],
	])("%j names the nearest", (words, word, why, next) => {
		const thrown = oclif(`command ${words.join(":")} not found`);
		expect(asUsageFault(thrown, COMMANDS, words)).toMatchObject({
			code: "wrong-use",
			what: `there is no command ${word}`,
			why,
			next,
		});
	});
});

it.each([
	[["tail", "--x"], "mcp-events tail --help"],
	[["captures", "list", "--x"], "mcp-events captures list --help"],
])(
	"%j with an unknown flag points to the help of the command",
	(words, next) => {
		const thrown = oclif("Nonexistent flag: --x\nSee more help with --help");
		expect(asUsageFault(thrown, COMMANDS, words)).toMatchObject({
			what: "nonexistent flag: --x",
			next,
		});
	},
);

it("says what is missing, not that something is", () => {
	const message = "The following error occurred:\n  Missing required flag to";
	const fault = asUsageFault(
		oclif(`${message}\nSee more help with --help`),
		COMMANDS,
		["list"],
	);
	expect(fault).toMatchObject({ what: "missing required flag to" });
});

it("does not call a command unknown that takes no argument", () => {
	const thrown = oclif("command list:x not found");
	expect(asUsageFault(thrown, COMMANDS, ["list", "x"])).toMatchObject({
		what: 'list takes no argument, and "x" is one',
	});
});
