// The reference server with everything that the rows of delivery are tried with, and grading it with short waits.
import {
	generateKeyPairSync,
	type KeyObject,
	randomBytes,
} from "node:crypto";
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
import { gradeWith, httpTarget } from "../grade-with.ts";

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

export interface ServerWish extends Partial<HttpOptions> {
	flaw?: string;
	/** Signs `v1a` beside `v1`. */
	isSigningTwice?: boolean;
}

/** Retries a second apart, so that their timestamps can be told from each other. */
export async function openDeliveryServer({
	flaw,
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
		flaws: flaw ? parseFlaws([flaw]) : [],
		delivery: {
			random: () => 0,
			randomBytes,
			choices: { retryDelaysMs: [1_050, 150] },
			callbacks: { ca: certificate.caPem },
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

export const SHORT_WAITS = {
	canaryMs: 300,
	deliveryMs: 3_000,
	deliverySettleMs: 500,
	redirectFollowMs: 400,
	envelopeMs: 600,
	afterTerminatedMs: 200,
	afterCancelMs: 200,
};

export function gradeDelivery(
	url: string,
	options: Parameters<typeof gradeWith>[1] = {},
) {
	return gradeWith(httpTarget(url, [authorization("alice")]), {
		scenarios: ["events-webhook-delivery"],
		waits: SHORT_WAITS,
		...options,
	});
}
