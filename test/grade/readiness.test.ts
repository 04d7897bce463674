import { describe, expect, it } from "vitest";
import { CATALOGUE, type GradedRow } from "../../src/grade/index.ts";
import { readReadiness } from "../../src/grade/readiness.ts";

/** Every rule passes, but for those that are named. */
const rowsWith = (others: Record<string, GradedRow["verdict"]>) =>
	CATALOGUE.map(
		({ scenario, id, level, section, requirement }): GradedRow => ({
			id: `sep-3415-${id}`,
			scenario,
			level,
			section,
			requirement,
			verdict: others[`${scenario}/${id}`] ?? "SUCCESS",
			message: "seen",
			tookMs: 0,
			evidence: [],
		}),
	);

describe("a server is", () => {
	it("ready where nothing failed, with a warning and a rule that was not tried", () => {
		const rows = rowsWith({
			"events-webhook-delivery/delivery-body-size": "WARNING",
			"events-webhook-delivery/ssrf-validate-at-delivery-time": "UNTESTABLE",
		});
		expect(readReadiness(rows)).toMatchObject({
			verdict: "ready",
			reasons: [],
		});
	});

	it("refused where a rule failed, which is named", () => {
		const key = "events-webhook/ttl-no-rejection-path";
		expect(readReadiness(rowsWith({ [key]: "FAILURE" }))).toEqual({
			verdict: "refused",
			told: "not ready: ChatGPT would refuse this server, for one reason",
			reasons: [`${key}: seen`],
		});
	});

	it("not known where what it rests on was not tried", () => {
		const key = "events-webhook-delivery/delivery-signature-formula";
		expect(readReadiness(rowsWith({ [key]: "UNTESTABLE" }))).toMatchObject({
			verdict: "unknown",
			reasons: [`${key}: seen`],
		});
	});

	it("not known where only a part was graded", () => {
		const rows = rowsWith({}).filter(
			({ scenario }) => scenario === "events-discovery",
		);
		const { verdict, reasons } = readReadiness(rows);
		expect(verdict).toBe("unknown");
		expect(reasons).toContain(
			"events-webhook/subscribe-webhook-only: not part of this run",
		);
	});
});
