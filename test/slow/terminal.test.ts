// Hostile text in a real terminal: what is shown is what was written, line by line, and nothing else has changed.
import { describe, expect, test } from "vitest";
import { dangers } from "../fixtures/hostile-text.ts";
import { stdioServer } from "../fixtures/servers/catalogue.ts";
import { openRawOddities } from "../fixtures/servers/raw-oddities.ts";
import { BINARY } from "../helpers/run-cli.ts";
import { hasTmux, openTerminal, type Terminal } from "../helpers/tmux.ts";
import { catalogue, TEXTS } from "../process/hostile-server.ts";

const COUNT = String(TEXTS.length);

/** Colours are ours to set; all else that begins with ESC would be a stranger's, or move something. */
const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[0-9;]*m`, "g");

describe.skipIf(!hasTmux)("in a terminal (needs tmux)", () => {
	test.each([
		["list", []],
		["describe", ["verbatim.case"]],
		["tail", ["verbatim.case", "--cursor", "0", "--count", COUNT]],
		["poll", ["verbatim.case", "--cursor", "0", "--count", COUNT]],
		["tail", ["verbatim.case", "--cursor", "0", "-n", COUNT, "-o", "events"]],
	])("%s %j moves nothing", async (command, words) => {
		await using server = await openRawOddities({ catalogue });
		await using terminal = await openTerminal();
		const ours = [process.execPath, BINARY, command, server.url, ...words];
		const { written, status } = await terminal.run([...ours, "--quiet"]);
		expect(status).toBe(0);
		await expectStill(terminal, written);
	});

	test("the same texts, written raw, do move something", async () => {
		await using terminal = await openTerminal();
		const telling = TEXTS.filter((text) => /\]0;|\]52;|1049h/.test(text));
		await terminal.run(["printf", "%s", telling.join("")]);
		expect(await terminal.ask("pane_title")).toBe("owned");
		expect(await terminal.ask("alternate_on")).toBe("1");
		expect(await terminal.clipboard()).toContain("rm -rf");
	});

	test("a child's stderr moves nothing", async () => {
		await using terminal = await openTerminal();
		const { command } = stdioServer("raw-stdio", catalogue);
		const ours = [process.execPath, BINARY, "list", "--quiet", "--"];
		const { written, status } = await terminal.run([...ours, ...command]);
		expect(status).toBe(0);
		await expectStill(terminal, written);
	});
});

async function expectStill(terminal: Terminal, written: string) {
	const plain = written.replace(COLOUR, "").replaceAll("\r\n", "\n");
	expect(plain).toContain("\\u001b[2J");
	expect(dangers(plain)).toEqual([]);
	expect(linesOf((await terminal.shown()).join("\n"))).toEqual(linesOf(plain));
	expect(await terminal.ask("pane_title")).toBe("the title");
	expect(await terminal.ask("alternate_on")).toBe("0");
	expect(await terminal.ask("cursor_flag")).toBe("1");
	expect(await terminal.clipboard()).toBe("");
}

/** From marker to marker, without what terminals count as wide or as nothing in ways of their own. */
function linesOf(text: string): string[] {
	const start = text.indexOf("BEFORE");
	const end = text.indexOf("AFTER");
	return text
		.slice(start, end)
		.split("\n")
		.map((line) => line.replace(/[^\x20-\x7e]/g, "").trimEnd());
}
