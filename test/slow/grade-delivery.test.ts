// Deliveries graded at length: each flaw by itself against every row, and each dialect.
import { describe, expect, it } from "vitest";
import { PROFILES } from "../../src/grade/index.ts";
import { FLAWS } from "../../src/reference/index.ts";
import {
	accusedOf,
	gradeDelivery,
	gradeFlawed,
	LONGEST_MS,
	leftOf,
	openDeliveryServer,
	UNTRIED,
} from "../grade/delivery/delivery-server.ts";

const FLAWED = FLAWS.filter(
	({ scenario }) => scenario === "events-webhook-delivery",
);

describe("one flaw", () => {
	it.concurrent.each(FLAWED)(
		"$name turns $rule, and accuses of nothing else",
		async ({ name, rule }) => {
			const graded = await gradeFlawed([name]);
			expect(graded.defects).toEqual([]);
			expect(accusedOf(graded)).toEqual([rule]);
		},
		LONGEST_MS,
	);

	it(
		"stands for every row that can be tried at all",
		async () => {
			await using server = await openDeliveryServer();
			const { report } = await gradeDelivery(server.url);
			const ids = report.rows.map(({ id }) => id.replace("sep-3415-", ""));
			const broken = FLAWED.map(({ rule }) => rule);
			const rest = ids.filter((id) => !broken.includes(id));
			expect(rest.sort()).toEqual([...UNTRIED].sort());
		},
		LONGEST_MS,
	);
});

describe("each dialect that is served", () => {
	it.concurrent.each(PROFILES)(
		"keeps the rules of the profile %s over plain http",
		async (profile) => {
			await using server = await openDeliveryServer({ profile });
			const graded = await gradeDelivery(server.url, { profile });
			const left = leftOf(graded);
			expect(graded.defects).toEqual([]);
			for (const id of UNTRIED) left.delete(id);
			expect(left.get("well-known-document-honoured")).toContain("--tls-cert");
			expect(left.get("server-identity-key-discovery")).toContain("SKIPPED");
			left.delete("well-known-document-honoured");
			left.delete("server-identity-key-discovery");
			if (profile === "chatgpt")
				for (const id of ["envelope-gap", "envelope-terminated"]) {
					expect(left.get(id)).toContain("SKIPPED");
					left.delete(id);
				}
			expect([...left]).toEqual([]);
		},
		LONGEST_MS,
	);
});
