// Servers that are right pass every row of webhook subscriptions, in each profile, with and without the means to try it.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CATALOGUE } from "../../../src/grade/index.ts";
import { openWebhookHttp } from "../../fixtures/servers/webhook-http.ts";
import { gradeWith } from "../grade-with.ts";
import {
	accusedIn,
	authorization,
	gradeWebhook,
	openWebhookServer,
	untriedIn,
} from "./webhook-server.ts";

const BOB_MAY_NOT = "conformance.spare";
const mayHave = (principal: string | undefined, name: string) =>
	principal !== "bob" || name !== BOB_MAY_NOT;
const rowsOf = (...ids: string[]) =>
	CATALOGUE.filter(
		({ scenario, id }) => scenario === "events-webhook" && ids.includes(id),
	);
const bob = {
	secondHeaders: [authorization("bob")],
	only: rowsOf(
		"error-forbidden",
		"authz-subscribe-time",
		"subscribe-cross-tenant-isolation",
	),
};

/** The hand-made server, that lets anybody in. */
const openDouble = openWebhookHttp;

describe("the reference server with its controls", () => {
	it("passes every row", async () => {
		await using server = await openWebhookServer();
		const found = await gradeWebhook(server.url);
		const rest = [...found].filter(([, { verdict }]) => verdict !== "SUCCESS");
		expect(rest).toEqual([]);
	});

	it("breaks the rules of another profile", async () => {
		await using server = await openWebhookServer({ profile: "chatgpt" });
		const only = rowsOf("unsubscribe-unknown-not-found");
		const found = await gradeWebhook(server.url, { only });
		expect(found.get("unsubscribe-unknown-not-found")?.verdict).toBe("FAILURE");
	});

	it("without a store is not blamed for short leases", async () => {
		await using server = await openWebhookServer({ hasStore: false });
		const only = rowsOf(
			"ttl-long-grant-retained",
			"ttl-no-expiry-persisted",
			"ttl-no-expiry-gc-terminated",
		);
		const found = await gradeWebhook(server.url, { only });
		expect(untriedIn(found)).toEqual(only.map(({ id }) => id));
	});
});

describe("a second principal", () => {
	it("is who may not have an event, and holds what the first cannot end", async () => {
		await using server = await openWebhookServer({ mayHave });
		const found = await gradeWebhook(server.url, bob);
		expect(accusedIn(found)).toEqual([]);
		for (const id of ["error-forbidden", "authz-subscribe-time"])
			expect(found.get(id)?.message).toContain(
				`${BOB_MAY_NOT} for the second principal`,
			);
		expect(found.get("subscribe-cross-tenant-isolation")?.message).toContain(
			"the second's was still there",
		);
	});

	it("that is let in by one mode alone gives a server away", async () => {
		const flaw = "webhooks-for-everybody";
		await using server = await openWebhookServer({ mayHave, flaw });
		const found = await gradeWebhook(server.url, bob);
		expect(accusedIn(found)).toEqual(["authz-subscribe-time"]);
	});
});

describe("a server that lets anybody in, without controls", () => {
	it("is told so where a credential could be left out", async () => {
		await using server = await openDouble();
		const found = await gradeWebhook(server.url);
		expect(accusedIn(found)).toEqual(["subscribe-auth-required"]);
		expect(found.get("subscribe-key-composition")?.message).toContain(
			"the same arguments in another order",
		);
	});

	it("is told so where there is no credential at all", async () => {
		await using server = await openDouble();
		const { report } = await gradeWith(server.url, {
			scenarios: ["events-webhook"],
		});
		const failed = report.rows.filter(({ verdict }) => verdict === "FAILURE");
		expect(failed.map(({ id }) => id)).toEqual([
			"sep-3415-webhook-needs-principals",
		]);
	});

	it("claims nothing of deliveries, which could not come", async () => {
		await using server = await openDouble();
		const found = await gradeWebhook(server.url);
		const ids = ["subscribe-refresh-replaces-secret", "subscribe-max-age-ms"];
		for (const id of ids)
			expect(found.get(id)?.message).toContain("--public-url");
	});
});

describe("over stdio", () => {
	it("what needs no headers, credentials or callbacks is graded too", async () => {
		const program = join(
			import.meta.dirname,
			"../../fixtures/servers/webhook-stdio.mjs",
		);
		const { report, verdictOf } = await gradeWith(
			{
				kind: "stdio",
				command: process.execPath,
				args: [program],
				env: process.env,
			},
			{ scenarios: ["events-webhook"] },
		);
		expect(report.counts).toMatchObject({ FAILURE: 0, WARNING: 0 });
		expect(report.counts.SUCCESS).toBeGreaterThanOrEqual(20);
		expect(verdictOf("events-webhook/mcp-name-missing-rejected")).toBe(
			"SKIPPED",
		);
	});
});
