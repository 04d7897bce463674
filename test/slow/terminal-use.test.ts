// The tool as people use it in a real terminal: typed at a prompt, stopped by a key, in narrow windows and wide ones,
// with and without colours; and the state in which it leaves the terminal, whatever a server said.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { displayWidth } from "../../src/output/display-width.ts";
import { dangers } from "../fixtures/hostile-text.ts";
import { stdioServer } from "../fixtures/servers/catalogue.ts";
import { rpcError } from "../fixtures/servers/raw-faults.ts";
import {
	openRawOddities,
	type RawOddities,
} from "../fixtures/servers/raw-oddities.ts";
import { openPrompt } from "../helpers/open-prompt.ts";
import { hasTmux } from "../helpers/tmux.ts";
import { ALL, catalogue, TEXTS } from "../process/hostile-server.ts";

let hostile: RawOddities;
let broken: RawOddities;
beforeAll(async () => {
	hostile = await openRawOddities({ catalogue });
	const instead = { "events/list": rpcError(-31999, ALL, { [ALL]: ALL }) };
	broken = await openRawOddities({ catalogue, instead });
});
afterAll(() => Promise.all([hostile.close(), broken.close()]));

const { command } = stdioServer("raw-stdio", catalogue);
const child = command.map((word) => `'${word}'`).join(" ");
const everything = `verbatim.case --cursor 0 --count ${TEXTS.length} --verbose`;

/** What is typed, and the status that it ends with. */
const RUNS: [name: string, line: () => string, status: number][] = [
	["list", () => `list ${hostile.url} --verbose`, 0],
	["describe", () => `describe ${hostile.url} verbatim.case`, 0],
	["tail by push", () => `tail ${hostile.url} ${everything}`, 0],
	["tail by poll", () => `tail ${hostile.url} --via poll ${everything}`, 0],
	["tail as NDJSON", () => `tail ${hostile.url} -o events ${everything}`, 0],
	["an error", () => `list ${broken.url}`, 5],
	["a child's stderr", () => `list -- ${child}`, 0],
];

describe.skipIf(!hasTmux)("in tmux", () => {
	test.each(RUNS)(
		"hostile text in %s is shown and not obeyed",
		async (_, line, status) => {
			using terminal = await openPrompt(100);
			await terminal.run("mcp-events --version");
			const before = terminal.state();
			const run = await terminal.run(`mcp-events ${line()}`);
			expect(run.status).toBe(status);
			expect(run.rows.join("\n")).toContain("\\u001b[2J");
			expect(dangers(run.rows.join("\n"))).toEqual([]);
			expect(escapesIn(run.bytes)).toEqual([]);
			expect(terminal.state()).toBe(before);
			expect(terminal.clipboard()).toBe("");
		},
	);

	test.each([40, 80, 200])(
		"list, describe and events fit into %i columns",
		async (columns) => {
			using terminal = await openPrompt(columns);
			for (const line of [
				`list ${hostile.url}`,
				`describe ${hostile.url} verbatim.case`,
				`tail ${hostile.url} ${everything} --quiet 2>&-`,
			]) {
				const { lines } = await terminal.run(`mcp-events ${line}`);
				expect(lines.length).toBeGreaterThan(5);
				const isPasted = (text: string) => /^ +mcp-events tail /.test(text);
				const wide = lines.filter((text) => displayWidth(text) > columns);
				expect(wide.filter((text) => !isPasted(text))).toEqual([]);
			}
		},
	);

	test("^C once in tail says the last cursor and gives the prompt back, with status 130", async () => {
		using terminal = await openPrompt(100);
		terminal.start(`mcp-events tail ${hostile.url} verbatim.case --cursor 0`);
		await terminal.until(/ 41-/);
		terminal.press("C-c");
		const run = await terminal.ended();
		expect(run.status).toBe(130);
		const told = run.lines.filter((text) => text !== "").at(-1);
		// The terminal itself echoes the key.
		expect(told?.replace("^C", "")).toBe(
			`mcp-events: verbatim.case: stopped; to go on: --cursor '${TEXTS.length}'`,
		);
	});

	const PLAINLY = [RUNS[0], RUNS[1], RUNS[2], RUNS[5]];

	test.each(["", "NO_COLOR=1", "TERM=dumb"])(
		"what reaches a terminal with the setting %j",
		async (setting) => {
			using terminal = await openPrompt(100);
			const looks = new Set<string>();
			for (const [, line] of PLAINLY as typeof RUNS) {
				const { bytes } = await terminal.run(`${setting} mcp-events ${line()}`);
				const text = bytes.toString("latin1");
				looks.add(COLOUR.test(text) ? "colours" : "no colours");
				looks.add(text.includes("\x1b") ? "escapes" : "no escapes");
			}
			expect([...looks].sort()).toEqual(LOOKS[setting]);
		},
	);
});

const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`);
const LOOKS: Record<string, string[]> = {
	"": ["colours", "escapes"],
	"NO_COLOR=1": ["escapes", "no colours"],
	"TERM=dumb": ["no colours", "no escapes"],
};

const HARMLESS = [
	/^\[[0-9;]*m$/, // colours
	/^\[\?2026[hl]$/, // a picture that is shown when it is whole
	/^\[\?25[lh]$/, // the cursor away and back, while a spinner turns
	/^\[[0-9]*[GK]$/, // the spinner's own line
	/^\[[0-9]*A$/,
];

/** The escapes that reached the terminal and are none of ours. */
function escapesIn(bytes: Buffer): string[] {
	const text = bytes.toString("latin1");
	const found = text.split("\x1b").slice(1);
	return found
		.map((rest) => /^\[[0-9;?]*[@-~]/.exec(rest)?.[0] ?? rest.slice(0, 20))
		.filter((each) => !HARMLESS.some((form) => form.test(each)));
}
