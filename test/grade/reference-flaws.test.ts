// The grader against the reference server: right, it passes; with one flaw, the row of that flaw turns and no other.
import { describe, expect, it } from "vitest";
import {
	PROFILES,
	type Profile,
	SCENARIOS,
	type Scenario,
} from "../../src/grade/index.ts";
import {
	FLAWS,
	openDemoSource,
	openReferenceServer,
	parseFlaws,
} from "../../src/reference/index.ts";
import { realClock } from "../reference/manual-clock.ts";
import { gradeWith } from "./grade-with.ts";

/** Those whose rows are all tried against each flaw here. */
const GRADED: readonly Scenario[] = ["events-discovery"];

/** Small pages, so that there are several. */
const openReference = (
	flaws: readonly string[] = [],
	profile: Profile = "final",
) =>
	openReferenceServer({
		profile,
		sources: [
			openDemoSource({ clock: realClock, seed: "test", epoch: "test" }),
		],
		clock: realClock,
		version: "0.0.0",
		conformanceControls: true,
		pageSize: 3,
		flaws: parseFlaws(flaws),
	});

async function verdictsOf(scenario: Scenario, flaws: readonly string[] = []) {
	await using server = await openReference(flaws);
	const { report, defects } = await gradeWith(server.url, {
		scenarios: [scenario],
		waits: { listChangedMs: 300 },
	});
	expect(defects).toEqual([]);
	return new Map(
		report.rows.map(({ id, verdict }) => [
			id.replace("sep-3415-", ""),
			verdict,
		]),
	);
}

const good = new Map(
	await Promise.all(
		GRADED.map(
			async (scenario) => [scenario, await verdictsOf(scenario)] as const,
		),
	),
);

/** What cannot be tried against our own server, with the reason. */
const UNTRIED: Record<string, string> = {};

describe("the reference server with its controls", () => {
	it.each(GRADED)("%s: nothing wrong, and everything tried", (scenario) => {
		const wrong = [...(good.get(scenario) ?? [])].filter(
			([id, verdict]) =>
				!["SUCCESS", "SKIPPED"].includes(verdict) &&
				UNTRIED[`${scenario}/${id}`] === undefined,
		);
		expect(wrong).toEqual([]);
	});
});

describe("each profile that is served", () => {
	it.each(PROFILES)("%s breaks no rule of its own", async (profile) => {
		await using server = await openReference([], profile);
		const { report } = await gradeWith(server.url, {
			profile,
			scenarios: GRADED,
		});
		const wrong = report.rows.filter(({ verdict }) =>
			["FAILURE", "WARNING"].includes(verdict),
		);
		expect(wrong.map(({ id, message }) => `${id}: ${message}`)).toEqual([]);
	});

	it.each([
		["sketch", "final", "capability-events-object"],
		["sketch", "final", "error-not-found"],
		["final", "sketch", "capability-events-object"],
	] as const)("%s is no %s: %s", async (served, profile, rule) => {
		await using server = await openReference([], served);
		const { verdictOf } = await gradeWith(server.url, {
			profile,
			scenarios: GRADED,
		});
		expect(verdictOf(`events-discovery/${rule}`)).toBe("FAILURE");
	});
});

const flaws = FLAWS.filter(
	({ scenario }) =>
		scenario !== "chaos" && GRADED.some((graded) => graded === scenario),
);

describe("one flaw", () => {
	it.each(flaws.map(({ name, rule, scenario }) => ({ name, rule, scenario })))(
		"$name turns $rule, and accuses of nothing else",
		async ({ name, rule, scenario }) => {
			const graded = SCENARIOS.find((known) => known === scenario);
			if (!graded) throw new Error(`no scenario is called ${scenario}`);
			const found = await verdictsOf(graded, [name]);
			const before = good.get(graded);
			const accused = [...found].filter(
				([id, verdict]) =>
					["FAILURE", "WARNING"].includes(verdict) &&
					verdict !== before?.get(id),
			);
			expect(accused.map(([id]) => id)).toEqual([rule]);
		},
	);
});
