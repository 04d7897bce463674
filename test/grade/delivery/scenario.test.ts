// The reference server keeps every rule of deliveries, and each flaw of it turns its own row.
import { describe, expect, it } from "vitest";
import { FLAWS } from "../../../src/reference/index.ts";
import {
	accusedOf,
	authorization,
	certificate,
	gradeDelivery,
	gradeFlawed,
	LONGEST_MS,
	leftOf,
	openDeliveryServer,
	SHORT_WAITS,
	UNTRIED,
} from "./delivery-server.ts";

const TLS = { cert: certificate.certPem, key: certificate.keyPem };

describe("the reference server", () => {
	it.concurrent(
		"keeps every rule that can be tried over TLS, with both kinds of signatures",
		async () => {
			await using server = await openDeliveryServer({ isSigningTwice: true });
			const graded = await gradeDelivery(server.url, {
				receiver: { tls: TLS },
				secondHeaders: [authorization("bob")],
			});
			expect(graded.defects).toEqual([]);
			expect([...leftOf(graded).keys()].sort()).toEqual([...UNTRIED].sort());
		},
		LONGEST_MS,
	);
});

/**
 * Flaws that leave each other alone, on one server: each row of theirs turns, and no other. The last ones of a list
 * bend what is already bent. Each by itself is tried in test/slow.
 */
const TOGETHER = {
	"its requests and its answers": [
		"http-callbacks",
		"loopback-callbacks",
		"host-as-address",
		"endpoint-words",
		"unreached-as-challenge",
		"retries-after-410",
		"retries-after-413",
		"last-error-in-words",
		"always-throttled",
		"refresh-cursor-unusable",
		"gap-without-cursor",
		"envelope-uuids",
		"deliveries-as-text",
		"other-subscription-id",
		"body-over-limit",
		"undated-deliveries",
		"event-id-per-attempt",
		"timestamp-in-ms",
		"new-secret-alone",
	],
	"its retries and its ends": [
		"follows-redirects",
		"challenge-redirects",
		"asks-every-time",
		"silent-ends",
		"cursor-runs-ahead",
		"resumes-twice",
		"retries-sevenfold",
		"key-in-delivery",
		"stale-retries",
	],
	"its consent and its signatures": [
		"same-challenge",
		"forgets-consent",
		"endpoint-internal-error",
		"cursor-stuck",
		"id-per-attempt",
		"envelopes-signed-wrongly",
		"signs-other-bytes",
		"delivers-without-access",
	],
};

describe("a server that is wrong", () => {
	it.concurrent.each(Object.entries(TOGETHER))(
		"in %s is told of each fault, and of nothing else",
		async (_about, flaws) => {
			const graded = await gradeFlawed(flaws);
			expect(graded.defects).toEqual([]);
			const rules = FLAWS.filter(({ name }) => flaws.includes(name));
			expect(accusedOf(graded)).toEqual(rules.map(({ rule }) => rule).sort());
		},
		LONGEST_MS,
	);
});

describe("a server that lets nobody in", () => {
	it.concurrent(
		"is told which flag would bring callbacks to it",
		async () => {
			await using server = await openDeliveryServer({
				conformanceControls: false,
				sources: [],
			});
			const graded = await gradeDelivery(server.url, {
				waits: { ...SHORT_WAITS, deliveryMs: 200 },
			});
			expect(graded.defects).toEqual([]);
			const verdicts = new Set(
				graded.report.rows.map(({ verdict }) => verdict),
			);
			expect([...verdicts]).toEqual(["UNTESTABLE"]);
		},
		LONGEST_MS,
	);
});
