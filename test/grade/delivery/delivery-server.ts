// The reference server with everything that the rows of delivery are tried with, and grading it with short waits.
import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeSelfSigned } from "../../../src/receiver/index.ts";
import {
	type HttpOptions,
	openReferenceServer,
	parseFlaws,
} from "../../../src/reference/index.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { type Graded, gradeWith, httpTarget } from "../grade-with.ts";

export const authorization = (principal: string): [string, string] => [
	"authorization",
	`Bearer ${principal}-token`,
];

export const certificate = makeSelfSigned({
	hosts: ["localhost", "127.0.0.1"],
	now: Date.now(),
	days: 1,
});

const signingKey = generateKeyPairSync("ed25519").privateKey;

export interface ServerWish extends Omit<Partial<HttpOptions>, "flaws"> {
	/** Names of what it does wrong. */
	flaws?: readonly string[];
	/** Signs `v1a` beside `v1`. */
	isSigningTwice?: boolean;
}

/** Retries a second apart, so that their timestamps can be told from each other. */
export async function openDeliveryServer({
	flaws = [],
	isSigningTwice = false,
	...options
}: ServerWish = {}) {
	const folder = await mkdtemp(join(tmpdir(), "grade-delivery-"));
	const key: KeyObject | undefined = isSigningTwice ? signingKey : undefined;
	const server = await openReferenceServer({
		sources: [],
		version: "0.0.0",
		clock: realClock,
		conformanceControls: true,
		tokens: ["alice", "bob"].map((principal) => ({
			principal,
			token: `${principal}-token`,
		})),
		flaws: parseFlaws(flaws),
		delivery: {
			random: () => 0,
			randomBytes,
			choices: { retryDelaysMs: [1_050, 150] },
			// A machine that is busy with much else must not look like an endpoint that gives no answer.
			callbacks: { ca: certificate.caPem, deadlineMs: 60_000 },
			store: {
				path: join(folder, "store.jsonl"),
				owner: { pid: process.pid, host: "test", isAlive: () => true },
			},
			...(key && { signingKey: key }),
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

/** For one run on a machine that has much else to do; two seconds is usual. */
export const LONGEST_MS = 100_000;

export const SHORT_WAITS = {
	canaryMs: 300,
	deliveryMs: 10_000,
	deliverySettleMs: 1_000,
	redirectFollowMs: 1_000,
	envelopeMs: 10_000,
	afterTerminatedMs: 200,
	afterCancelMs: 200,
	restartMs: 15_000,
};

export function gradeDelivery(
	url: string,
	options: Parameters<typeof gradeWith>[1] = {},
) {
	return gradeWith(httpTarget(url, [authorization("alice")]), {
		scenarios: ["events-webhook-delivery"],
		waits: SHORT_WAITS,
		timeoutMs: 30_000,
		budgetMs: 90_000,
		...options,
	});
}

/** Grades a server that does some things wrong; what only takes long where nothing comes may take long. */
export async function gradeFlawed(flaws: readonly string[]): Promise<Graded> {
	await using server = await openDeliveryServer({ flaws });
	const redirectFollowMs = flaws.includes("follows-redirects")
		? 20_000
		: SHORT_WAITS.redirectFollowMs;
	return await gradeDelivery(server.url, {
		waits: { ...SHORT_WAITS, redirectFollowMs },
	});
}

/** What nobody can try against a server of ours, whatever it does. */
export const UNTRIED = [
	// It takes a name whose address changes while the run lasts.
	"ssrf-validate-at-delivery-time",
	// It takes a person's judgement.
	"payload-minimality",
];

/** Ids of the rows that are no success, with their messages. */
export const leftOf = ({ report }: Graded) =>
	new Map(
		report.rows
			.filter(({ verdict }) => verdict !== "SUCCESS")
			.map(({ id, verdict, message }) => [
				id.replace("sep-3415-", ""),
				`${verdict}: ${message}`,
			]),
	);

/** Ids of the rows that a server is accused by, sorted. */
export const accusedOf = ({ report }: Graded) =>
	report.rows
		.filter(({ verdict }) => verdict === "FAILURE" || verdict === "WARNING")
		.map(({ id }) => id.replace("sep-3415-", ""))
		.sort();
