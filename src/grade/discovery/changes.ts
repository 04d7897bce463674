// How the schemas of a type change while it keeps its name (events.md 2, the last paragraph).
import { broken, type Finding, holds, untestable } from "../finding.ts";
import { checkRow } from "../scenario.ts";
import { type EventType, listTypes } from "../traffic/list-types.ts";
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

	checkRow(
		"breaking-change-new-name",
		async (context) => {
			const lacking = context.controls.missing("catalog");
			if (lacking) return lacking;
			return await changeCatalogue(
				context,
				async (before) => {
					const { types } = await listTypes(context.wire);
					const known = context.listing.types.map(({ name }) => name);
					const after = types.find(({ name }) => name === before.name);
					const fresh = types.find(({ name }) => !known.includes(name));
					return judgeBreak(before, after, fresh);
				},
				"break",
			);
		},
		{ phase: "changes" },
	),
];

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

function judgeBreak(
	before: EventType,
	after: EventType | undefined,
	fresh: EventType | undefined,
): Finding {
	const isKept =
		after !== undefined &&
		JSON.stringify(after.value) === JSON.stringify(before.value);
	if (fresh && isKept)
		return holds(
			`${JSON.stringify(fresh.name)} stands beside the unchanged old name`,
			after.page,
		);
	if (fresh && !after)
		return broken(
			`${JSON.stringify(before.name)} was replaced by ${JSON.stringify(fresh.name)} with no overlap`,
			fresh.page,
		);
	return untestable(
		{ kind: "traffic", name: "a breaking change that the server makes itself" },
		"the control changes a type in place, as it is told to",
	);
}

const vanished = ({ name, page }: EventType): Finding =>
	broken(`${JSON.stringify(name)} is gone after an addition`, page);
