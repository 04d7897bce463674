// The reference server with everything that the rows of webhook subscriptions are tried with, and short waits.
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import {
	type HttpOptions,
	openReferenceServer,
	parseFlaws,
} from "../../../src/reference/index.ts";
import { gradeWith, httpTarget } from "../grade-with.ts";

/** Node knows no timer of more than 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const clock = {
	now: Date.now,
	setTimer(act: () => void, ms: number) {
		const timer = setTimeout(act, Math.min(ms, LONGEST_TIMER_MS));
		return () => clearTimeout(timer);
	},
};

export const authorization = (principal: string): [string, string] => [
	"authorization",
	`Bearer ${principal}-token`,
];

export interface ServerWish extends Partial<HttpOptions> {
	flaw?: string;
	/** Without one, nothing outlives a restart. */
	hasStore?: boolean;
	choices?: NonNullable<HttpOptions["delivery"]>["choices"];
}

/** Leases, patience and retries of tenths of a second. */
export async function openWebhookServer({
	flaw,
	hasStore = true,
	choices,
	...options
}: ServerWish = {}) {
	const folder = await mkdtemp(join(tmpdir(), "grade-webhook-"));
	const server = await openReferenceServer({
		sources: [],
		version: "0.0.0",
		clock,
		conformanceControls: true,
		tokens: ["alice", "bob"].map((principal) => ({
			principal,
			token: `${principal}-token`,
		})),
		flaws: flaw ? parseFlaws([flaw]) : [],
		delivery: {
			random: () => 0,
			randomBytes,
			choices: {
				retryDelaysMs: [150, 300],
				suspendAfterMs: 300,
				dropAfterMs: 300,
				leastTtlMs: 300,
				...choices,
			},
			...(hasStore && {
				store: {
					path: join(folder, "store.jsonl"),
					owner: { pid: process.pid, host: "test", isAlive: () => true },
				},
			}),
		},
		...options,
	});
	return {
		url: server.url,
		async [Symbol.asyncDispose]() {
			await server.close();
			await rm(folder, { recursive: true, force: true });
		},
	};
}

const SHORT_WAITS = {
	occurrenceMs: 4_000,
	quietMs: 600,
	suspendedMs: 5_000,
	afterLeaseMs: 100,
	regrantMs: 50,
	maxAgeMs: 150,
	gcMs: 5_000,
	envelopeMs: 1_000,
	afterCancelMs: 250,
	activeMs: 1_000,
	terminatedMs: 1_000,
};

type GradeWith = NonNullable<Parameters<typeof gradeWith>[1]>;

/** As alice; each message by the id of its row, behind its verdict. */
export async function gradeWebhook(
	url: string,
	{ waits, ...options }: GradeWith = {},
) {
	const graded = await gradeWith(httpTarget(url, [authorization("alice")]), {
		scenarios: ["events-webhook"],
		budgetMs: 120_000,
		timeoutMs: 10_000,
		waits: { ...SHORT_WAITS, ...waits },
		...options,
	});
	expect(graded.defects).toEqual([]);
	return new Map(
		graded.report.rows.map(({ id, verdict, message }) => [
			id.replace("sep-3415-", ""),
			{ verdict, message },
		]),
	);
}

/** The rows that are told as broken. */
export const accusedIn = (found: ReadonlyMap<string, { verdict: string }>) =>
	[...found]
		.filter(([, { verdict }]) => ["FAILURE", "WARNING"].includes(verdict))
		.map(([id]) => id);

/** What is not tried, by id. */
export const untriedIn = (found: ReadonlyMap<string, { verdict: string }>) =>
	[...found]
		.filter(([, { verdict }]) => verdict === "UNTESTABLE")
		.map(([id]) => id);
