import { describe, expect, it } from "vitest";
import { mergeReports } from "../../src/grade/compare.ts";
import {
	CATALOGUE,
	type GradedRow,
	type Profile,
	type Report,
} from "../../src/grade/index.ts";
import { makeReport } from "../../src/grade/report.ts";

const [first, second] = CATALOGUE.filter(
	({ scenario }) => scenario === "events-poll",
);
const elsewhere = CATALOGUE.find(({ scenario }) => scenario === "events-push");

function reportOf(
	profile: Profile,
	verdicts: readonly GradedRow["verdict"][],
	more: Partial<Pick<Report, "isComplete" | "offersEvents">> = {},
): Report {
	const rows = [first, second, elsewhere].flatMap((row, at): GradedRow[] => {
		const verdict = verdicts[at];
		if (!row || !verdict) return [];
		const { scenario, id, level, section, requirement } = row;
		const about = { scenario, level, section, requirement, verdict };
		const message = `${profile} ${at}`;
		return [{ ...about, id, message, tookMs: 0, evidence: [] }];
	});
	return makeReport({
		tool: { name: "test", version: "0" },
		profile,
		server: { label: "http://a.example/", transport: "http" },
		startedAtMs: 0,
		durationMs: 5,
		isComplete: true,
		offersEvents: true,
		rows,
		...more,
	});
}

describe("a report", () => {
	it("counts the rows of each scenario apart", () => {
		const report = reportOf("final", ["SUCCESS", "FAILURE", "SUCCESS"]);
		expect(report.counts).toMatchObject({ SUCCESS: 2, FAILURE: 1 });
		expect(report.countsByScenario).toEqual({
			"events-poll": expect.objectContaining({ SUCCESS: 1, FAILURE: 1 }),
			"events-push": expect.objectContaining({ SUCCESS: 1, FAILURE: 0 }),
		});
	});

	it("says whether ChatGPT would take the server under its profile alone", () => {
		expect(reportOf("final", ["FAILURE"])).not.toHaveProperty("readiness");
		expect(reportOf("chatgpt", ["FAILURE"]).readiness?.verdict).toBe("refused");
	});
});

describe("reports of several profiles as one", () => {
	it("have of each row what counts most, and whom it breaks", () => {
		const { rows, compared, durationMs } = mergeReports([
			reportOf("final", ["SUCCESS", "FAILURE", "SKIPPED"]),
			reportOf("sketch", ["UNTESTABLE", "WARNING", "SUCCESS"]),
		]);
		expect(compared).toEqual(["final", "sketch"]);
		expect(durationMs).toBe(10);
		expect(rows).toMatchObject([
			{ verdict: "UNTESTABLE", message: "sketch 0" },
			{
				verdict: "FAILURE",
				message: "breaks final and sketch: final 1",
				breaks: ["final", "sketch"],
			},
			{ verdict: "SUCCESS", message: "sketch 2" },
		]);
		expect(rows[0]).not.toHaveProperty("breaks");
	});

	it("are complete where all are, and offer events where one does", () => {
		const whole = reportOf("final", ["SUCCESS"]);
		const part = reportOf("sketch", ["SUCCESS"], { isComplete: false });
		const none = reportOf("sketch", ["SUCCESS"], { offersEvents: false });
		expect(mergeReports([whole, part]).isComplete).toBe(false);
		expect(mergeReports([whole, none])).toMatchObject({
			isComplete: true,
			offersEvents: true,
		});
		expect(mergeReports([none]).offersEvents).toBe(false);
	});

	it("are ready as the one of ChatGPT is", () => {
		const [final, chatgpt] = [
			reportOf("final", ["FAILURE"]),
			reportOf("chatgpt", ["FAILURE"]),
		];
		expect(mergeReports([final, chatgpt]).readiness?.verdict).toBe("refused");
		expect(mergeReports([final])).not.toHaveProperty("readiness");
	});
});
