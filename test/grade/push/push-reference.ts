// The reference server as the push scenario is tried on it: with controls, quick heartbeats, and waits to match.
import type { GradeOptions, Profile } from "../../../src/grade/index.ts";
import {
	openReferenceServer,
	parseFlaws,
} from "../../../src/reference/index.ts";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { type Graded, gradeWith } from "../grade-with.ts";

const HEARTBEAT_MS = 400;

/** The second beat, were one left out, would come too late for them. */
export const PUSH_WAITS: NonNullable<GradeOptions["waits"]> = {
	activeMs: 1_000,
	errorBeforeOpenMs: 500,
	terminatedMs: 800,
	afterTerminatedMs: 250,
	afterCancelMs: 300,
	heartbeatMs: 550,
	heartbeatToleranceMs: 100,
	pushWatchMs: 1_700,
	noReplayGapMs: 300,
	occurrenceMs: 1_200,
	maxAgeMarginMs: 300,
};

export interface Bent {
	/** By the names of --fault. */
	faults?: readonly string[];
	/** By hand. */
	hooks?: Hooks;
	profile?: Profile;
}

/** Grades one such server; its defects are a failure of the test by themselves. */
export async function gradePush(
	bent: Bent = {},
	options: Partial<GradeOptions> = {},
): Promise<Graded> {
	const { faults = [], hooks, profile = "final" } = bent;
	const byHand = {
		name: "by-hand",
		scenario: "events-push",
		rule: "none",
		about: "is bent by a test",
		make: () => hooks ?? {},
	};
	await using server = await openReferenceServer({
		profile,
		sources: [],
		clock: realClock,
		version: "0.0.0",
		conformanceControls: true,
		heartbeatMs: HEARTBEAT_MS,
		flaws: [...parseFlaws(faults), ...(hooks ? [{ flaw: byHand, value: 0 }] : [])],
	});
	return await gradeWith(server.url, {
		profile,
		scenarios: ["events-push"],
		waits: PUSH_WAITS,
		...options,
	});
}

/** The rows that fail or warn, as `id verdict`. */
export const accusedOf = ({ report }: Graded): string[] =>
	report.rows
		.filter(({ verdict }) => verdict === "FAILURE" || verdict === "WARNING")
		.map(({ id, verdict }) => `${id.replace("sep-3415-", "")} ${verdict}`);
