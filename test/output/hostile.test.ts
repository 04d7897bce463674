// Every field that reaches a terminal, with every text of the table.
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import {
	renderCatalogue,
	renderDescription,
} from "../../src/output/catalogue.ts";
import { PLAIN } from "../../src/output/colors.ts";
import { openOutput } from "../../src/output/index.ts";
import { dangers, HOSTILE_TEXTS } from "../fixtures/hostile-text.ts";
import { openFakeStream } from "./fake-terminal.ts";
import { about, eventFrom } from "./items.ts";

function openTerminal(form: "events" | "records" | "pretty" | "cloudevents") {
	const screen = openFakeStream({ isTTY: true, columns: 70 });
	const output = openOutput({
		stdout: screen,
		stderr: screen,
		env: { NO_COLOR: "1", TERM: "xterm" },
		form,
		source: "",
		verbose: true,
		quiet: false,
		programName: "mcp-events",
	});
	return { screen, output };
}

function itemsWith(text: string) {
	const json = JSON.stringify({
		eventId: `e${text}`,
		name: `n${text}`,
		data: {
			[text]: text,
			list: [text, { [text]: [text] }],
			long: text.repeat(30),
		},
		cursor: text,
	});
	const fault = new Fault("timed-out", { what: text, why: text });
	const wire = { name: text, code: 1, message: text, data: { [text]: text } };
	const here = about(text);
	return [
		eventFrom(json, text),
		{ ...here, kind: "gap", reason: "truncated", cursor: text },
		{ ...here, kind: "mode", why: text },
		{ ...here, kind: "reconnecting", why: text, delayMs: 5, fault },
		{ ...here, kind: "error", error: wire },
		{ ...here, kind: "terminated", error: wire },
		{ ...here, kind: "stopped", cursor: text, fault },
	] as const;
}

describe.each(["events", "records", "pretty", "cloudevents"] as const)(
	"under %s on a terminal",
	(form) => {
		it.each(HOSTILE_TEXTS)("nothing obeys $name", async ({ text }) => {
			const { screen, output } = openTerminal(form);
			await output.items(itemsWith(text));
			await output.lines([JSON.stringify({ [text]: text })]);
			output.note(text);
			output.say(text);
			output.warn(text);
			output.childLine(text);
			await output.text(text);
			await output.fault(
				new Fault("wrong-use", { what: text, why: text, next: text }),
			);
			await output.fault(new Error(text));
			await output.close();
			expect(dangers(screen.text())).toEqual([]);
		});
	},
);

it.each(HOSTILE_TEXTS)("list and describe do not obey $name", ({ text }) => {
	const entry = {
		name: text,
		title: text,
		description: text,
		delivery: ["poll", text],
		arguments: [{ name: text, required: true }],
		unusable: text,
	};
	const row = {
		name: text,
		type: text,
		required: true,
		default: text,
		description: text,
	};
	const schema = { rows: [row], rules: [text] };
	const parts = { input: schema, payload: schema, commandLine: text };
	const page = { width: 70, palette: PLAIN };
	expect(
		dangers(renderCatalogue([entry, { ...entry, unusable: undefined }], page)),
	).toEqual([]);
	expect(dangers(renderDescription(entry, parts, page))).toEqual([]);
});
