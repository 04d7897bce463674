import { describe, expect, it } from "vitest";
import { compareModes } from "../../../src/grade/modes/compare-modes.ts";
import {
	answerOf,
	controlsOf,
	NOT_LIFTED,
	optionsOf,
	subjectOf,
} from "../delivery/by-hand.ts";
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

it("a trigger tool that fails is told of", async () => {
	const callTool = async () =>
		({ kind: "failed", finding: NOT_LIFTED }) as const;
	const { opening } = openingOf({
		...{ answers: [POLLED], streams: [active(false)] },
		context: {
			controls: { ...controlsOf({}), callTool },
			options: optionsOf({ trigger: { tool: "make", args: {} } }),
		},
	});
	const subject = subjectOf("a.b", ["poll", "push"]);
	const { triggerFailure } = await compareModes(opening.context, subject);
	expect(triggerFailure).toBe(NOT_LIFTED);
});
