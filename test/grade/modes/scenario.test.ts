// events-modes against servers whose modes agree, and against servers that are bent in one of them.
import { describe, expect, it } from "vitest";
import { findRows, SCENARIOS } from "../../../src/grade/index.ts";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import { openDemoSource } from "../../../src/reference/index.ts";
import { openEventsDouble } from "../../fixtures/servers/events-double.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { altering, inventing, losing } from "./bends.ts";
import {
	gradeBent,
	gradeModes,
	occurrence,
	openModesServer,
	openTwoModes,
	verdictsOf,
} from "./modes-server.ts";

type Json = Record<string, unknown>;

const demo = () =>
	openDemoSource({
		clock: realClock,
		seed: "test",
		epoch: "test",
		rollEveryMs: 100,
	});

const AGREED = {
	"none-missing": "SUCCESS",
	"none-extra": "SUCCESS",
	"same-occurrence": "SUCCESS",
	"none-late": "SUCCESS",
};

describe("a server whose modes agree", () => {
	it("passes by all three, each named with what it brought", async () => {
		const graded = await gradeBent({});
		expect(graded.defects).toEqual([]);
		expect(verdictsOf(graded)).toEqual(AGREED);
		expect(graded.messageOf("events-modes/modes-none-missing")).toMatch(
			/^\d+ events of "conformance\.steady" by poll, push and webhook: none missing; every mode is compared$/,
		);
		const [row] = graded.report.rows;
		expect(row?.evidence.map(({ via }) => via).sort()).toEqual([
			"http",
			"http",
			"receiver",
		]);
	});
});

const bends: [
	what: string,
	hooks: () => Hooks,
	verdicts: object,
	told: RegExp,
][] = [
	[
		"that loses an event by push",
		losing,
		{ "none-missing": "FAILURE" },
		/1 are missing: "conformance\.steady-\S+" by push; every mode/,
	],
	[
		"that delivers another body by webhook",
		altering,
		{ "same-occurrence": "FAILURE" },
		/data is .* and .*another/,
	],
	[
		"that brings an event too much by poll",
		inventing,
		{ "none-extra": "FAILURE" },
		/came by one mode alone: "made-up" by poll/,
	],
];

describe("a server", () => {
	it.each(bends)(
		"%s is told so, and of nothing else",
		async (_what, hooks, verdicts, told) => {
			const graded = await gradeBent(hooks());
			expect(graded.defects).toEqual([]);
			expect(verdictsOf(graded)).toEqual({ ...AGREED, ...verdicts });
			const row = graded.report.rows.find(
				({ verdict }) => verdict === "FAILURE",
			);
			expect(row?.message).toMatch(told);
			expect(row?.disagreements).toHaveLength(1);
			expect(row?.evidence.length).toBeGreaterThan(0);
		},
	);

	it("whose polls come late is remarked upon, and does not fail", async () => {
		await using server = await openModesServer({}, { pollIntervalMs: 1_200 });
		const graded = await gradeModes(server.url, {
			waits: { modesLateMs: 600 },
		});
		expect(verdictsOf(graded)).toEqual({ ...AGREED, "none-late": "WARNING" });
		expect(graded.messageOf("events-modes/modes-none-late")).toMatch(
			/by poll \d{3,4} ms after/,
		);
	});
});

/** Whatever there is to say, and more, as long as somebody listens. */
function flood(say: (method: string, params: Json) => boolean) {
	let count = 0;
	const timer = setInterval(() => {
		for (let at = 0; at < 500; at++)
			if (!say("event", occurrence(`push-${count++}`))) clearInterval(timer);
	}, 5);
}

const many = (of: string) =>
	Array.from({ length: 5_000 }, (_, at) => occurrence(`${of}-${at}`));

const liars: [
	what: string,
	lies: Parameters<typeof openTwoModes>[0],
	verdict: string,
][] = [
	["never has an event", { poll: () => ({}), stream: () => {} }, "UNTESTABLE"],
	[
		"has another eventId by each mode and each time",
		{
			poll: () => ({ events: [occurrence(`poll-${Math.random()}`)] }),
			stream: (say) => say("event", occurrence("push-0")),
		},
		"FAILURE",
	],
	[
		"brings the same event for ever",
		{
			poll: () => ({
				events: many("e").map(() => occurrence("e")),
				hasMore: true,
			}),
			stream: (say) => say("event", occurrence("e")),
		},
		"SUCCESS",
	],
	[
		"brings millions of events",
		{
			poll: (cursor) => ({
				events: many(`poll-${cursor}`),
				cursor: `c${Math.random()}`,
				hasMore: true,
			}),
			stream: flood,
		},
		"UNTESTABLE or FAILURE",
	],
	[
		"brings events without an eventId",
		{
			poll: () => ({ events: [occurrence(undefined)] }),
			stream: (say) => say("event", occurrence(7)),
		},
		"UNTESTABLE",
	],
	[
		"says that all may have been skipped",
		{
			poll: () => ({ events: [occurrence("e")], truncated: true }),
			stream: (say) => say("active", { cursor: "c0", truncated: true }),
		},
		"UNTESTABLE",
	],
	[
		"ends the subscription as soon as it stands",
		{
			poll: () => ({ events: [occurrence("e")] }),
			stream: (say) =>
				say("terminated", { error: { code: -32023, message: "gone" } }),
		},
		"UNTESTABLE",
	],
];

describe("a server that lies", () => {
	it.each(liars)(
		"and %s is met within bounds",
		async (_what, lies, verdict) => {
			await using server = await openTwoModes(lies);
			const graded = await gradeModes(server.url, {
				waits: { modesWindowMs: 600, modesSettleMs: 600 },
			});
			expect(graded.defects).toEqual([]);
			expect(verdict.split(" or ")).toContain(
				verdictsOf(graded)["none-missing"],
			);
			expect(graded.report.durationMs).toBeLessThan(15_000);
			expect(JSON.stringify(graded.report).length).toBeLessThan(200_000);
		},
	);
});

describe("what cannot be tried is said to be left out", () => {
	it("webhook, where no public address leads here: the other two are compared", async () => {
		await using server = await openModesServer(
			{},
			{ conformanceControls: false, sources: [demo()] },
		);
		const graded = await gradeModes(server.url);
		expect(verdictsOf(graded)).toEqual({
			...AGREED,
			"none-extra": "UNTESTABLE",
		});
		expect(graded.messageOf("events-modes/modes-none-missing")).toMatch(
			/"\S+" by poll and push: none missing; left out: webhook: .*--public-url URL or --tunnel/,
		);
	});

	it("all but one: nothing is compared, and what is missing is named", async () => {
		await using server = await openEventsDouble();
		const graded = await gradeModes(server.url);
		expect(new Set(Object.values(verdictsOf(graded)))).toEqual(
			new Set(["UNTESTABLE"]),
		);
		expect(graded.report.rows[0]?.missing).toEqual({
			kind: "feature",
			name: "an event type that offers two modes",
		});
	});
});

describe("the rows of the modes", () => {
	it.each([
		[
			"are part of a run that asks for them beside all else",
			{ scenarios: ["events-discovery"], comparesModes: true },
			26,
		],
		[
			"are added to rules that are named",
			{
				scenarios: SCENARIOS,
				only: findRows("list-implemented", "--only"),
				comparesModes: true,
			},
			5,
		],
		["are not there unless asked for", { scenarios: ["events-discovery"] }, 22],
		[
			"can be named alone",
			{ scenarios: SCENARIOS, only: findRows("modes-none-late", "--only") },
			1,
		],
	] as const)("%s", async (_what, options, count) => {
		await using server = await openEventsDouble();
		const { report } = await gradeModes(server.url, options);
		expect(report.rows).toHaveLength(count);
	});
});
