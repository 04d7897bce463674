// The webhook half of a change by hand: subscribed or not, reached or not, and told of the end or not.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { Gate } from "../../../src/grade/finding.ts";
import { holdWebhook } from "../../../src/grade/push/farewell.ts";
import {
	answerOf,
	challengeOf,
	contextOf,
	eventOf,
	NOT_LIFTED,
	pathOf,
	placeOf,
	type Sent,
	subjectOf,
} from "../delivery/by-hand.ts";

const ENDED: Sent = { body: { type: "terminated", error: {} } };

/** A server that answers a subscribe so, and to whose callback these come. */
function serverOf(answer: ReturnType<typeof answerOf>, sent: Sent[]) {
	const asked: string[] = [];
	const ask = async (method: string) => {
		asked.push(method);
		return answer;
	};
	const trailed: Partial<GradeContext["wire"]> = { ask };
	const wire: Partial<GradeContext["wire"]> = {
		withTrail: () => trailed as GradeContext["wire"],
	};
	const place = placeOf({ openPath: () => pathOf(sent) });
	const context = contextOf({
		wire: wire as GradeContext["wire"],
		receiving: { open: async () => place, close: async () => {} },
	});
	return { context, asked };
}

describe("the webhook of a type that goes away", () => {
	const both = subjectOf("a.b", ["push", "webhook"]);
	it.each<[string, ReturnType<typeof answerOf>, Sent[], string]>([
		["is told", answerOf(), [challengeOf(), ENDED], "came"],
		["is not told", answerOf(), [challengeOf(), eventOf(1)], "silent"],
		["was never reached", answerOf(), [], "untried"],
		["was refused", answerOf(-32602), [ENDED], "untried"],
	])("%s", async (_about, answer, sent, kind) => {
		const { context, asked } = serverOf(answer, sent);
		const held = await holdWebhook(context, both);
		expect((await held.judge()).kind).toBe(kind);
		await held.release();
		expect(asked).toEqual(["events/subscribe", "events/unsubscribe"]);
	});

	it("is none where the type offers none", async () => {
		const { context, asked } = serverOf(answerOf(), [ENDED]);
		const held = await holdWebhook(context, subjectOf("a.b", ["push"]));
		expect(await held.judge()).toEqual({ kind: "not-offered" });
		expect(asked).toEqual([]);
	});

	it("is not tried where nothing can listen, and fails where that is a defect", async () => {
		const { context } = serverOf(answerOf(), []);
		const fail = (error: Error) => async () => {
			throw error;
		};
		context.receiving.open = fail(new Gate(NOT_LIFTED));
		const held = await holdWebhook(context, both);
		expect(await held.judge()).toMatchObject({ finding: NOT_LIFTED });
		context.receiving.open = fail(new Error("a defect"));
		await expect(holdWebhook(context, both)).rejects.toThrow("a defect");
	});
});
