// What single requests are judged to be, made by hand: the faults that no flaw of the reference server has.
import { describe, expect, it } from "vitest";
import { noEnvelope } from "../../../src/grade/delivery/envelopes.ts";
import { judgeMessageIds } from "../../../src/grade/delivery/message-ids.ts";
import {
	judgeEnvelopeIds,
	judgeForm,
	judgeHeaders,
	judgeTypes,
	requestChecks,
} from "../../../src/grade/delivery/requests.ts";
import type { Behaviour } from "../../../src/grade/receiving/behaviour.ts";
import {
	contextOf,
	judge,
	NOW_MS,
	OCCURRENCE,
	pathOf,
	probeOf,
	requestOf,
	type Sent,
	stageOf,
} from "./by-hand.ts";

/** The paths of a run to which these came, all at one. */
const pathsOf = (all: readonly Sent[], behaviour: Behaviour = {}) => ({
	probes: [{ path: pathOf(all, behaviour) }],
});

const stamp = (timestamp: string | undefined): Sent => ({
	headers: { "webhook-timestamp": timestamp },
});

describe("the three headers of an event", () => {
	it.each<[string, Sent, string]>([
		["all there", {}, "holds"],
		["no id", { headers: { "webhook-id": undefined } }, "broken"],
		["no signature", { headers: { "webhook-signature": undefined } }, "broken"],
		["no timestamp", stamp(undefined), "broken"],
		["six minutes old", stamp(String(NOW_MS / 1_000 - 360)), "broken"],
		["six minutes ahead", stamp(String(NOW_MS / 1_000 + 360)), "broken"],
		["four minutes old", stamp(String(NOW_MS / 1_000 - 240)), "holds"],
		["a date", stamp("2026-10-01T12:00:00Z"), "broken"],
		["a fraction", stamp(`${NOW_MS / 1_000}.5`), "broken"],
	])("%s", (_about, sent, kind) => {
		expect(judgeHeaders(pathsOf([sent])).kind).toBe(kind);
	});
});

describe("the form of a request", () => {
	it.each<[string, Sent, string]>([
		["JSON with a charset", type("application/json; charset=utf-8"), "holds"],
		["another kind of JSON", type("application/json-seq"), "broken"],
		["no content type", type(undefined), "broken"],
		["a PUT", { method: "PUT" }, "broken"],
	])("%s", (_about, sent, kind) => {
		expect(judgeForm(pathsOf([sent])).kind).toBe(kind);
	});
});

function type(contentType: string | undefined): Sent {
	return { headers: { "content-type": contentType } };
}

const envelope = (id: string, body: unknown): Sent => ({
	headers: { "webhook-id": id },
	body,
});
const GAP = { type: "gap", cursor: "c" };

describe("a body", () => {
	it.each<[string, unknown, string]>([
		["of an occurrence", OCCURRENCE, "holds"],
		["without a zone", { ...OCCURRENCE, timestamp: "2026-10-01" }, "broken"],
		["of an occurrence with a type", { ...OCCURRENCE, type: "a" }, "broken"],
		["of an envelope", GAP, "holds"],
	])("%s", (_about, body, kind) => {
		expect(judgeTypes(pathsOf([{ body }])).kind).toBe(kind);
	});
});

describe("the id of an envelope", () => {
	it.each<[string, Sent[], string]>([
		["as it should be", [envelope("msg_gap_1a", GAP)], "holds"],
		["of another type", [envelope("msg_terminated_1a", GAP)], "broken"],
		["with nothing random", [envelope("msg_gap_", GAP)], "broken"],
		["of no envelope at all", [{}], "untestable"],
		[
			"that a retry keeps",
			[envelope("msg_gap_1a", GAP), envelope("msg_gap_1a", GAP)],
			"holds",
		],
		[
			"that another has as well",
			[
				envelope("msg_gap_1a", GAP),
				envelope("msg_gap_1a", { ...GAP, cursor: "d" }),
			],
			"broken",
		],
	])("%s", (_about, sent, kind) => {
		expect(judgeEnvelopeIds(pathsOf(sent)).kind).toBe(kind);
	});
});

const event = (id: string, eventId: string): Sent => ({
	headers: { "webhook-id": id },
	body: { ...OCCURRENCE, eventId },
});
const FAILING: Behaviour = { delivery: () => ({ status: 503 }) };

describe("the webhook-id of events", () => {
	it.each([
		[
			"one for each message",
			"final",
			[
				["m1", "e1"],
				["m2", "e2"],
			],
			"holds",
		],
		[
			"one for two messages",
			"final",
			[
				["m1", "e1"],
				["m1", "e2"],
			],
			"broken",
		],
		["the eventId, in the current text", "final", [["e1", "e1"]], "broken"],
		["the eventId, for ChatGPT", "chatgpt", [["e1", "e1"]], "holds"],
		["another id, for ChatGPT", "chatgpt", [["m1", "e1"]], "broken"],
		["an eventId that no header can hold", "sketch", [["m1", "e 1"]], "holds"],
	] as const)("%s", (_about, profile, ids, kind) => {
		const paths = pathsOf(ids.map(([id, eventId]) => event(id, eventId)));
		expect(judgeMessageIds(paths, { profile }).kind).toBe(kind);
	});

	it.each([
		["kept by a retry", "m1", "holds"],
		["changed by a retry", "m2", "broken"],
	])("%s", (_about, id, kind) => {
		const paths = pathsOf([event("m1", "e1"), event(id, "e1")], FAILING);
		expect(judgeMessageIds(paths, { profile: "final" }).kind).toBe(kind);
	});
});

describe("the largest body", () => {
	/** Requests of so many bytes each, by a profile. */
	const weigh = (sizes: number[], profile: "final" | "chatgpt" = "final") => {
		const main = probeOf(sizes.map(() => ({})));
		for (const [at, request] of main.path.requests.entries())
			request.bytes = sizes[at] ?? 0;
		const stage = stageOf({ main, firstEvent: requestOf({}) });
		const context = contextOf({ profile });
		return judge(requestChecks, "delivery-body-size", { context, stage });
	};
	const MOST = 262_144;

	it.each([
		["small", [5], "final", "holds"],
		["as large as it may be", [MOST], "final", "holds"],
		["too large", [5, MOST + 1, 5], "final", "broken"],
		["too large for ChatGPT", [MOST + 1], "chatgpt", "FAILURE"],
		["of no request", [], "final", "untestable traffic"],
	] as const)("%s", async (_about, sizes, profile, word) => {
		expect(await weigh([...sizes], profile)).toBe(word);
	});
});

describe("a row of deliveries", () => {
	const judgeIt = (stage: ReturnType<typeof stageOf>, id: string) =>
		judge(requestChecks, id, { stage });

	it("needs an event, unless it is about envelopes", async () => {
		const main = probeOf([{ ...envelope("msg_gap_1", GAP) }]);
		const stage = stageOf({ main });
		expect(await judgeIt(stage, "delivery-post-json")).toBe(
			"untestable traffic",
		);
		expect(await judgeIt(stage, "envelope-webhook-id-format")).toBe("holds");
	});

	it("needs a callback that is taken", async () => {
		const refused = noEnvelope();
		const stage = stageOf({ refused });
		expect(await judgeIt(stage, "delivery-post-json")).toBe(
			"untestable traffic",
		);
	});
});
