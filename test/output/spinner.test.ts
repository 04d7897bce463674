import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { openOutput } from "../../src/output/index.ts";

/** A terminal of which every write can be awaited. */
function openTerminal() {
	const calls: string[] = [];
	const stream = Object.assign(new PassThrough(), {
		isTTY: true,
		columns: 60,
		clearLine: () => calls.push("clear"),
		cursorTo: () => true,
		moveCursor: () => true,
	});
	return { stream, calls };
}

const open = (
	stream: PassThrough,
	options: { quiet?: boolean; TERM?: string },
) =>
	openOutput({
		stdout: new PassThrough().resume(),
		stderr: stream,
		env: { NO_COLOR: "1", TERM: options.TERM ?? "xterm" },
		form: "events",
		source: "",
		verbose: false,
		quiet: options.quiet ?? false,
		programName: "mcp-events",
	});

it("turns on a terminal, with a stranger's text made visible, until something is written", async () => {
	const { stream, calls } = openTerminal();
	const output = open(stream, {});
	output.status("asking \x1b[2Jevil");
	let seen = "";
	while (!seen.includes("evil"))
		seen += (await once(stream, "data"))[0].toString();
	expect(seen).toContain("asking \\u001b[2Jevil");
	output.warn("it is late");
	expect(calls).toContain("clear");
	stream.resume();
	await output.close();
});

it.each([{ quiet: true }, { TERM: "dumb" }])(
	"turns nowhere with %j",
	async (options) => {
		const { stream } = openTerminal();
		const output = open(stream, options);
		output.status("asking");
		await output.close();
		expect(stream.read()).toBeNull();
	},
);
