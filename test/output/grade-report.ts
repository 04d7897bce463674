// A report with one row of each verdict, and texts that would break out of a form that does not take care.
import type { GradedRow, Report, VerdictWord } from "../../src/grade/index.ts";
import { countVerdicts } from "../../src/grade/index.ts";
import type { GradeToShow } from "../../src/output/grade-forms.ts";

export const HOSTILE =
	'a "quoted" <b> & ]]> | `code` %0A\n::error::x\u001b[31m\u202e';

const row = (id: string, verdict: VerdictWord, message: string): GradedRow => ({
	id: `sep-3415-${id}`,
	scenario: "events-poll",
	level: "must",
	section: "events/poll",
	requirement: "A rule.",
	verdict,
	message,
	...(verdict === "UNTESTABLE" && {
		missing: { kind: "control", name: "events_conformance_quota" } as const,
	}),
	tookMs: 1_500,
	evidence: [
		{
			at: Date.parse("2026-11-30T12:00:00Z"),
			direction: "sent",
			via: "http",
			head: "POST /mcp",
			headers: { accept: "application/json" },
			text: HOSTILE,
			cutBytes: 7,
		},
	],
});

const rows = [
	row("passes", "SUCCESS", "seen"),
	row("fails", "FAILURE", HOSTILE),
	row("known", "FAILURE", "known to fail"),
	row("warns", "WARNING", "only odd"),
	row("skips", "SKIPPED", "not here"),
	row("untried", "UNTESTABLE", "not tried, for want of it"),
];

export const REPORT: Report = {
	reportVersion: 1,
	tool: { name: "mcp-events", version: "0.0.0" },
	contract: "the contract",
	profile: "final",
	server: {
		label: "https://shop.example/mcp",
		transport: "http",
		era: "modern",
	},
	startedAt: "2026-11-30T12:00:00.000Z",
	durationMs: 2_345,
	scenarios: ["events-poll"],
	isComplete: true,
	offersEvents: true,
	counts: countVerdicts(rows),
	countsByScenario: { "events-poll": countVerdicts(rows) },
	rows,
};

export const SHOWN: GradeToShow = {
	report: REPORT,
	expected: ["events-poll/known"],
	unexpectedPasses: [],
	isVerbose: false,
};
