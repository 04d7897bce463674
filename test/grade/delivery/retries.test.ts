// Deliveries that fail, by hand: retries that are fresh and bounded, refusals for good, and what a refresh tells of them.
import { describe, expect, it } from "vitest";
import {
	deliveryStatusChecks,
	judgeStatus,
} from "../../../src/grade/delivery/delivery-status.ts";
import {
	judgeRefused,
	openRefusing,
} from "../../../src/grade/delivery/refused.ts";
import { retryChecks } from "../../../src/grade/delivery/retries.ts";
import { answerStatus } from "../../../src/grade/receiving/behaviour.ts";
import { SIZES } from "../../../src/grade/waits.ts";
import {
	answerOf,
	contextOf,
	eventOf,
	judge,
	OCCURRENCE,
	probeOf,
	REFUSED,
	requestOf,
	type Sent,
	stageOf,
	subOf,
	wordOf,
} from "./by-hand.ts";

/** Attempts at one event, each with its timestamp and signature; `id`: another eventId. */
const attempt = (
	at: number,
	{
		time = "1",
		signature = `v1,${time}`,
		id = "e1",
	}: Record<string, string | undefined> = {},
): Sent => ({
	headers: { "webhook-timestamp": time, "webhook-signature": signature },
	body: { ...OCCURRENCE, eventId: id },
	at,
});

/** What is said where these attempts came to the two that fail, one of which is answered so at its refresh. */
const fail = (row: string, flaky: Sent[], dead: Sent[] = flaky) => {
	const opens = [probeOf(flaky), probeOf(dead), probeOf(), probeOf()];
	return judge(retryChecks, row, { stage: stageOf({ opens }) });
};

describe("the retries of an event", () => {
	const fresh = attempt(1_000, { time: "2" });
	it.each<[string, Sent[], string]>([
		["made anew", [attempt(0), fresh], "holds"],
		["the same", [attempt(0), attempt(1_000)], "broken"],
		[
			"of the same timestamp",
			[attempt(0), attempt(1_000, { signature: "v1,2" })],
			"broken",
		],
		[
			"of the same signature",
			[attempt(0), attempt(1_000, { time: "2", signature: "v1,1" })],
			"broken",
		],
		[
			"without signatures",
			[0, 1_000].map((at) =>
				attempt(at, { time: String(at), signature: undefined }),
			),
			"holds",
		],
		["within a second", [attempt(0), attempt(999)], "untestable time"],
		["that do not come", [attempt(0)], "untestable traffic"],
		["of no event", [], "untestable traffic"],
	])("%s", async (_about, sent, word) => {
		const row = "delivery-retry-regenerates-signature";
		expect(await fail(row, sent)).toBe(word);
	});

	it("made anew for one event of two", async () => {
		const row = "delivery-retry-regenerates-signature";
		const same = [attempt(0), attempt(1_000)];
		expect(await fail(row, [attempt(0), fresh], same)).toBe("broken");
		expect(await fail(row, [attempt(0), fresh], [attempt(0)])).toBe("holds");
	});

	it("that are made for whoever was not refused", async () => {
		const opens = [probeOf(), probeOf(), REFUSED(), probeOf()];
		const asked: unknown[] = [];
		const stage = stageOf({
			opens,
			async nextEvent(path) {
				asked.push(path);
				for (const sent of [attempt(0), fresh]) path.take(requestOf(sent));
				return path.events.at(-1);
			},
		});
		const row = "delivery-retry-regenerates-signature";
		expect(await judge(retryChecks, row, { stage })).toBe("holds");
		expect(asked).not.toContain(opens[2]?.path);
	});

	it.each([
		[1, "untestable traffic"],
		[2, "holds"],
		[SIZES.retryAttempts, "holds"],
		[SIZES.retryAttempts + 1, "broken"],
	])("%i in number", async (count, word) => {
		const sent = Array.from({ length: count }, (_, at) => attempt(at));
		expect(await fail("delivery-retries-bounded", sent)).toBe(word);
	});

	it.each<[string, Sent[], Sent[], string]>([
		["by its id", [attempt(0), attempt(1)], [attempt(0)], "holds"],
		["by another id", [attempt(0), attempt(1, { id: "e2" })], [], "broken"],
		["once", [attempt(0)], [attempt(0)], "untestable traffic"],
		["never", [], [], "untestable traffic"],
	])("that carry it %s", async (_about, flaky, dead, word) => {
		expect(await fail("event-id-stable", flaky, dead)).toBe(word);
	});
});

describe("events that are refused for good", () => {
	const refusing = { delivery: () => answerStatus(410) };
	const both = [eventOf(1), eventOf(1, 9)];
	const later = [eventOf(2, 1), eventOf(3, 2)];
	const refuse = (
		sent: Sent[],
		{ status = 410, isRetrying = true, elsewhere = [] as Sent[] } = {},
	) => {
		const stage = stageOf({ main: probeOf([eventOf(8, 0), ...elsewhere]) });
		const probe = probeOf(sent, { behaviour: refusing });
		return wordOf(judgeRefused(probe, { status, isRetrying, stage }));
	};

	it.each<[string, Sent[], Parameters<typeof refuse>[1], string]>([
		["once each", [eventOf(1), eventOf(2)], {}, "holds"],
		["again", both, {}, "broken"],
		["again, of one in two", [...both, eventOf(2)], {}, "holds"],
		[
			"again, of two in three",
			[...both, eventOf(2), eventOf(2, 9), eventOf(3)],
			{},
			"broken",
		],
		[
			"again, of the fourth",
			[eventOf(1), eventOf(2), eventOf(3), eventOf(4), eventOf(4, 9)],
			{},
			"holds",
		],
		[
			"once, as all that fails",
			[eventOf(1), eventOf(2)],
			{ isRetrying: false },
			"untestable traffic",
		],
		["once, and nothing else comes", [eventOf(1)], {}, "holds"],
		[
			"once, and others come elsewhere",
			[eventOf(1, 0)],
			{ elsewhere: later },
			"broken",
		],
		[
			"once, and one comes elsewhere",
			[eventOf(1, 0)],
			{ elsewhere: later.slice(0, 1) },
			"holds",
		],
		[
			"once, and others came before",
			[eventOf(1, 5)],
			{ elsewhere: later },
			"holds",
		],
		[
			"as too large, and others come elsewhere",
			[eventOf(1, 0)],
			{ elsewhere: later, status: 413 },
			"holds",
		],
		["never", [], {}, "untestable traffic"],
	])("come %s", (_about, sent, more, word) => {
		expect(refuse(sent, more)).toBe(word);
	});

	it("are the first three, however often they come", async () => {
		const statuses: unknown[] = [];
		const stage = stageOf({
			async open({ behaviour } = {}) {
				for (const nth of [3, 4, 3]) {
					const request = { ...requestOf({}), nth };
					statuses.push(behaviour?.delivery?.(request).status);
				}
				return REFUSED();
			},
		});
		await openRefusing(stage, 410);
		expect(statuses).toEqual([410, 204, 410]);
	});

	it("cannot be tried where the subscribe is refused", () => {
		const about = { status: 410, isRetrying: true, stage: stageOf() };
		expect(wordOf(judgeRefused(REFUSED(), about))).toBe("untestable answer");
	});
});

describe("what a refresh tells of failures", () => {
	const words = "the-words";
	it.each<[string, Parameters<typeof answerOf>[0], string]>([
		[
			"by their category",
			{ deliveryStatus: { lastError: "http_5xx" } },
			"holds",
		],
		["in other words", { deliveryStatus: { lastError: "oh" } }, "broken"],
		[
			"in its words",
			{ deliveryStatus: { lastError: "http_5xx", told: words } },
			"broken",
		],
		["as a text", { deliveryStatus: "http_5xx" }, "broken"],
		["as none", { deliveryStatus: { lastError: null } }, "untestable answer"],
		["without one", { deliveryStatus: {} }, "untestable answer"],
		["by nothing", {}, "skipped"],
		["by null", { deliveryStatus: null }, "skipped"],
		["by an error", -32602, "untestable answer"],
	])("%s", (_about, answer, word) => {
		expect(wordOf(judgeStatus(subOf(answerOf(answer)), words))).toBe(word);
	});
});

describe("what a refresh tells of a rate", () => {
	const status = (deliveryStatus?: unknown) => answerOf({ deliveryStatus });
	it.each([
		["nothing", status({}), "holds"],
		[
			"that there is none",
			status({ throttled: false, retryAfterMs: null }),
			"holds",
		],
		["that it is throttled", status({ throttled: true }), "broken"],
		["it as a text", status({ throttled: "no" }), "broken"],
		["a time to wait", status({ retryAfterMs: 5 }), "broken"],
		["no status", status(), "skipped"],
		["an error", answerOf(-32602), "untestable answer"],
	])("is %s", async (_about, again, word) => {
		const main = probeOf([{}], { sub: subOf(answerOf(), { again }) });
		const row = "delivery-status-throttled";
		const stage = stageOf({ main });
		expect(await judge(deliveryStatusChecks, row, { stage })).toBe(word);
	});
});

describe("what fails, and is looked at", () => {
	const late = { at: 1_000 };
	const tryAll = async (row: string, stage: ReturnType<typeof stageOf>) => {
		const slept: number[] = [];
		const sleep = async (ms: number) => void slept.push(ms);
		const word = await judge(retryChecks, row, {
			context: contextOf({ sleep }),
			stage,
		});
		return { word, slept };
	};

	it("for half as long again as a retry took", async () => {
		const dead = probeOf([eventOf(1, 0), eventOf(1, late.at)]);
		const opens = [probeOf(), dead, probeOf(), probeOf()];
		const { slept } = await tryAll("event-id-stable", stageOf({ opens }));
		expect(slept).toEqual([1_500]);
	});

	it("with a further event behind one that was refused", async () => {
		const gone = probeOf([eventOf(1)]);
		const again = [eventOf(1, 0), eventOf(1, 1_000)];
		const opens = [probeOf(again), probeOf(), gone, probeOf()];
		const asked: unknown[] = [];
		const stage = stageOf({
			opens,
			async nextEvent(path, from, fits) {
				if (from === 1) asked.push(path);
				const [first] = path.events;
				if (fits && first) expect(fits(first)).toBe(false);
				return undefined;
			},
		});
		const { word } = await tryAll("delivery-410-non-retryable", stage);
		expect(word).toBe("holds");
		expect(asked).toEqual([gone.path]);
	});
});
