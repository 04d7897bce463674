// Notices that the catalogue changed: promised, kept, and not sent where they were not promised (events.md 2).
import { isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { isListed } from "../ground.ts";
import { isListChanged, type Listening, openListening } from "../listen.ts";
import { tellError } from "../wire/answer.ts";
import { declaredRow, noListing } from "./capability.ts";
import { changeCatalogue } from "./change-catalogue.ts";

const NOT_IN_LEGACY = "the initialize era has no subscriptions/listen";

export const noticeChecks = [
	declaredRow("listen-acknowledges-list-changed", async (context) => {
		const { declared, wire } = context;
		if (!declared.listChanged) return skipped("listChanged is not declared");
		if (wire.era === "legacy") return skipped(NOT_IN_LEGACY);
		await using listening = await openListening(context);
		const { acknowledged, isPromised, stream, first } = listening;
		if (!acknowledged)
			return broken(`no acknowledgement: ${tellSilence(listening)}`, stream);
		if (first !== acknowledged)
			return broken("the acknowledgement is not the first message", stream);
		return isPromised
			? holds("the acknowledged filter has eventsListChanged true", stream)
			: broken("the acknowledged filter lacks eventsListChanged", stream);
	}),

	declaredRow(
		"list-changed-notification",
		async (context) => {
			const { declared, wire, controls, waits } = context;
			if (!declared.listChanged) return skipped("listChanged is not declared");
			if (wire.era === "legacy") return skipped(NOT_IN_LEGACY);
			const lacking = controls.missing("catalog");
			if (lacking) return lacking;
			await using listening = await openListening(context);
			const { stream, acknowledged } = listening;
			if (!acknowledged) return noStream(listening);
			return await changeCatalogue(context, async () => {
				const notice = await stream.waitFor(isListChanged, waits.listChangedMs);
				return notice
					? holds("the notice came after a descriptor was altered", stream)
					: broken(
							`no notice within ${waits.listChangedMs} ms of a change of a descriptor`,
							stream,
						);
			});
		},
		{ phase: "changes" },
	),

	declaredRow(
		"capability-list-changed-gated",
		async (context) => {
			const { declared, wire, controls } = context;
			if (declared.listChanged) return skipped("listChanged is declared");
			if (!isListed(context.listing)) return noListing(context);
			if (!isReadable(declared))
				return skipped("what is declared cannot be read as settings");
			if (wire.era === "legacy") return skipped(NOT_IN_LEGACY);
			await using listening = await openListening(context);
			const { stream, acknowledged, isPromised } = listening;
			if (isPromised)
				return broken(
					"eventsListChanged is acknowledged without the declaration",
					stream,
				);
			if (!acknowledged)
				return stream.end || listening.first
					? holds(`nothing is promised: ${tellSilence(listening)}`, stream)
					: noStream(listening);
			if (controls.missing("catalog"))
				return holds(
					"the acknowledged filter leaves eventsListChanged out; that no notice comes was not tried, for want of events_conformance_catalog",
					stream,
				);
			return await watchSilence(context, listening);
		},
		{ phase: "changes" },
	),
];

/** Settings of a wrong type promise nothing that could be held against a notice: another rule tells of them. */
function isReadable({ value }: GradeContext["declared"]): boolean {
	if (value === undefined) return true;
	if (!isRecord(value)) return false;
	return !("listChanged" in value) || typeof value.listChanged === "boolean";
}

function watchSilence(
	context: GradeContext,
	{ stream }: Listening,
): Promise<Finding> {
	return changeCatalogue(context, async () => {
		const notice = await stream.waitFor(
			isListChanged,
			context.waits.listChangedMs,
		);
		return notice
			? broken("a notice came without the declaration", stream)
			: holds(
					"the filter leaves it out, and a change brought no notice",
					stream,
				);
	});
}

function noStream(listening: Listening): Finding {
	return untestable(
		{ kind: "answer", name: "subscriptions/listen" },
		tellSilence(listening),
		listening.stream,
	);
}

function tellSilence({ stream }: Listening): string {
	const error = stream.frames.find(({ kind }) => kind === "error")?.error;
	if (error) return `subscriptions/listen is answered with ${tellError(error)}`;
	if (stream.end) return `subscriptions/listen: ${stream.end.told}`;
	return "subscriptions/listen is answered with silence";
}
