// Help from the manifest: a screen of what is most used, and all there is.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { EXIT_STATUSES } from "../../../src/faults/index.ts";
import { PLAIN } from "../../../src/output/colors.ts";
import {
	shortCommandHelp,
	wholeCommandHelp,
} from "../../../src/program/help/command-help.ts";
import {
	readCommands,
	shownFlags,
} from "../../../src/program/help/manifest.ts";
import {
	programHelp,
	topicHelp,
} from "../../../src/program/help/program-help.ts";
import {
	findSubject,
	readHelpRequest,
	withoutHelp,
} from "../../../src/program/help/request.ts";
import { PROGRAM, TOPICS } from "../../../src/program/process/program-name.ts";

const NAMED = { ...PROGRAM, topics: TOPICS };

const commands = await readCommands(join(import.meta.dirname, "../../.."));
const page = { width: 80, palette: PLAIN };
const SCREEN_LINES = 30;

describe.each(commands)("help of $id", (command) => {
	const short = shortCommandHelp(command, "mcp-events", page);
	const whole = wholeCommandHelp(command, "mcp-events", page).join("\n");

	it("fits on a screen in short, and names no flag that is not there", () => {
		expect(short.length).toBeLessThanOrEqual(SCREEN_LINES);
		for (const name of command.mostUsed ?? [])
			expect(Object.keys(command.flags)).toContain(name);
		expect(short.at(-1)).toBe(
			`More: mcp-events ${command.id.replace(":", " ")} --help`,
		);
	});

	it("has every flag, example and exit status as a whole", () => {
		for (const { name } of shownFlags(command))
			expect(whole).toContain(`--${name}`);
		for (const { status } of Object.values(EXIT_STATUSES))
			expect(whole).toMatch(new RegExp(`^ {2}${status} `, "m"));
		expect(whole.split("\n  mcp-events ").length).toBeGreaterThan(1);
	});

	it.each([40, 80, 120])("keeps its text within %i columns", (width) => {
		const lines = wholeCommandHelp(command, "mcp-events", { ...page, width });
		const isToCopy = (line: string) =>
			/mcp-events |^ {2}(-\w, )?--?\w\S* \S+$|^ {2}mcp-events-/.test(line);
		expect(
			lines.filter((line) => line.length > width && !isToCopy(line)),
		).toEqual([]);
	});
});

describe("help of the program", () => {
	const help = (isWhole: boolean) =>
		programHelp(NAMED, commands, { isWhole, page });

	it("fits on a screen in short, with every command or its topic", () => {
		const lines = help(false);
		expect(lines.length).toBeLessThanOrEqual(SCREEN_LINES);
		for (const { id } of commands)
			expect(lines.join("\n")).toMatch(
				new RegExp(`^ {2}${id.split(":")[0]}\\b`, "m"),
			);
	});

	it("has every command once as a whole", () => {
		const text = help(true).join("\n");
		for (const { id } of commands)
			expect(
				text.split(new RegExp(`^ {2}${id.replace(":", " ")} `, "m")),
				id,
			).toHaveLength(2);
	});

	it("has a topic's commands under its name", () => {
		const topic = commands.filter(({ id }) => id.startsWith("captures:"));
		const text = topicHelp(NAMED, topic, page).join("\n");
		expect(text).toContain("captures prune");
		expect(text).toContain(TOPICS.captures.description);
	});
});

describe("what asks for help", () => {
	it.each([
		[[], { about: [], isWhole: false }],
		[["-h"], { about: [], isWhole: false }],
		[["help"], { about: [], isWhole: true }],
		[
			["help", "captures", "list"],
			{ about: ["captures", "list"], isWhole: true },
		],
		[
			["tail", "http://h/mcp", "a", "-n", "3", "--help"],
			{ about: ["tail", "http://h/mcp", "a"], isWhole: true },
		],
		[["captures"], { about: ["captures"], isWhole: false }],
		[["tail", "a", "--", "server", "--help"], undefined],
		[["secret"], undefined],
	])("%j", (words, expected) => {
		expect(readHelpRequest(words, ["captures"])).toEqual(expected);
	});

	it("finds commands and topics, and nothing for a word that is neither", () => {
		expect(findSubject(["tail", "URL", "x"], commands)).toMatchObject({
			command: { id: "tail" },
		});
		expect(findSubject(["captures", "list"], commands)).toMatchObject({
			command: { id: "captures:list" },
		});
		expect(findSubject(["captures"], commands)).toHaveProperty("topic");
		expect(findSubject(["captures", "lst"], commands)).toBeUndefined();
		expect(findSubject(["tial"], commands)).toBeUndefined();
		expect(withoutHelp(["help", "tial", "-h"])).toEqual(["tial"]);
	});
});
