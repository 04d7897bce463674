import { describe, expect, it } from "vitest";
import {
	confirm,
	type Opening,
	whyAsideOf,
} from "../../../src/grade/push/ground.ts";
import { WAITS } from "../../../src/grade/waits.ts";
import { type Frame, frameOf } from "../../../src/grade/wire/frame.ts";
import { openScribe } from "../../../src/grade/wire/record.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";

const scribe = openScribe({ now: () => 0, secrets: [], secretHeaders: [] });
const frame = (value: object): Frame =>
	frameOf(
		{ jsonrpc: "2.0", ...value },
		0,
		scribe.note({ direction: "received", via: "http" }, "{}"),
	);

const ACTIVE = frame({
	method: "notifications/events/active",
	params: { truncated: false },
});
const EVENT = frame({ method: "notifications/events/event", params: {} });
const RESULT = frame({ id: 1, result: {} });
const ERROR = frame({ id: 1, error: { code: -32023, message: "no" } });
const PAGE = {
	status: 200,
	headers: { "content-type": "text/html" },
	isEvents: false,
};
const EVENTS = { status: 200, headers: {}, isEvents: true };
const END = { kind: "ended", told: "it ended", at: 0 } as const;

/** What came on a stream of these frames, as far as they are waited for. */
const opening = (
	frames: readonly Frame[],
	{ head, end }: Partial<Pick<GradeStream, "head" | "end">> = {},
) =>
	confirm(
		{ waits: WAITS },
		{ head, end, waitFor: async (test) => frames.find(test) },
	);

describe("a stream is", () => {
	it("active by its confirmation, whatever came before", async () => {
		expect(await opening([EVENT, ACTIVE])).toEqual({
			kind: "active",
			frame: ACTIVE,
			cursor: null,
			truncated: false,
		});
	});

	it.each([
		["an error", [ERROR], {}, "error -32023"],
		["an error with a head", [ERROR], { head: PAGE }, "(HTTP 200)"],
		["a result", [RESULT], {}, "a response in place of a stream"],
		["its end", [EVENT], { end: END }, "it ended"],
		["another kind of answer", [], { head: PAGE }, "text/html (HTTP 200)"],
		[
			"an answer without a kind",
			[],
			{ head: { ...PAGE, headers: {} } },
			"no content type (HTTP 200)",
		],
	] as const)("refused by %s", async (_what, frames, more, told) => {
		expect(await opening(frames, more)).toMatchObject({
			kind: "refused",
			told: expect.stringContaining(told),
		});
	});

	it.each([
		["without a word", {}, "no notifications/events/active"],
		["that stays open", { head: EVENTS }, "active (HTTP 200)"],
	] as const)("silent %s", async (_what, more, told) => {
		expect(await opening([EVENT], more)).toMatchObject({
			kind: "silent",
			told: expect.stringContaining(told),
		});
	});

	it("refused with the error and the message that say so", async () => {
		expect(await opening([ERROR])).toMatchObject({
			error: { code: -32023 },
			frame: ERROR,
		});
		expect(await opening([], { end: END })).not.toHaveProperty("frame");
	});
});

describe("a further stream that did not open", () => {
	const refusedBy = (code: number): Opening => {
		const { error } = frame({ id: 1, error: { code, message: "no" } });
		return { kind: "refused", told: "no", ...(error && { error }) };
	};
	const silent: Opening = { kind: "silent", told: "silence" };
	const active: Opening = {
		kind: "active",
		frame: ACTIVE,
		cursor: null,
		truncated: false,
	};
	const heard = { head: EVENTS, end: undefined, frames: [EVENT], record: [] };
	const unheard = { ...heard, head: undefined, frames: [] };

	it.each([
		["for a limit", refusedBy(-32025), heard, active],
		["as none of this server is confirmed", silent, heard, silent],
		["of which nothing was heard", silent, unheard, active],
	])("%s is no fault of it", (_why, next, stream, opening) => {
		expect(whyAsideOf(next, stream, { opening })).toMatchObject({
			kind: "untestable",
		});
	});

	it.each([
		["is active", active, unheard, active],
		["is refused for another reason", refusedBy(-32023), unheard, active],
		["is refused where others are silent", refusedBy(-32023), heard, silent],
		["is silent behind its head", silent, { ...unheard, head: EVENTS }, active],
		["is silent to its end", silent, { ...unheard, end: END }, active],
		[
			"is silent behind an event",
			silent,
			{ ...heard, head: undefined },
			active,
		],
	])("and that %s has to be judged", (_why, next, stream, opening) => {
		expect(whyAsideOf(next, stream, { opening })).toBeUndefined();
	});
});
