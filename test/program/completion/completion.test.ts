// The scripts in the shells they are for: what one is offered at the end of a line.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bashCompletion } from "../../../src/program/completion/bash.ts";
import { completionScript } from "../../../src/program/completion/completion.ts";
import { fishCompletion } from "../../../src/program/completion/fish.ts";
import {
	type CompletedCommand,
	completedCommands,
} from "../../../src/program/completion/model.ts";
import { zshCompletion } from "../../../src/program/completion/zsh.ts";
import { readCommands } from "../../../src/program/help/manifest.ts";
import { type CompletingShell, complete } from "../../helpers/complete.ts";
import { hasProgram } from "../../helpers/run-shell.ts";

const root = join(import.meta.dirname, "../../..");
const program = "mcp-events";
const commands = await readCommands(root);

const HOSTILE =
	'it\'s "$HOME" `id` $(touch x) \\ a:b [c] {d} !e\nnext ; & | * ~ ‘’';
/** A command whose words are all that a shell could trip over. */
const hostile: CompletedCommand[] = [
	{
		words: ["go"],
		text: HOSTILE,
		flags: [
			{
				name: "--to",
				letter: undefined,
				text: HOSTILE,
				values: {
					kind: "words",
					words: ["plain", "it's", "$(touch x)", "`id`"],
				},
			},
		],
		positionals: [],
	},
];

const SHELLS: [CompletingShell, typeof bashCompletion][] = [
	["bash", bashCompletion],
	["zsh", zshCompletion],
	["fish", fishCompletion],
];

describe.each(SHELLS)(
	"%s (skipped where it is not installed)",
	(shell, write) => {
		const isThere = hasProgram(shell);
		const offers = async (line: string) => {
			const script = await completionScript(shell, { program, root });
			return wordsOf(complete(shell, script, line));
		};

		it.skipIf(!isThere)("offers every command first", async () => {
			const offered = await offers("mcp-events ");
			for (const { id } of commands)
				expect(offered).toContain(id.split(":")[0]);
		});

		it.skipIf(!isThere).each([
			["mcp-events ta", ["tail"]],
			["mcp-events captures ", ["export", "list", "prune", "show"]],
			["mcp-events help sec", ["secret"]],
			["mcp-events tail --vi", ["--via"]],
			[
				"mcp-events tail http://127.0.0.1:80/mcp clock.tick --fro",
				["--from", "--from-now"],
			],
			["mcp-events tail --via ", ["poll", "push", "webhook"]],
			["mcp-events captures list -o ", ["ndjson", "table"]],
			["mcp-events tail --quiet --output r", ["records"]],
			["mcp-events serve sq", ["sqlite"]],
			["mcp-events completion z", ["zsh"]],
		])("offers after %j: %j", async (line, expected) => {
			expect((await offers(line)).sort()).toEqual(expected);
		});

		it.skipIf(!isThere)(
			"offers files for a file, folders for a folder, and nothing for what it cannot know",
			async () => {
				expect(await offers("mcp-events verify --secret-file a")).toEqual(
					expect.arrayContaining([
						"a file",
						expect.stringMatching(/^a-folder\/?$/),
					]),
				);
				expect(await offers("mcp-events verify a")).toContain("a file");
				const folders = await offers("mcp-events captures list --captures a");
				expect(folders.map((each) => each.replace("/", ""))).toEqual([
					"a-folder",
				]);
				expect(await offers("mcp-events tail --count ")).toEqual([]);
			},
		);

		it.skipIf(!isThere)(
			"leaves what stands after -- to the server's command",
			async () => {
				expect(
					await offers("mcp-events tail clock.tick -- x --vi"),
				).not.toContain("--via");
			},
		);

		it.skipIf(!isThere)("shows hostile words and obeys none", () => {
			const script = write(program, hostile);
			const values = wordsOf(complete(shell, script, "mcp-events go --to "));
			expect(values).toHaveLength(4);
			expect(values.join("\n")).toContain("touch x");
			expect(wordsOf(complete(shell, script, "mcp-events go --t"))).toEqual([
				"--to",
			]);
			expect(wordsOf(complete(shell, script, "mcp-events g"))).toEqual(["go"]);
		});
	},
);

/** Zsh parts a word from its text by a colon, fish by a tab; bash quotes what it would otherwise obey. */
const wordsOf = (offered: string[]) =>
	offered.map((each) =>
		(each.split(/\t|(?<!\\):/)[0] ?? "").replaceAll(/\\(.)/g, "$1"),
	);

describe("PowerShell (there is none here: its script is read, not run)", () => {
	it("has a well-formed script, whatever the texts say", async () => {
		for (const script of [
			await completionScript("powershell", { program, root }),
			(
				await import("../../../src/program/completion/powershell.ts")
			).powershellCompletion(program, hostile),
		]) {
			const { strings, code } = readPowershell(script);
			expect(code).not.toContain("touch");
			expect(balance(code)).toEqual({ "()": 0, "[]": 0, "{}": 0 });
			expect(strings.length).toBeGreaterThan(3);
		}
	});

	it("has every command, flag and value that is a word", async () => {
		const script = await completionScript("powershell", { program, root });
		const { strings } = readPowershell(script);
		const first = new Set(strings.map((text) => text.split("\t")[0]));
		for (const { words, flags } of completedCommands(commands)) {
			expect(first).toContain(words.join(" "));
			for (const { name, values } of flags) {
				expect(first).toContain(name);
				if (values?.kind === "words")
					for (const word of values.words) expect(first).toContain(word);
			}
		}
	});
});

const QUOTES = "'\u2018\u2019\u201a\u201b";

/** The strings of a PowerShell script, and what is left without strings and comments. */
function readPowershell(script: string): { strings: string[]; code: string } {
	const strings: string[] = [];
	const token = new RegExp(
		`#.*|"(?:\`.|[^"])*"|[${QUOTES}]((?:[${QUOTES}]{2}|[^${QUOTES}])*)[${QUOTES}]`,
		"g",
	);
	const code = script.replace(token, (whole, text?: string) => {
		if (text !== undefined)
			strings.push(text.replaceAll(new RegExp(`([${QUOTES}])\\1`, "g"), "$1"));
		return whole.startsWith("#") ? "" : "S";
	});
	return { strings, code };
}

function balance(code: string) {
	const count = (char: string) => code.split(char).length - 1;
	return Object.fromEntries(
		["()", "[]", "{}"].map((pair) => [
			pair,
			count(pair[0] ?? "") - count(pair[1] ?? ""),
		]),
	);
}
