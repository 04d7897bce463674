import { describe, expect, it } from "vitest";
import { Gate } from "../../../src/grade/finding.ts";
import { openByWebhook } from "../../../src/grade/modes/by-webhook.ts";
import type { Answer } from "../../../src/grade/wire/answer.ts";
import {
	answerOf,
	eventOf,
	NOT_LIFTED,
	pathOf,
	placeOf,
	type Sent,
} from "../delivery/by-hand.ts";
import { openingOf, windowOf } from "./by-hand.ts";

const GRANTED = answerOf({ id: "s1", cursor: "c1", truncated: false });
const REFUSED = answerOf(-32602);
const envelope = (type: string): Sent => ({ body: { type } });

/** Subscribes by these answers, and looks at what came. */
async function follow(
	answers: readonly Answer[],
	{ cursor = null, came = [] }: { cursor?: string | null; came?: Sent[] } = {},
) {
	const path = pathOf(came);
	const receiving = {
		open: async () => placeOf({ openPath: () => path }),
		close: async () => {},
	};
	const { opening, asked } = openingOf({
		...{ answers, cursor, context: { receiving } },
	});
	const opened = await openByWebhook(opening);
	const { window, log } = windowOf("webhook", opening);
	const way = opened.kind === "open" ? opened.way : undefined;
	way?.look(window, log);
	const cursors = asked.flatMap((params) =>
		"cursor" in params ? [params.cursor] : [],
	);
	return { way, log, cursors };
}

describe("a webhook from another mode's position", () => {
	it.each([
		["stands from there", "p", GRANTED, true],
		["skips what was between", "p", answerOf({ truncated: true }), false],
		["begins now, for there is none", null, GRANTED, false],
	])("%s", async (_what, cursor, answer, isFromPosition) => {
		const { way, cursors } = await follow([answer], { cursor });
		expect(way?.isFromPosition).toBe(isFromPosition);
		expect(cursors).toEqual([cursor]);
	});

	it("that is refused is subscribed from now on", async () => {
		const { way, cursors } = await follow([REFUSED, GRANTED], { cursor: "p" });
		expect(cursors).toEqual(["p", null]);
		expect(way).toMatchObject({ isFromPosition: false, cursor: "c1" });
	});

	it("that is refused from now on is left out", async () => {
		const { way, cursors } = await follow([REFUSED]);
		expect(way).toBeUndefined();
		expect(cursors).toEqual([null]);
	});

	it("gives no position that is no text", async () => {
		const { way } = await follow([answerOf({ cursor: 7 })]);
		expect(way?.cursor).toBeUndefined();
	});
});

describe("what comes to it", () => {
	it.each([
		["an event", eventOf(1), { hasGap: false, lost: undefined }, 1],
		["a gap", envelope("gap"), { hasGap: true, lost: undefined }, 0],
		[
			"an end",
			envelope("terminated"),
			{ hasGap: false, lost: "the server ended the subscription" },
			0,
		],
	])("is %s", async (_what, sent, told, events) => {
		const { log } = await follow([GRANTED], { came: [sent] });
		expect(log).toMatchObject(told);
		expect(log.sightings.size).toBe(events);
	});
});

describe("where nothing can listen", () => {
	const failing = (error: Error) => ({
		receiving: {
			open: async () => {
				throw error;
			},
			close: async () => {},
		},
	});

	it("a gate leaves it out", async () => {
		const { opening } = openingOf({ context: failing(new Gate(NOT_LIFTED)) });
		expect(await openByWebhook(opening)).toEqual({
			kind: "left-out",
			finding: NOT_LIFTED,
		});
	});

	it("a fault ends the run", async () => {
		const { opening } = openingOf({ context: failing(new Error("in use")) });
		await expect(openByWebhook(opening)).rejects.toThrow("in use");
	});
});
