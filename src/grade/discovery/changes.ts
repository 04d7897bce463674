// How the schemas of a type change while it keeps its name (events.md 2, the last paragraph).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { checkRow } from "../scenario.ts";
import { type EventType, listTypes } from "../traffic/list-types.ts";
import { spareType } from "../traffic/subject.ts";
import { noListing } from "./capability.ts";
import { changeCatalogue } from "./change-catalogue.ts";
import { findNarrowing } from "./narrowing.ts";

export const changeChecks = [
	checkRow(
		"schema-evolution-additive",
		async (context) => {
			const lacking = context.controls.missing("catalog");
			if (lacking) return lacking;
			return await changeCatalogue(context, async (before) => {
				const after = await findAgain(context.wire, before);
				return after ? judgeGrowth(before, after) : vanished(before);
			});
		},
		{ phase: "changes" },
	),

	checkRow("breaking-change-new-name", bringNewName, { phase: "changes" }),
];

/** A new version under a name of its own is what a breaking change is made with: both names must stand for a while. */
async function bringNewName(context: GradeContext): Promise<Finding> {
	const { controls, listing, wire } = context;
	const lacking = controls.missing("catalog");
	if (lacking) return lacking;
	const old = spareType(listing);
	if (!old) return noListing(context);
	const name = `${old.name}.v${context.unique()}`;
	const added = await controls.call("catalog", { action: "add", name });
	if (added.kind === "failed") return added.finding;
	const { types } = await listTypes(wire);
	await controls.call("catalog", { action: "remove", name });
	const fresh = types.find((type) => type.name === name);
	if (!fresh)
		return untestable(
			{ kind: "control", name: "events_conformance_catalog with add" },
			"it is acknowledged, and the new name is not listed",
			added.answer,
		);
	const isKept = types.some((type) => type.name === old.name);
	return isKept
		? holds(`${JSON.stringify(name)} stands beside the old name`, fresh.page)
		: broken(
				`${JSON.stringify(old.name)} was gone as soon as ${JSON.stringify(name)} came`,
				fresh.page,
			);
}

async function findAgain(
	wire: Parameters<typeof listTypes>[0],
	{ name }: EventType,
): Promise<EventType | undefined> {
	const { types } = await listTypes(wire);
	return types.find((type) => type.name === name);
}

function judgeGrowth(before: EventType, after: EventType): Finding {
	const isSame =
		JSON.stringify([before.inputSchema, before.payloadSchema]) ===
		JSON.stringify([after.inputSchema, after.payloadSchema]);
	if (isSame)
		return untestable(
			{ kind: "control", name: "events_conformance_catalog with alter" },
			"it is acknowledged, and neither schema is another than before",
			before.page,
			after.page,
		);
	const narrowed =
		findNarrowing(before.inputSchema, after.inputSchema, "inputSchema") ??
		findNarrowing(before.payloadSchema, after.payloadSchema, "payloadSchema");
	return narrowed === undefined
		? holds("the schemas only grew", before.page, after.page)
		: broken(`under the same name ${narrowed}`, before.page, after.page);
}

const vanished = ({ name, page }: EventType): Finding =>
	broken(`${JSON.stringify(name)} is gone after an addition`, page);
