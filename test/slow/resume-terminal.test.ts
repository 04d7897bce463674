// --resume as people use it: a tail at a prompt, stopped with ^C, gone on with a while later; and with a server that
// has lost its history meanwhile. What is told stands in words that say what to make of it.
import { describe, expect, it } from "vitest";
import { type LoadServer, openLoadServer } from "../helpers/load-server.ts";
import { openPrompt, type Prompt } from "../helpers/open-prompt.ts";
import { hasTmux } from "../helpers/tmux.ts";

const ISO = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

/** Tails for a while, then presses ^C; returns the lines that it showed. */
async function tail(prompt: Prompt, server: LoadServer): Promise<string[]> {
	const url = `http://127.0.0.1:${server.port}/mcp`;
	prompt.start(`mcp-events tail ${url} tick --resume`);
	await prompt.until(/"?n"?: ?\d+[\s\S]*"?n"?: ?\d+/);
	prompt.press("C-c");
	const { status, lines } = await prompt.ended();
	expect(status).toBe(130);
	return lines;
}

const numbers = (lines: string[]) =>
	lines.flatMap((line) => {
		const n = /"?n"?: ?(\d+)/.exec(line)?.[1];
		return n === undefined ? [] : [Number(n)];
	});

const said = (lines: string[]) =>
	lines.filter((line) => line.startsWith("mcp-events: "));

describe.skipIf(!hasTmux)("in a terminal", () => {
	it("goes on where it was stopped, and says from when", async () => {
		await using server = await openLoadServer({ everyMs: 200 });
		using prompt = await openPrompt(120);
		const first = await tail(prompt, server);
		await new Promise((resolve) => setTimeout(resolve, 2_000));
		const second = await tail(prompt, server);
		const all = [...numbers(first), ...numbers(second)];
		expect(all).toEqual(all.map((_, at) => (all[0] ?? 0) + at));
		expect(said(first)).toContain(
			"mcp-events: tick: no position is saved yet: it starts from now",
		);
		expect(said(second)).toContainEqual(
			expect.stringMatching(
				new RegExp(`^mcp-events: tick: goes on from ${ISO}$`),
			),
		);
		expect(second.join("\n")).not.toContain("may be missing");
	});

	it("says since when events may be missing where the server has lost its history", async () => {
		await using server = await openLoadServer({ everyMs: 200 });
		using prompt = await openPrompt(120);
		await tail(prompt, server);
		await new Promise((resolve) => setTimeout(resolve, 1_000));
		const { length } = await server.control();
		await server.control({ oldest: length, refusesOld: true });
		const second = await tail(prompt, server);
		const since = new RegExp(`goes on from (${ISO})$`, "m").exec(
			second.join("\n"),
		);
		expect(said(second)).toContain(
			`mcp-events: tick: events since ${since?.[1]} may be missing here: the server rejected the cursor, so it begins anew from now`,
		);
	});
});
