import { describe, expect, it } from "vitest";
import { compareModes } from "../../../src/grade/modes/compare-modes.ts";
import { answerOf, subjectOf } from "../delivery/by-hand.ts";
import { frame, streamOf } from "../push/by-hand.ts";
import { openingOf } from "./by-hand.ts";

const POLLED = answerOf({ events: [], cursor: "c0", hasMore: false });
const active = (truncated: boolean) =>
	streamOf(
		frame({
			method: "notifications/events/active",
			params: { cursor: "c1", truncated },
		}),
	);

describe("a poll and a stream", () => {
	it.each([
		["that goes on from it begin at one position", false, true],
		["that skips what was between do not", true, false],
	])("%s", async (_what, truncated, isFromOnePosition) => {
		const streams = [active(truncated)];
		const { opening } = openingOf({ answers: [POLLED], streams });
		const subject = subjectOf("a.b", ["poll", "push"]);
		const compared = await compareModes(opening.context, subject);
		expect(compared.isFromOnePosition).toBe(isFromOnePosition);
		expect(compared.logs.map(({ mode }) => mode)).toEqual(["poll", "push"]);
		expect([...compared.leftOut.keys()]).toEqual(["webhook"]);
	});
});
