import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { openOutput } from "../../src/output/index.ts";
import { openFakeStream } from "./fake-terminal.ts";
import { about, eventFrom, ORDER } from "./items.ts";

function open(pieces: { stdout: PassThrough; stderr: PassThrough }) {
	return openOutput({
		...pieces,
		env: {},
		form: "events",
		source: "",
		verbose: false,
		quiet: false,
		programName: "mcp-events",
	});
}

const GAP = {
	...about(),
	kind: "gap" as const,
	reason: "truncated" as const,
	cursor: "c",
};

it("holds a batch back until stderr has taken what it tells of", async () => {
	const stderr = new PassThrough({ highWaterMark: 1 });
	const output = open({ stdout: new PassThrough().resume(), stderr });
	let isDone = false;
	const batches = [1, 2, 3].map(() => output.items([GAP]));
	const all = Promise.all(batches).then(() => {
		isDone = true;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(isDone).toBe(false);
	const told = text(stderr);
	await all;
	stderr.end();
	expect((await told).split("\n").length).toBe(4);
});

it("shows what was told before an event above it, even while colours load", async () => {
	const screen = openFakeStream({ isTTY: true });
	const output = openOutput({
		stdout: screen,
		stderr: screen,
		env: { FORCE_COLOR: "1" },
		form: "events",
		source: "",
		verbose: false,
		quiet: false,
		programName: "mcp-events",
	});
	output.say("following");
	await output.items([eventFrom(ORDER)]);
	expect(screen.text()).toBe(`mcp-events: following\n${ORDER}\n`);
});
