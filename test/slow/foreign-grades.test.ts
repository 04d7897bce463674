// Servers that share no code with ours, graded by every scenario: each finding is a true fault of that server, and none
// is missed. What one does right is held against it nowhere.
import { describe, expect, it } from "vitest";
import { CATALOGUE, type Report } from "../../src/grade/index.ts";
import { gradeWith } from "../grade/grade-with.ts";
import { FINDINGS } from "./foreign-grades/findings.ts";
import { FAR } from "./foreign-grades/servers.ts";

/** Short where only a wrong server is waited for in vain. */
const WAITS = {
	activeMs: 5_000,
	errorBeforeOpenMs: 15_000,
	afterTerminatedMs: 250,
	afterCancelMs: 300,
	heartbeatMs: 10_000,
	pushWatchMs: 5_000,
	noReplayGapMs: 300,
	occurrenceMs: 4_000,
	maxAgeMarginMs: 300,
	retentionMs: 1_000,
	listenAcknowledgedMs: 500,
	deliveryMs: 10_000,
	deliverySettleMs: 2_500,
	canaryMs: 300,
	redirectFollowMs: 500,
};

/** Fewer rows that are kept would say that the servers were hardly looked at. */
const LEAST_KEPT: Readonly<Record<string, number>> = {
	"server 2.x over HTTP": 58,
	"server 2.x over stdio": 53,
	"sdk 1.x over HTTP": 49,
	"sdk 1.x over stdio": 49,
	"bare node:http": 53,
	"bare node:http, odd in every way that is legal": 52,
	"bare node:http, as the sketch had it": 50,
	"bare stdio": 50,
	"push alone over stdio": 23,
	"webhook subscriptions over HTTP": 36,
	"webhook subscriptions over stdio": 34,
	"webhooks signed by standardwebhooks": 48,
	"a log by poll, push and webhook": 82,
	"an echo of 2026-07-28 over stdio": 3,
	"an echo of initialize over stdio": 2,
};

/** They wait no longer than a second for an answer of ours: each is graded while nothing else goes on. */
const HASTY = [
	"webhooks signed by standardwebhooks",
	"a log by poll, push and webhook",
];
const PATIENT = Object.keys(FAR).filter((name) => !HASTY.includes(name));
/** A machine that stands still for a moment makes a server look slow; what is wrong is wrong again. */
const HONEST = { timeout: 250_000, retry: 1 };

async function grade(name: string): Promise<Report> {
	const far = await FAR[name]?.();
	if (!far) throw new Error(`no server is called ${name}`);
	try {
		const { report, defects } = await gradeWith(far.target, {
			timeoutMs: 20_000,
			connectTimeoutMs: 20_000,
			budgetMs: 200_000,
			waits: WAITS,
			...far.options,
		});
		expect(defects).toEqual([]);
		return report;
	} finally {
		await far.close();
	}
}

const accusedBy = ({ rows }: Report) =>
	rows.filter(({ verdict }) => verdict === "FAILURE" || verdict === "WARNING");
const bare = (id: string) => id.replace("sep-3415-", "");

/** Grades it, and holds what is found to the table. */
async function holdToTable(name: string): Promise<void> {
	const report = await grade(name);
	const accused = accusedBy(report);
	const told = accused.map(({ id, message }) => `${id}: ${message}`);
	const found = accused.map(
		({ scenario, id, verdict }) => `${scenario}/${bare(id)} ${verdict}`,
	);
	const known = Object.entries(FINDINGS[name] ?? {}).map(
		([row, [verdict]]) => `${row} ${verdict}`,
	);
	expect(found.sort(), told.join("\n")).toEqual(known.sort());
	const { SUCCESS } = report.counts;
	expect(SUCCESS).toBeGreaterThanOrEqual(LEAST_KEPT[name] ?? CATALOGUE.length);
}

describe("a server that shares no code with ours", () => {
	it("is in the table, and nothing else is", () => {
		expect(Object.keys(FINDINGS)).toEqual(Object.keys(FAR));
		expect(Object.keys(LEAST_KEPT)).toEqual(Object.keys(FAR));
	});

	it.concurrent.each(PATIENT)(
		"%s is told of its faults, and of nothing that it does right",
		HONEST,
		holdToTable,
	);

	it.each(HASTY)(
		"%s is told of its faults, and of nothing that it does right",
		HONEST,
		holdToTable,
	);
});
