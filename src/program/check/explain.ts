// check server --explain ID: the rule, how it is tried, and what the last run saw of it.
import { findRows, type Report, rowKey } from "../../grade/index.ts";
import { type Output, renderExplainedRule } from "../../output/index.ts";
import type { StateFlags } from "../connect/state-place.ts";
import type { World } from "../process/world.ts";
import { readLastReport } from "./last-run.ts";

/** An id that stands in several scenarios is explained for each. Throws `wrong-use` for an unknown one. */
export async function explainRule(
	word: string,
	flags: StateFlags,
	{ world, output }: { world: World; output: Output },
): Promise<number> {
	const rows = findRows(word, "--explain");
	const report = await readLastReport(flags, { world, output });
	await output.text((page) =>
		rows
			.map((row) =>
				renderExplainedRule(
					{ row, last: report && lastOf(rowKey(row), report) },
					page,
				),
			)
			.join("\n"),
	);
	return 0;
}

function lastOf(key: string, report: Report) {
	const graded = report.rows.find(
		({ scenario, id }) => `${scenario}/${id.replace("sep-3415-", "")}` === key,
	);
	const { server, startedAt, profile } = report;
	return graded && { graded, server: server.label, startedAt, profile };
}
