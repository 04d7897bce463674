// The event type with a cap on streams that a server names by its control.
import { isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";

/** A server whose cap is larger is not driven to it. */
const MOST_CAPPED = 50;

export interface Quota {
	name: string;
	arguments: Record<string, unknown>;
	max: number;
}

/** What the control says of it; a finding where that is of no use. */
export async function readQuota({
	controls,
	subjects,
}: GradeContext): Promise<
	({ kind: "known" } & Quota) | { kind: "missing"; finding: Finding }
> {
	const told = await controls.call("quota", {});
	if (told.kind === "failed") return { kind: "missing", finding: told.finding };
	const missing = (why: string) => ({
		kind: "missing" as const,
		finding: untestable(
			{ kind: "control", name: "events_conformance_quota" },
			why,
			told.answer,
		),
	});
	const value = parseJson(told.text);
	const { name, max } = isRecord(value) ? value : {};
	if (typeof name !== "string" || typeof max !== "number")
		return missing("its text is no JSON with name and max");
	if (!Number.isInteger(max) || max < 1 || max > MOST_CAPPED)
		return missing(`a cap of ${max} is not tried`);
	const subject = (await subjects.withMode("push")).find(
		(each) => each.name === name,
	);
	if (!subject)
		return missing("the type that it names is none that offers push");
	return { kind: "known", name, arguments: subject.arguments, max };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
