import { expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import { PLAIN } from "../../src/output/colors.ts";
import { renderAnswer } from "../../src/output/index.ts";
import { dangers, HOSTILE_TEXTS } from "../fixtures/hostile-text.ts";

const page = { width: 80, palette: PLAIN };
const shown = {
	name: "cap_1",
	webhookId: "msg_1",
	attempt: 1,
	answer: { status: 204, latencyMs: 3.4, bodyStart: "" },
	fault: undefined,
};

it("an answer is one line", () => {
	expect(renderAnswer(shown, page)).toBe("cap_1 msg_1 204 3ms\n");
	const answer = { status: 401, latencyMs: 3, bodyStart: '{"error":"no"}\n' };
	expect(renderAnswer({ ...shown, attempt: 2, answer }, page)).toBe(
		'cap_1 msg_1 attempt 2 401 3ms {"error":"no"}\n',
	);
});

it("no answer says why", () => {
	const fault = new Fault("timed-out", { what: "too slow", why: "no word" });
	expect(renderAnswer({ ...shown, answer: undefined, fault }, page)).toBe(
		"cap_1 msg_1 no answer\n  too slow\n  why: no word\n",
	);
});

it.each(HOSTILE_TEXTS.map(({ name, text }) => [name, text]))(
	"%s in an answer is made visible",
	(_name, text) => {
		const answer = { status: 200, latencyMs: 0, bodyStart: text };
		const line = renderAnswer({ ...shown, webhookId: text, answer }, page);
		expect(dangers(line)).toEqual([]);
		expect(line.split("\n")).toHaveLength(2);
	},
);
