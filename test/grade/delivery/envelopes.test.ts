// Gap and terminated by hand: what came, whether the subscription is gone, and what a control that fails leaves to see.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { envelopeChecks } from "../../../src/grade/delivery/envelopes.ts";
import type { Answer } from "../../../src/grade/wire/answer.ts";
import {
	answerOf,
	contextOf,
	controlsOf,
	judge,
	NOW_MS,
	OCCURRENCE,
	probeOf,
	REFUSED,
	type Sent,
	stageOf,
	subOf,
} from "./by-hand.ts";

const GAP: Sent = { body: { type: "gap", cursor: "c" } };
const ERROR = { code: -32024, message: "no" };
const ended = (error: unknown = ERROR): Sent => ({
	body: { type: "terminated", error },
});
/** Signed so many seconds after all else. */
const event = (seconds: number | string): Sent => ({
	headers: {
		"webhook-timestamp":
			typeof seconds === "string" ? seconds : String(NOW_MS / 1_000 + seconds),
	},
	body: OCCURRENCE,
});

const GONE = answerOf(-32023);
const ASKED = controlsOf({ webhookGap: "", webhookTerminate: "" });

/** These came, and the unsubscribe is answered so; `controls`: those that answer. */
function bring(
	sent: Sent[],
	{
		released = GONE,
		controls = ASKED,
	}: { released?: Answer; controls?: GradeContext["controls"] } = {},
) {
	const probe = probeOf(sent, { sub: subOf(answerOf(), { released }) });
	return {
		context: contextOf({ controls }),
		stage: stageOf({ opens: [probe] }),
	};
}

describe("a gap", () => {
	const row = "envelope-gap";
	it.each<[string, Sent[], string]>([
		["with a cursor", [GAP], "holds"],
		["with an empty cursor", [{ body: { type: "gap", cursor: "" } }], "broken"],
		["with a number", [{ body: { type: "gap", cursor: 7 } }], "broken"],
		["that does not come", [ended()], "broken"],
	])("%s", async (_about, sent, word) => {
		expect(await judge(envelopeChecks, row, bring(sent))).toBe(word);
	});

	it.each<[string, Sent[], string]>([
		["came unasked", [{ body: { type: "gap" } }], "broken"],
		["did not come", [ended()], "untestable control"],
	])("that cannot be asked for %s", async (_about, sent, word) => {
		const told = bring(sent, { controls: controlsOf({}) });
		expect(await judge(envelopeChecks, row, told)).toBe(word);
	});
});

describe("a terminated", () => {
	const row = "envelope-terminated";
	it.each<[string, Sent[], string]>([
		["with an error", [ended()], "holds"],
		["without a code", [ended({ message: "no" })], "WARNING"],
		["without a message", [ended({ code: 1 })], "WARNING"],
		["with a text", [ended("over")], "WARNING"],
		["that does not come", [GAP], "broken"],
		["before an event of the same second", [ended(), event(1)], "holds"],
		["before an event of a later one", [ended(), event(2)], "broken"],
		["before an event of no time", [ended(), event("2099-01-01")], "holds"],
	])("%s", async (_about, sent, word) => {
		expect(await judge(envelopeChecks, row, bring(sent))).toBe(word);
	});

	it.each<[string, Answer, string]>([
		["not known any more", GONE, "holds"],
		["still there", answerOf({}), "broken"],
		["refused for another reason", answerOf(-32024), "holds"],
		["not told of", answerOf("none"), "holds"],
	])("whose subscription is %s", async (_about, released, word) => {
		const told = bring([ended()], { released });
		expect(await judge(envelopeChecks, row, told)).toBe(word);
	});

	it("of a wrong shape is not looked behind", async () => {
		const told = bring([ended("over")], { released: answerOf({}) });
		expect(await judge(envelopeChecks, row, told)).toBe("WARNING");
	});

	it.each<[string, Sent[], string]>([
		["came unasked", [ended("over")], "WARNING"],
		["did not come", [GAP], "untestable control"],
	])("that cannot be asked for %s", async (_about, sent, word) => {
		const told = bring(sent, { controls: controlsOf({}) });
		expect(await judge(envelopeChecks, row, told)).toBe(word);
	});
});

it("An envelope cannot be tried where the subscribe is refused", async () => {
	const stage = stageOf({ opens: [REFUSED()] });
	const context = contextOf({ controls: ASKED });
	expect(await judge(envelopeChecks, "envelope-gap", { context, stage })).toBe(
		"untestable answer",
	);
});
