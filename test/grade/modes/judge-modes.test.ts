// The verdicts over what modes brought, from windows that are filled by hand.
import { describe, expect, it } from "vitest";
import { untestable } from "../../../src/grade/finding.ts";
import type { Compared } from "../../../src/grade/modes/compare-modes.ts";
import { judgeModes } from "../../../src/grade/modes/judge-modes.ts";
import type { ModeLog } from "../../../src/grade/modes/mode-log.ts";
import { ComparedWindow } from "../../../src/grade/modes/window.ts";
import type { DeliveryMode } from "../../../src/protocol/index.ts";

const MODES = ["poll", "push", "webhook"] as const;
const cite = {
	at: 0,
	direction: "received",
	via: "http",
	text: "",
	cutBytes: 0,
} as const;
const EVENT = {
	name: "a.b",
	timestamp: "2026-11-30T12:00:00Z",
	data: { n: 1 },
};

type Came = [mode: DeliveryMode, eventId: unknown, more?: object, at?: number];

/** What comes of these arrivals in this order; `bend` has a mode say something of itself. */
function judge(
	came: readonly Came[],
	{
		modes = MODES,
		bend = () => {},
		...facts
	}: Partial<Compared> & {
		modes?: readonly DeliveryMode[];
		bend?: (log: ModeLog) => void;
	} = {},
) {
	const now = () => 0;
	const options = { modes, windowMs: 10, settleMs: 10, now };
	const window = new ComparedWindow(options);
	for (const [mode, eventId, more = {}, at = 0] of came) {
		const log = window.logs.find((each) => each.mode === mode);
		const event = { eventId, ...EVENT, ...more };
		if (log) window.take(log, { event, at, cite });
	}
	window.logs.forEach(bend);
	const { logs, judged } = window;
	const findings = judgeModes(
		{
			subject: { name: "a.b" } as Compared["subject"],
			...{ logs, judged, leftOut: new Map(), triggerFailure: undefined },
			isFromOnePosition: true,
			...facts,
		},
		1_000,
	);
	const [missing, extra, same, late] = Object.values(findings);
	return { missing, extra, same, late };
}

const byAll = (eventId: string): Came[] => MODES.map((mode) => [mode, eventId]);
const kindsOf = (found: ReturnType<typeof judge>) =>
	Object.values(found).map((finding) => finding?.kind);
const textOf = (finding: object | undefined) => JSON.stringify(finding);

describe("an event that came", () => {
	it("by all modes alike breaks nothing, whatever it carries of the mode, and however often it came", () => {
		const found = judge([
			["poll", "e1"],
			["push", "e1", { cursor: "c1", _meta: { id: 1 } }],
			["webhook", "e1", { timestamp: "2026-11-30T13:00:00.000+01:00" }],
			["webhook", "e1", { cursor: "c2" }],
		]);
		expect(kindsOf(found)).toEqual(["holds", "holds", "holds", "holds"]);
	});

	it("by two of three is missing in the third", () => {
		const found = judge([...byAll("e1"), ["poll", "e2"], ["webhook", "e2"]]);
		expect(kindsOf(found)).toEqual(["broken", "holds", "holds", "holds"]);
		expect(found.missing).toMatchObject({
			disagreements: [{ eventId: "e2", modes: ["push"] }],
		});
	});

	it("by one of three is one too much", () => {
		const found = judge([...byAll("e1"), ["push", "e2"]]);
		expect(kindsOf(found)).toEqual(["holds", "broken", "holds", "holds"]);
		expect(found.extra).toMatchObject({
			disagreements: [{ eventId: "e2", modes: ["push"] }],
		});
	});

	it("by one of two is missing in the other", () => {
		const found = judge(
			[
				["poll", "e1"],
				["push", "e1"],
				["push", "e2"],
			],
			{
				modes: ["poll", "push"],
			},
		);
		expect(kindsOf(found)).toEqual(["broken", "skipped", "holds", "holds"]);
		expect(textOf(found.missing)).toContain('\\"e2\\" by poll');
	});

	it.each([
		["name", { name: "c.d" }],
		["timestamp", { timestamp: "2026-11-30T12:00:01Z" }],
		["data", { data: { n: 2 } }],
		["data", { data: { n: 1, more: null } }],
		["level", { level: "high" }],
	])("with another %s by one mode is different: %j", (member, more) => {
		const found = judge([
			["poll", "e1"],
			["push", "e1"],
			["webhook", "e1", more],
		]);
		expect(kindsOf(found)).toEqual(["holds", "holds", "broken", "holds"]);
		expect(found.same).toMatchObject({
			disagreements: [{ eventId: "e1", modes: ["poll", "webhook"], member }],
		});
	});

	it("again by the same mode with other data is different", () => {
		const found = judge([...byAll("e1"), ["push", "e1", { data: { n: 9 } }]]);
		expect(found.same).toMatchObject({
			kind: "broken",
			disagreements: [{ eventId: "e1", modes: ["push"], member: "data" }],
			cites: [cite, cite],
		});
	});

	it("with more members than are looked at one by one is the same in any order", () => {
		const members = Array.from({ length: 60 }, (_, at) => [`m${at + 10}`, at]);
		const there = Object.fromEntries(members);
		const back = Object.fromEntries(members.toReversed());
		const compare = (more: object) =>
			judge([
				["poll", "e1", there],
				["push", "e1", more],
			]).same;
		expect(compare(back)?.kind).toBe("holds");
		expect(compare({ ...back, m69: "another" })?.kind).toBe("broken");
	});

	it("is told with how far each mode is behind the first", () => {
		const found = judge([
			["poll", "e1", {}, 0],
			["push", "e1", {}, 5],
			["push", "e2", {}, 20],
			["poll", "e2", {}, 30],
			["push", "e3", {}, 90],
		]);
		expect(textOf(found.late)).toContain(
			"median and most: poll 10 and 10 ms, push 5 and 5 ms;",
		);
	});

	it("later than is usual is remarked upon", () => {
		const found = judge([
			["push", "e1"],
			["poll", "e1", {}, 1_000],
			["webhook", "e1", {}, 1_001],
		]);
		expect(found.late).toMatchObject({
			kind: "broken",
			disagreements: [{ eventId: "e1", modes: ["webhook"], laterMs: 1_001 }],
		});
	});
});

describe("a mode", () => {
	it("that tells of a gap owes nothing, and nothing is proved by it", () => {
		const found = judge([...byAll("e1"), ["poll", "e2"], ["webhook", "e2"]], {
			bend: (log) => {
				log.hasGap = log.mode === "push";
			},
		});
		expect(kindsOf(found)).toEqual(["untestable", "holds", "holds", "holds"]);
		expect(textOf(found.missing)).toContain("missing by push, which said");
	});

	it("that ended is left out, with why", () => {
		const found = judge(
			[
				["poll", "e1"],
				["webhook", "e1"],
			],
			{
				bend: (log) => {
					if (log.mode === "push") log.lost = "its stream ended";
				},
			},
		);
		expect(kindsOf(found)).toEqual(["holds", "untestable", "holds", "holds"]);
		expect(textOf(found.missing)).toContain("left out: push: its stream ended");
	});

	it("whose occurrences have no eventId is accused of none that is missing", () => {
		const found = judge([
			...byAll("e1"),
			["push", undefined],
			["push", 7],
			["push", ""],
		]);
		expect(kindsOf(found)).toEqual([
			"untestable",
			"untestable",
			"holds",
			"holds",
		]);
	});

	it("that began elsewhere is held to what came since all of them stood", () => {
		const early: Came[] = [
			["poll", "e0"],
			...byAll("e1"),
			["poll", "e2"],
			["push", "e2"],
		];
		const found = judge(early, { isFromOnePosition: false });
		expect(found.extra?.kind).toBe("holds");
		expect(found.missing).toMatchObject({
			disagreements: [{ eventId: "e2", modes: ["webhook"] }],
		});
	});
});

describe("nothing is proved", () => {
	it("where no event came: the traffic is named", () => {
		const found = judge([]);
		expect(new Set(kindsOf(found))).toEqual(new Set(["untestable"]));
		expect(textOf(found.missing)).toContain("--trigger-tool");
	});

	it("by one mode alone: the flag that would bring another is named", () => {
		const flag = {
			kind: "flag",
			name: "--public-url URL or --tunnel",
		} as const;
		const found = judge([["poll", "e1"]], {
			modes: ["poll"],
			leftOut: new Map([
				["push", untestable({ kind: "feature", name: "push" }, "not offered")],
				["webhook", untestable(flag, "callbacks are refused")],
			]),
		});
		expect(found.same).toMatchObject({ kind: "untestable", missing: flag });
		expect(textOf(found.same)).toContain(
			"push: not offered; webhook: callbacks are refused",
		);
	});

	it("by one mode alone: a flag is named before an answer that did not come", () => {
		const flag = { kind: "flag", name: "--tunnel" } as const;
		const answer = { kind: "answer", name: "events/stream" } as const;
		const found = judge([["poll", "e1"]], {
			modes: ["poll"],
			leftOut: new Map([
				["push", untestable(answer, "refused")],
				["webhook", untestable(flag, "callbacks are refused")],
			]),
		});
		expect(found.same).toMatchObject({ kind: "untestable", missing: flag });
	});

	it.each([
		[2, "untestable"],
		[3, "broken"],
	] as const)(
		"by %i events of one mode that began elsewhere: %s",
		(count, kind) => {
			const came = Array.from(
				{ length: count },
				(_, at): Came => ["poll", `e${at}`],
			);
			const modes = ["poll", "push"] as const;
			const found = judge(came, { modes, isFromOnePosition: false });
			expect(found.missing?.kind).toBe(kind);
		},
	);

	it("where no event came by two modes", () => {
		const found = judge([
			["poll", "e1"],
			["push", "e2"],
			["webhook", "e3"],
		]);
		expect(kindsOf(found)).toEqual([
			"holds",
			"broken",
			"untestable",
			"untestable",
		]);
	});
});
