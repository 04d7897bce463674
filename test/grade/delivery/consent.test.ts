// Whose consent was asked for, how far it reaches, and what is said of endpoints that fail, by hand.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { consentChecks } from "../../../src/grade/delivery/consent.ts";
import { consentFailureChecks } from "../../../src/grade/delivery/consent-failures.ts";
import { consentReachChecks } from "../../../src/grade/delivery/consent-reach.ts";
import type { Stage } from "../../../src/grade/delivery/stage.ts";
import { broken, type Finding } from "../../../src/grade/finding.ts";
import type { Answer } from "../../../src/grade/wire/answer.ts";
import {
	answerOf,
	challengeOf,
	contextOf,
	controlsOf,
	eventOf,
	findingOf,
	judge,
	NOT_LIFTED,
	optionsOf,
	pathOf,
	placeOf,
	probeOf,
	REFUSED,
	requestOf,
	type Sent,
	stageOf,
	subjectsOf,
	subOf,
} from "./by-hand.ts";

const CHALLENGE = challengeOf();

describe("a challenge", () => {
	const row = "verification-required-before-delivery";
	it.each<[string, Sent[], number, string]>([
		["before an event", [CHALLENGE, eventOf(1)], 0, "holds"],
		["before an event, beside a document", [CHALLENGE, eventOf(1)], 1, "holds"],
		["without an event", [CHALLENGE], 0, "holds"],
		["behind an event", [eventOf(1), CHALLENGE], 0, "broken"],
		["that never came", [eventOf(1)], 0, "broken"],
		[
			"in whose place a document was fetched",
			[eventOf(1)],
			1,
			"untestable feature",
		],
		["of no request at all", [], 1, "untestable traffic"],
	])("%s", async (_about, sent, fetches, word) => {
		const documents = Array.from({ length: fetches }, () => requestOf({}));
		const stage = stageOf({
			main: probeOf(sent),
			place: placeOf({ documents }),
		});
		expect(await judge(consentChecks, row, { stage })).toBe(word);
	});

	it("is shown beside the event", async () => {
		const main = probeOf([CHALLENGE, eventOf(1)]);
		const stage = stageOf({ main, place: placeOf() });
		expect(await findingOf(consentChecks, row, { stage })).toMatchObject({
			cites: main.path.requests,
		});
	});

	it.each<[string, Sent[], string]>([
		["of words", [CHALLENGE], "holds"],
		["of none", [challengeOf("")], "broken"],
		["of a number", [challengeOf(7)], "broken"],
		["that did not come", [eventOf(1)], "untestable feature"],
	])("%s", async (_about, sent, word) => {
		const stage = stageOf({ main: probeOf(sent) });
		expect(
			await judge(consentChecks, "verification-challenge-echo", { stage }),
		).toBe(word);
	});

	it.each<[string, Sent[], Sent[], string]>([
		["that is redirected", [CHALLENGE], [], "holds"],
		["that follows", [CHALLENGE], [{ method: "GET" }], "broken"],
		["that did not come", [], [{ method: "GET" }], "untestable feature"],
	])("%s", async (_about, sent, followed, word) => {
		const place = placeOf({ openPath: () => pathOf(followed) });
		const stage = stageOf({ opens: [probeOf(sent)], place });
		const row = "verification-uses-ssrf-hardened-path";
		expect(await judge(consentChecks, row, { stage })).toBe(word);
	});
});

const FAILED = -32027;
const told = (reason: unknown, code = FAILED) => answerOf(code, { reason });

/** What the three subscribes are answered with whose endpoints fail; `sent`: what came to the first of them. */
interface Failures {
	wrong?: Answer;
	failing?: Answer;
	dead?: Answer;
	sent?: Sent[];
	place?: Partial<Stage["place"]>;
	profile?: GradeContext["profile"];
}

const failAll = (row: string, failures: Failures) => {
	const {
		wrong = told("challenge_failed"),
		failing = told("http_5xx"),
		dead = told("connection_refused"),
		sent = [CHALLENGE],
		place,
		profile = "final",
	} = failures;
	const [first, ...others] = [wrong, failing, dead].map((answer) =>
		subOf(answer),
	);
	const opens = others.map((sub) => probeOf([], { sub }));
	const stage = stageOf({
		opens: [probeOf(sent, first && { sub: first }), ...opens],
		place: placeOf(place),
	});
	const context = contextOf({ profile });
	return judge(consentFailureChecks, row, { context, stage });
};

describe("endpoints that fail", () => {
	it.each<[string, Failures, string]>([
		["told by their categories", {}, "holds"],
		[
			"told by the other right one",
			{ failing: told("challenge_failed") },
			"holds",
		],
		["that are taken", { wrong: answerOf() }, "WARNING"],
		[
			"that get events",
			{ wrong: answerOf(), sent: [CHALLENGE, eventOf(1)] },
			"broken",
		],
		[
			"that get envelopes",
			{ wrong: answerOf(), sent: [CHALLENGE, { body: { type: "gap" } }] },
			"WARNING",
		],
		["that are never asked", { sent: [] }, "untestable feature"],
		["told by a wrong category", { wrong: told("http_5xx") }, "broken"],
		["told as late", { wrong: told("timeout") }, "untestable time"],
		["told as late where nobody listens", { dead: told("timeout") }, "holds"],
		["told by a category of nobody", { failing: told("oh") }, "holds"],
		["told by another error", { failing: told("tls_error", -32602) }, "holds"],
		["taken where it answers 500", { failing: answerOf() }, "broken"],
		["not answered at all", { failing: answerOf("none") }, "untestable answer"],
		["told wrongly where nobody listens", { dead: told("http_5xx") }, "broken"],
		[
			"where nobody listens in public",
			{ dead: told("http_5xx"), place: { isPublic: true } },
			"holds",
		],
		[
			"where nobody may call",
			{ dead: told("http_5xx"), place: { allow: async () => NOT_LIFTED } },
			"holds",
		],
	])("%s", async (_about, failures, word) => {
		expect(await failAll("verification-failure-error", failures)).toBe(word);
	});

	it.each<[string, Failures, string]>([
		["right", {}, "holds"],
		[
			"for ChatGPT",
			{ wrong: told("challenge_failed", -32015), profile: "chatgpt" },
			"holds",
		],
		["another", { wrong: told("challenge_failed", -32602) }, "broken"],
		["right without a reason", { wrong: answerOf(FAILED) }, "WARNING"],
		["right with another reason", { wrong: told("oh") }, "WARNING"],
		["none", { wrong: answerOf() }, "untestable answer"],
		["that of nobody who is asked", { sent: [] }, "untestable feature"],
	])("whose error is %s", async (_about, failures, word) => {
		expect(await failAll("error-callback-endpoint-error", failures)).toBe(word);
	});

	const words = "the-words-of-an-endpoint-unique";
	const all = answerOf();
	it.each<[string, Failures, string]>([
		["not repeated", {}, "holds"],
		["repeated", { failing: told(`500: ${words}`) }, "broken"],
		[
			"never heard",
			{ wrong: all, failing: all, dead: all },
			"untestable answer",
		],
	])("whose words are %s", async (_about, failures, word) => {
		const row = "verification-no-raw-endpoint-responses";
		expect(await failAll(row, failures)).toBe(word);
	});
});

describe("one consent", () => {
	interface Reach {
		/** Challenges at first, with another type, and with another principal. */
		asked: [first: number, other: number, somebody: number];
		others?: string[];
		again?: Answer[];
		hasSecond?: boolean;
		controls?: GradeContext["controls"];
	}
	const reach = ({
		asked,
		others = ["a.b", "c.d"],
		again = [],
		hasSecond = true,
		controls = controlsOf({}),
	}: Reach) => {
		const challenges = (count = 0) =>
			Array.from({ length: count }, (_, at) => challengeOf(`nonce-${at}`));
		const [first, other, somebody] = asked;
		const probe = probeOf(challenges(first));
		const more = [other, somebody];
		const answers = [...again];
		const take = () => {
			for (const sent of challenges(more.shift()))
				probe.path.requests.push(requestOf(sent));
		};
		probe.sub.again = async () => {
			take();
			return subOf(answers.shift() ?? answerOf());
		};
		const { call } = controls;
		controls.call = async (name, args) => {
			take();
			return await call(name, args);
		};
		const context = contextOf({
			controls,
			options: optionsOf({ secondHeaders: hasSecond ? [["k", "v"]] : [] }),
			subjects: subjectsOf(...others),
		});
		return { context, stage: stageOf({ opens: [probe] }) };
	};
	const row = "verification-cached-per-principal-url";
	const subscribeAs = "done";

	it.each<[string, Reach, string]>([
		[
			"reaches to another type, and to nobody else",
			{ asked: [1, 0, 1] },
			"holds",
		],
		["reaches to another principal", { asked: [1, 0, 0] }, "broken"],
		["does not reach to another type", { asked: [1, 1, 1] }, "broken"],
		["was never asked for", { asked: [0, 1, 1] }, "untestable feature"],
		[
			"has no other type to reach to",
			{ asked: [1, 0, 1], others: ["a.b"] },
			"untestable feature",
		],
		[
			"is not tried where another type is refused",
			{ asked: [1, 1, 1], again: [answerOf(-32602)] },
			"untestable answer",
		],
		[
			"is not tried where another principal is refused",
			{ asked: [1, 0, 1], again: [answerOf(), answerOf(-32024)] },
			"untestable answer",
		],
		[
			"is not tried without another principal",
			{ asked: [1, 0, 1], hasSecond: false },
			"untestable credential",
		],
		[
			"reaches to nobody who is subscribed by the control",
			{
				asked: [1, 0, 1],
				hasSecond: false,
				controls: controlsOf({ subscribeAs }),
			},
			"holds",
		],
	])("%s", async (_about, told, word) => {
		expect(await judge(consentReachChecks, row, reach(told))).toBe(word);
	});

	it("is not tried where the control fails", async () => {
		const controls = controlsOf({});
		controls.missing = () => undefined;
		const told = reach({ asked: [1, 0, 1], hasSecond: false, controls });
		expect(await judge(consentReachChecks, row, told)).toBe(
			"untestable control",
		);
	});

	it("is not tried where the subscribe is refused", async () => {
		const stage = stageOf({ opens: [REFUSED()] });
		expect(await judge(consentReachChecks, row, { stage })).toBe(
			"untestable answer",
		);
	});
});

describe("the words of challenges", () => {
	const OTHER = challengeOf("b-nonce-of-16-chars");
	const nonces = (
		main: Sent[],
		stale: Sent[],
		answer: Answer,
		finding?: Finding,
	) => {
		const opens = [probeOf(stale, { sub: subOf(answer) })];
		const found = () =>
			new Map(finding ? [["verification-failure-error", finding]] : []);
		const stage = stageOf({ main: probeOf(main), opens });
		const context = contextOf({ found });
		return judge(consentReachChecks, "verification-nonce-single-use", {
			context,
			stage,
		});
	};
	const refused = answerOf(FAILED);
	it.each<[string, () => Promise<string>, string]>([
		["all different", () => nonces([CHALLENGE], [OTHER], refused), "holds"],
		["used twice", () => nonces([CHALLENGE], [CHALLENGE], refused), "broken"],
		[
			"short",
			() => nonces([CHALLENGE], [challengeOf("15-characters--")], refused),
			"broken",
		],
		[
			"short enough",
			() => nonces([CHALLENGE], [challengeOf("16-characters---")], refused),
			"holds",
		],
		["numbers", () => nonces([CHALLENGE], [challengeOf(7)], refused), "holds"],
		["never asked", () => nonces([], [OTHER], refused), "untestable feature"],
		[
			"taken a second time",
			() => nonces([CHALLENGE], [OTHER], answerOf()),
			"broken",
		],
		[
			"whatever they are",
			() => nonces([CHALLENGE], [OTHER], answerOf(), broken("any")),
			"holds",
		],
	])("are %s", async (_about, found, word) => {
		expect(await found()).toBe(word);
	});
});
