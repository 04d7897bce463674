import { describe, expect, it } from "vitest";
import { findRows } from "../../src/grade/index.ts";
import { PLAIN } from "../../src/output/colors.ts";
import { renderExplainedRule } from "../../src/output/grade-explain.ts";
import { dangers } from "../fixtures/hostile-text.ts";
import { REPORT } from "./grade-report.ts";

const page = { width: 80, palette: PLAIN };
const [row] = findRows("unsubscribe-unknown-not-found", "--explain");
if (!row) throw new Error("the row is in the catalogue");
const graded = REPORT.rows[1];
const last = graded && {
	graded,
	server: "https://shop.example/mcp",
	startedAt: REPORT.startedAt,
	profile: "final",
};

describe("a rule that is explained", () => {
	it("says what it is, how it is tried, and what a profile makes of it", () => {
		const text = renderExplainedRule({ row, last: undefined }, page);
		expect(text).toContain("events-webhook/unsubscribe-unknown-not-found");
		expect(text).toContain("Unsubscribing a key the server does not hold");
		expect(text).toContain("Tried\n  Unsubscribe with a URL never used.");
		expect(text).toContain("Under chatgpt");
		expect(text).toContain("it was not part of the last run");
	});

	it("shows what was sent and received, harmless and bounded", () => {
		const text = renderExplainedRule({ row, last }, page);
		expect(text).toContain("FAILURE");
		expect(text).toContain("→ 12:00:00.000 http POST /mcp");
		expect(text).toContain("accept: application/json");
		expect(text).toContain("(7 more)");
		expect(dangers(text)).toEqual([]);
	});
});
