// Access that was taken away, by hand: what ends a subscription, and what is held against a server.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { reverifyingChecks } from "../../../src/grade/delivery/reverifying.ts";
import type { Frame } from "../../../src/grade/wire/frame.ts";
import {
	answerOf,
	contextOf,
	controlsOf,
	eventOf,
	frameAt,
	judge,
	probeOf,
	REFUSED,
	type Sent,
	stageOf,
	subjectOf,
	subjectsOf,
} from "./by-hand.ts";

const ROW = "authz-delivery-time-reverify";
const ENDED: Sent["body"] = { type: "terminated", error: { code: -32024 } };

/** An event came before; afterwards `sent` came, and these frames stand on the stream. */
interface Told {
	sent?: Sent[];
	state?: string;
	frames?: readonly Frame[];
	profile?: GradeContext["profile"];
	hasAccess?: boolean;
}

function revoke({
	sent = [],
	state = "active",
	frames,
	profile = "final",
	hasAccess = true,
}: Told) {
	const probe = probeOf([eventOf(1)]);
	const controls = controlsOf({
		...(hasAccess && { access: "done" }),
		subscriptionState: state,
	});
	const { call } = controls;
	controls.call = async (name, args) => {
		const later = args.action === "revoke" ? probeOf(sent).path.requests : [];
		probe.path.requests.push(...later);
		return await call(name, args);
	};
	const context = contextOf({ profile, controls, ...asking(frames ?? []) });
	const subject = subjectOf("a.b", frames ? ["webhook", "push"] : ["webhook"]);
	return { context, stage: stageOf({ opens: [probe], subject }) };
}

/** A server that lists nothing, and whose streams have these frames. */
function asking(frames: readonly Frame[]) {
	const stream = {
		frames,
		waitFor: async (test: (frame: Frame) => boolean) => frames.find(test),
		async [Symbol.asyncDispose]() {},
	};
	const wire: Partial<Record<keyof GradeContext["wire"], unknown>> = {
		ask: async () => answerOf(-32603),
		openStream: () => stream,
	};
	return {
		wire: wire as GradeContext["wire"],
		listing: { pages: [answerOf()] as const, types: [], stopped: undefined },
		subjects: subjectsOf(),
	};
}

const endedBy = (error: unknown): Sent => ({
	body: { type: "terminated", error },
});

describe("when access is taken away, a webhook", () => {
	it.each<[string, Told, string]>([
		["ends by Forbidden", { sent: [{ body: ENDED }] }, "holds"],
		["ends by another error", { sent: [endedBy({ code: -32023 })] }, "WARNING"],
		["ends by no error", { sent: [endedBy("Forbidden")] }, "WARNING"],
		[
			"ends by a number of its profile",
			{ sent: [{ body: ENDED }], profile: "chatgpt" },
			"holds",
		],
		[
			"goes on at once",
			{ sent: [eventOf(2, 1_000)], state: "absent" },
			"holds",
		],
		["goes on later", { sent: [eventOf(2, 1_001)], state: "absent" }, "broken"],
		["is gone", { state: "absent\n" }, "holds"],
		["is there, and silent", {}, "untestable time"],
		["cannot be asked for", { hasAccess: false }, "untestable control"],
	])("%s", async (_about, told, word) => {
		expect(await judge(reverifyingChecks, ROW, revoke(told))).toBe(word);
	});

	it.each([
		["that is refused", REFUSED(), "untestable answer"],
		["without an event", probeOf(), "untestable traffic"],
	])("%s proves nothing", async (_about, probe, word) => {
		const { context } = revoke({ sent: [{ body: ENDED }] });
		const stage = stageOf({ opens: [probe] });
		expect(await judge(reverifyingChecks, ROW, { context, stage })).toBe(word);
	});

	it("stays as it was where the control fails", async () => {
		const { context, stage } = revoke({ sent: [{ body: ENDED }] });
		context.controls.missing = () => undefined;
		context.controls.call = controlsOf({}).call;
		expect(await judge(reverifyingChecks, ROW, { context, stage })).toBe(
			"untestable control",
		);
	});
});

describe("a stream beside it", () => {
	const sent = [{ body: ENDED }];
	it.each<[string, Frame[], string]>([
		["ends", [frameAt("terminated", 1), frameAt("event", 5_000)], "holds"],
		["goes on", [frameAt("event", 1_001)], "broken"],
		["goes on for a moment", [frameAt("event", 1_000)], "holds"],
		["is alive", [frameAt("heartbeat", 5_000)], "holds"],
	])("%s", async (_about, frames, word) => {
		expect(await judge(reverifyingChecks, ROW, revoke({ sent, frames }))).toBe(
			word,
		);
	});

	it("is no matter where the webhook says nothing", async () => {
		const told = revoke({ frames: [frameAt("event", 5_000)] });
		expect(await judge(reverifyingChecks, ROW, told)).toBe("untestable time");
	});
});
