// The reference server as poll is tried on it: with controls, quick polls, and waits to match.
import type { GradeOptions, Profile } from "../../../src/grade/index.ts";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import {
	FLAWS,
	openReferenceServer,
	parseFlaws,
	type Source,
} from "../../../src/reference/index.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { type Graded, gradeWith } from "../grade-with.ts";

export const POLL = { scenarios: ["events-poll"] as const };

/** Long where only a wrong server is waited for, so that a busy machine accuses nobody. */
const WAITS: NonNullable<GradeOptions["waits"]> = {
	activeMs: 500,
	occurrenceMs: 6_000,
	pollAgainMinMs: 60,
	pollAgainMaxMs: 200,
	retentionMs: 4_000,
};

export interface Bent {
	/** By the names of --fault. */
	faults?: readonly string[];
	/** By hand. */
	hooks?: Hooks;
	sources?: readonly Source[];
	profile?: Profile;
	hasControls?: boolean;
}

/** A type in which nothing happens, however busy the machine is. */
export const QUIET: Source = {
	types: [
		{
			descriptor: {
				name: "quiet.never",
				description: "Never fires.",
				delivery: ["poll"],
				inputSchema: { type: "object" },
				payloadSchema: { type: "object" },
			},
			head: () => "v1.quiet.0",
			read: ({ cursor }) => ({
				from: cursor,
				events: [],
				cursor,
				hasMore: false,
				truncated: false,
			}),
			watch: () => () => {},
		},
	],
	close: () => {},
};

/** Grades one such server. */
export async function gradePoll(
	bent: Bent = {},
	options: Partial<GradeOptions> = {},
): Promise<Graded> {
	const { faults = [], hooks, sources = [QUIET], profile = "final" } = bent;
	const byHand = {
		name: "by-hand",
		scenario: "events-poll",
		rule: "none",
		about: "is bent by a test",
		make: () => hooks ?? {},
	};
	await using server = await openReferenceServer({
		profile,
		sources,
		clock: realClock,
		version: "0.0.0",
		conformanceControls: bent.hasControls ?? true,
		pollIntervalMs: 60,
		flaws: [
			...parseFlaws(faults),
			...(hooks ? [{ flaw: byHand, value: 0 }] : []),
		],
	});
	return await gradeWith(server.url, {
		...POLL,
		profile,
		timeoutMs: 20_000,
		connectTimeoutMs: 20_000,
		budgetMs: 120_000,
		...options,
		waits: { ...WAITS, ...options.waits },
	});
}

/** As many at once as wait for one another without holding each other up. */
const AT_ONCE = 10;

/** Grades one server for each name. */
export async function gradeEach<Name extends string>(
	names: readonly Name[],
	grade: (name: Name) => Promise<Graded>,
): Promise<Map<Name, Graded>> {
	const graded = new Map<Name, Graded>();
	const left = [...names];
	const work = async () => {
		for (let name = left.shift(); name !== undefined; name = left.shift())
			graded.set(name, await grade(name));
	};
	await Promise.all(Array.from({ length: AT_ONCE }, work));
	return graded;
}

/** Rows that are broken, each with its verdict. */
export const accusedOf = ({ report }: Graded): string[] =>
	report.rows
		.filter(({ verdict }) => verdict === "FAILURE" || verdict === "WARNING")
		.map(({ id, verdict }) => `${id.replace("sep-3415-", "")} ${verdict}`);

/** What is not SUCCESS, for the message of a failed test. */
export const tellRest = ({ report }: Graded): string =>
	report.rows
		.filter(({ verdict }) => verdict !== "SUCCESS")
		.map(({ id, verdict, message }) => `${verdict} ${id}: ${message}`)
		.join("\n");

/** The flaws of poll whose rule is among these rows. */
export const flawsOf = (rows: readonly { id: string }[]) =>
	FLAWS.filter(
		({ scenario, rule }) =>
			scenario === "events-poll" && rows.some(({ id }) => id === rule),
	);

/** The verdict that breaking a rule of this level is. */
export const severityOf = ({
	level,
	isWeak,
}: {
	level: string;
	isWeak?: boolean;
}) => (level === "should" || isWeak ? "WARNING" : "FAILURE");
