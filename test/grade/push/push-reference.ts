// The reference server as the push scenario is tried on it: with controls, quick heartbeats, and waits to match.
import { randomBytes } from "node:crypto";
import type { GradeOptions, Profile } from "../../../src/grade/index.ts";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import {
	openReferenceServer,
	parseFlaws,
} from "../../../src/reference/index.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { type Graded, gradeWith, httpTarget } from "../grade-with.ts";

const HEARTBEAT_MS = 400;
const TOKEN = "alice-token";

/** Long where only a wrong server is waited for, so that a busy machine accuses nobody. */
export const PUSH_WAITS: NonNullable<GradeOptions["waits"]> = {
	activeMs: 5_000,
	errorBeforeOpenMs: 15_000,
	terminatedMs: 3_000,
	afterTerminatedMs: 250,
	afterCancelMs: 300,
	heartbeatMs: 10_000,
	pushWatchMs: 5_000,
	noReplayGapMs: 300,
	occurrenceMs: 4_000,
	maxAgeMarginMs: 300,
};

/** Heartbeats that are left out are missed: for a machine that has nothing else to do. */
export const STRICT_WAITS: NonNullable<GradeOptions["waits"]> = {
	...PUSH_WAITS,
	heartbeatMs: 550,
	heartbeatToleranceMs: 150,
	pushWatchMs: 1_800,
};

export interface Bent {
	/** By the names of --fault. */
	faults?: readonly string[];
	/** By hand. */
	hooks?: Hooks;
	profile?: Profile;
	waits?: GradeOptions["waits"];
}

/** Grades one such server; its defects are a failure of the test by themselves. */
export async function gradePush(
	bent: Bent = {},
	options: Partial<GradeOptions> = {},
): Promise<Graded> {
	const { faults = [], hooks, profile = "final", waits = PUSH_WAITS } = bent;
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
		// Webhooks belong to somebody.
		tokens: [{ principal: "alice", token: TOKEN }],
		delivery: { random: () => 0, randomBytes, choices: {} },
		flaws: [
			...parseFlaws(faults),
			...(hooks ? [{ flaw: byHand, value: 0 }] : []),
		],
	});
	const headers: [string, string][] = [["authorization", `Bearer ${TOKEN}`]];
	return await gradeWith(httpTarget(server.url, headers), {
		profile,
		scenarios: ["events-push"],
		waits,
		timeoutMs: 20_000,
		connectTimeoutMs: 20_000,
		budgetMs: 60_000,
		...options,
	});
}

/** The rows that fail or warn, as `id verdict`. */
export const accusedOf = ({ report }: Graded): string[] =>
	report.rows
		.filter(({ verdict }) => verdict === "FAILURE" || verdict === "WARNING")
		.map(({ id, verdict }) => `${id.replace("sep-3415-", "")} ${verdict}`);

/** Side by side, because each of them waits most of the time; a few at a time, because the machine must keep up. */
export async function gradeEach<Item>(
	items: readonly Item[],
	bentBy: (item: Item) => Bent,
): Promise<ReadonlyMap<Item, Graded>> {
	const graded = new Map<Item, Graded>();
	const open = [...items];
	const work = async () => {
		for (let item = open.shift(); item !== undefined; item = open.shift())
			graded.set(item, await gradePush(bentBy(item)));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return graded;
}

const AT_ONCE = 18;
