// What is said of a second principal from what each mode answers it, made by hand.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { accessChecks } from "../../../src/grade/webhook/access.ts";
import type { WebhookGround } from "../../../src/grade/webhook/ground.ts";
import type { GradeStream } from "../../../src/grade/wire/stream.ts";
import {
	answerOf,
	contextOf,
	optionsOf,
	pathOf,
	subjectOf,
	subjectsOf,
	subOf,
	wordOf,
} from "../delivery/by-hand.ts";
import { ACTIVE, errorOf, streamOf } from "../push/by-hand.ts";

const FORBIDDEN = -32024;
const granted = subOf(answerOf());
const refused = subOf(answerOf(FORBIDDEN));

const ground: Partial<WebhookGround> = {
	main: granted,
	newCallback: () => ({ url: "https://here.example/a", path: pathOf([]) }),
	subscribe: async ({ caller }) => (caller === "second" ? refused : granted),
};

/** What is found where webhook is refused, and a stream of the second principal turns out to be this. */
async function judge(second: GradeStream): Promise<string> {
	const wire: Partial<GradeContext["wire"]> = {
		kind: "http",
		openStream: (_method, _params, { caller } = {}) =>
			caller === "second" ? second : streamOf(ACTIVE),
	};
	const context = contextOf({
		wire: wire as GradeContext["wire"],
		subjects: {
			...subjectsOf(),
			withMode: async () => [subjectOf("a.b", ["webhook", "push"])],
		},
		options: optionsOf({ secondHeaders: [["authorization", "Bearer two"]] }),
	});
	const [check] = accessChecks;
	const found = await check?.run(context, ground as WebhookGround);
	const finding = found?.["authz-subscribe-time"];
	if (!finding) throw new Error("no finding");
	return wordOf(finding);
}

describe("a second principal that may not subscribe", () => {
	it.each([
		["whose stream is refused", streamOf(errorOf(FORBIDDEN)), "holds"],
		["whose stream is confirmed, and quiet", streamOf(ACTIVE), "broken"],
	])("and %s", async (_what, stream, word) => {
		expect(await judge(stream)).toBe(word);
	});
});
