// The rules that look at all that was said in a scenario: resultType on every result, and the schema of every message.
import { excerpt } from "../protocol/index.ts";
import type { GradeContext } from "./context.ts";
import { broken, type Finding, holds, skipped, untestable } from "./finding.ts";
import { type Check, checkRow } from "./scenario.ts";
import { checkMessages } from "./schemas/check-messages.ts";
import type { Frame } from "./wire/frame.ts";
import { citedMessages, type WireMessage } from "./wire/record.ts";
import { tellDropped } from "./wire/trail.ts";

/**
 * result-type-complete over the results of some methods. Where there is none, `wanted` says what would bring one;
 * `leansOn` are rows whose checks do.
 */
export function resultTypeCheck<Prepared>(
	methods: readonly string[],
	wanted: string,
	leansOn: readonly string[] = [],
): Check<Prepared> {
	return checkRow(
		"result-type-complete",
		async ({ trail, wire }) => {
			if (wire.era === "legacy")
				return skipped("the initialize era has no resultType");
			const results = trail.inbound.flatMap(({ frame, method }) =>
				frame.kind === "result" && methods.includes(method) ? [frame] : [],
			);
			return judgeTypes(results, wanted, trail.dropped);
		},
		{ phase: "closing", leansOn },
	);
}

function judgeTypes(
	results: readonly Frame[],
	wanted: string,
	dropped: number,
): Finding {
	if (results.length === 0)
		return untestable({ kind: "answer", name: wanted }, "no result came");
	const wrong = results.filter(
		({ result }) => result?.resultType !== "complete",
	);
	const [first] = wrong;
	return first
		? broken(
				`resultType is ${excerpt(first.result?.resultType, 60)} on ${wrong.length} of ${results.length} results`,
				...wrong,
			)
		: holds(
				`complete on all ${results.length} results${tellDropped(dropped)}`,
				...results.slice(0, 3),
			);
}

/**
 * wire-schema-valid over all messages of the scenario; must stand behind every other check. `elsewhere`: methods whose
 * answers and notifications are another scenario's to judge.
 */
export function schemaCheck<Prepared>(
	elsewhere: readonly string[] = [],
): Check<Prepared> {
	return checkRow(
		"wire-schema-valid",
		(context) =>
			checkMessages(
				context.trail.inbound.filter(
					({ method }) => !elsewhere.includes(method),
				),
				{
					isResultTyped:
						context.wire.era !== "legacy" && context.profile === "final",
					signal: context.signal,
					blamed: blamedMessages(context),
					dropped: context.trail.dropped,
				},
			),
		{ phase: "closing" },
	);
}

/** What other rows of the scenario complain about. */
function blamedMessages({ found }: GradeContext): ReadonlySet<WireMessage> {
	const cites = [...found().values()].flatMap((finding) =>
		finding.kind === "broken" ? finding.cites : [],
	);
	return new Set(citedMessages(cites, Number.POSITIVE_INFINITY));
}
