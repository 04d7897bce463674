// Grades a server in this process and gives the report: what every test of the grader begins with.
import {
	type GradeOptions,
	gradeServer,
	type Report,
	SCENARIOS,
} from "../../src/grade/index.ts";
import { realClock } from "../reference/manual-clock.ts";

export interface Graded {
	report: Report;
	defects: unknown[];
	/** The verdict of a row by `scenario/id`, without the prefix. */
	verdictOf(key: string): string | undefined;
	messageOf(key: string): string;
}

/** Grades with short waits; everything can be overridden. */
export async function gradeWith(
	target: string | GradeOptions["target"],
	options: Partial<GradeOptions> & { signal?: AbortSignal } = {},
): Promise<Graded> {
	const found = { report: undefined as Report | undefined };
	let defects: unknown[] = [];
	const progress = gradeServer(
		{
			target: typeof target === "string" ? httpTarget(target) : target,
			profile: "final",
			scenarios: SCENARIOS,
			only: [],
			arguments: new Map(),
			trigger: undefined,
			secondHeaders: [],
			receiver: {},
			timeoutMs: 2_000,
			connectTimeoutMs: 2_000,
			budgetMs: 30_000,
			waits: { listenAcknowledgedMs: 300, errorBeforeOpenMs: 300 },
			...options,
		},
		{
			...realClock,
			random: Math.random,
			signal: options.signal ?? new AbortController().signal,
			clientInfo: { name: "test", version: "0.0.0" },
			onStderr: () => {},
			atExit: () => () => {},
		},
	);
	for await (const item of progress)
		if (item.kind === "report") {
			found.report = item.report;
			defects = item.defects;
		}
	const { report } = found;
	if (!report) throw new Error("the run ended without a report");
	const rowOf = (key: string) =>
		report.rows.find(
			({ scenario, id }) =>
				`${scenario}/${id.replace("sep-3415-", "")}` === key,
		);
	return {
		report,
		defects,
		verdictOf: (key) => rowOf(key)?.verdict,
		messageOf: (key) => rowOf(key)?.message ?? "",
	};
}

export function httpTarget(
	url: string,
	headers: [string, string][] = [],
): GradeOptions["target"] {
	return { kind: "http", url: new URL(url), headers, env: {} };
}
