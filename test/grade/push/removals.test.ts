// Event types that go away, change or grow under a stream that is made by hand: what each turn of events says.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import {
	judgeChanged,
	judgeNotFound,
} from "../../../src/grade/push/removal-errors.ts";
import { removalChecks } from "../../../src/grade/push/removals.ts";
import { readError } from "../../../src/grade/wire/frame.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import {
	answerOf,
	contextOf,
	controlsOf,
	pathOf,
	placeOf,
	type Sent,
	subjectOf,
	wordOf,
} from "../delivery/by-hand.ts";
import {
	ACTIVE,
	errorOf,
	findingOf,
	frame,
	judge,
	streamOf,
} from "./by-hand.ts";

const ENDED = frame({
	method: "notifications/events/terminated",
	params: { error: { code: -32023, message: "no" } },
});
const open = () => streamOf(ACTIVE);
const ended = () => streamOf(ACTIVE, ENDED);
const refused = () => streamOf(errorOf(-32023));

interface Change {
	/** The streams of the type that is broken and removed, or of the one that grows. */
	streams: () => GradeStream[];
	/** What stands in the catalogue behind the change. */
	after?: object;
	hasVictim?: boolean;
	controls?: GradeContext["controls"];
	/** What comes to the webhooks of both; undefined: the type offers none. */
	sent?: [Sent[], Sent[]];
	/** What a subscribe is answered with. */
	subscribed?: ReturnType<typeof answerOf>;
}

function changeOf({
	streams,
	after = { new: true },
	hasVictim = true,
	sent,
	...more
}: Change) {
	const {
		controls = controlsOf({ catalog: "done" }),
		subscribed = answerOf(),
	} = more;
	const first = subjectOf("a.b", ["poll", "push", "webhook"]);
	const victim = subjectOf("c.d", sent ? ["push", "webhook"] : ["push"]);
	const subjects = hasVictim ? [first, victim] : [first];
	const listed = answerOf({
		events: [{ name: "a.b" }, { name: "c.d", ...after }],
	});
	victim.type.value = { name: "c.d" };
	const left = streams();
	const asking: Partial<GradeContext["wire"]> = {
		ask: async (method) => (method === "events/list" ? listed : subscribed),
		withTrail: () => asking as GradeContext["wire"],
		openStream: () => left.shift() ?? refused(),
	};
	const paths = (sent ?? []).map((all) => pathOf(all));
	const place = placeOf({ openPath: () => paths.shift() ?? pathOf([]) });
	return {
		subjects,
		context: {
			...contextOf({ controls }),
			wire: asking as GradeContext["wire"],
			listing: {
				pages: [listed] as const,
				types: subjects.map(({ type }) => type),
				stopped: undefined,
			},
			subjects: {
				withMode: async () => subjects,
				withoutMode: async () => undefined,
				first: async () => first,
			},
			receiving: { open: async () => place, close: async () => {} },
		},
	};
}

const failing = controlsOf({});
failing.missing = () => undefined;

/** Open when it is first looked at, and no more. */
function closing(): GradeStream {
	let looks = 0;
	return {
		...open(),
		get end() {
			return looks++ > 0
				? { kind: "ended" as const, told: "over", at: 0 }
				: undefined;
		},
	};
}

/** It ends a moment after its confirmation. */
function falling(): GradeStream {
	let isOver = false;
	return {
		...open(),
		async watch() {
			isOver = true;
		},
		get end() {
			return isOver
				? { kind: "ended" as const, told: "over", at: 0 }
				: undefined;
		},
	};
}

describe("a stream whose type grows", () => {
	it.each<[string, Change, string]>([
		["stays open", { streams: () => [open()] }, "holds"],
		["is told of an end", { streams: () => [ended()] }, "broken"],
		["ends", { streams: () => [closing()] }, "broken"],
		[
			"is not touched",
			{ streams: () => [open()], after: {} },
			"untestable control",
		],
		["does not stand", { streams: () => [falling()] }, "untestable answer"],
		["does not open", { streams: () => [refused()] }, "untestable answer"],
		[
			"has no type to spare",
			{ streams: () => [ended()], hasVictim: false },
			"untestable traffic",
		],
		[
			"has no control",
			{ streams: () => [ended()], controls: controlsOf({}) },
			"untestable control",
		],
		[
			"has a control that fails",
			{ streams: () => [ended()], controls: failing },
			"untestable control",
		],
	])("%s", async (_about, change, word) => {
		const row = "removal-additive-no-terminate";
		expect(await judge(removalChecks, row, changeOf(change))).toBe(word);
	});
});

describe("streams whose type changes and goes away", () => {
	const gone: Sent = { body: { type: "terminated", error: {} } };
	const both = () => [ended(), ended()];
	const event: Sent = {};
	it.each<[string, Change, string]>([
		["are told", { streams: both }, "holds"],
		[
			"are not told of the change",
			{ streams: () => [open(), ended()] },
			"broken",
		],
		["are not told of the end", { streams: () => [ended(), open()] }, "broken"],
		[
			"do not open a second time",
			{ streams: () => [ended(), refused()] },
			"untestable answer",
		],
		[
			"are not told of the end, and did not open at first",
			{ streams: () => [refused(), open()] },
			"broken",
		],
		[
			"are told, with a webhook",
			{ streams: both, sent: [[gone], [gone]] },
			"holds",
		],
		[
			"are told, and a webhook is not",
			{ streams: both, sent: [[event, gone], [event]] },
			"broken",
		],
		[
			"are told, and a webhook was never reached",
			{ streams: both, sent: [[gone], []] },
			"untestable traffic",
		],
		[
			"are told, and no webhook is taken",
			{ streams: both, sent: [[gone], [gone]], subscribed: answerOf(-32602) },
			"untestable answer",
		],
		[
			"have no type to spare",
			{ streams: both, hasVictim: false },
			"untestable traffic",
		],
	])("%s", async (_about, change, word) => {
		const row = "removal-terminates-subscriptions";
		expect(await judge(removalChecks, row, changeOf(change))).toBe(word);
	});

	it.each<[string, () => GradeStream[], string]>([
		["right", () => [ended(), ended()], "WARNING"],
		["none", () => [ended(), open()], "untestable answer"],
		[
			"a text",
			() => [
				ended(),
				streamOf(
					ACTIVE,
					frame({ method: ENDED.method, params: { error: "no" } }),
				),
			],
			"untestable answer",
		],
		["that of nothing that was tried", () => [], "untestable answer"],
	])("are ended by an error that is %s", async (_about, streams, word) => {
		const told = changeOf({ streams });
		expect(await judge(removalChecks, "removal-error-not-found", told)).toBe(
			word,
		);
	});
});

describe("what is shown of streams that were told", () => {
	const shown = async (sent?: Change["sent"]) =>
		await findingOf(
			removalChecks,
			"removal-terminates-subscriptions",
			changeOf({ streams: () => [ended(), ended()], ...(sent && { sent }) }),
		);
	const gone: Sent = { body: { type: "terminated", error: {} } };

	it("is what came on them", async () => {
		expect(await shown()).toMatchObject({
			found: expect.stringContaining("it has no webhook"),
			cites: [ENDED, ENDED],
		});
	});

	it("is what came to their webhooks, too", async () => {
		const callback = { kind: "terminated" };
		expect(await shown([[gone], [gone]])).toMatchObject({
			found: expect.stringContaining("at the webhook of both"),
			cites: [ENDED, callback, ENDED, callback],
		});
	});
});

describe("the error that ends", () => {
	const context = contextOf();
	const errorWith = (code: number, data?: unknown) => {
		const error = readError({ code, message: "no", data });
		if (!error) throw new Error("no error");
		return error;
	};

	it.each([
		["NotFound of an event", -32023, { kind: "event" }, "holds"],
		["NotFound", -32023, {}, "WARNING"],
		["NotFound with a text", -32023, "event", "WARNING"],
		["NotFound of another thing", -32023, { kind: "subscription" }, "broken"],
		["another one", -32024, { kind: "event" }, "broken"],
	])("a removed type: %s", (_about, code, data, word) => {
		expect(wordOf(judgeNotFound(errorWith(code, data), ENDED, context))).toBe(
			word,
		);
	});

	const reason = "schema_changed";
	it.each([
		[
			"Unsupported inputSchema",
			-32026,
			{ feature: "inputSchema", reason },
			"holds",
		],
		[
			"Unsupported payloadSchema",
			-32026,
			{ feature: "payloadSchema", reason },
			"holds",
		],
		["Unsupported delivery", -32026, { feature: "delivery", reason }, "broken"],
		[
			"Unsupported for another reason",
			-32026,
			{ feature: "inputSchema", reason: "no" },
			"broken",
		],
		["Unsupported without a word", -32026, undefined, "broken"],
		["another one", -32023, { feature: "inputSchema", reason }, "broken"],
	])("a changed type: %s", (_about, code, data, word) => {
		expect(wordOf(judgeChanged(errorWith(code, data), ENDED, context))).toBe(
			word,
		);
	});
});
