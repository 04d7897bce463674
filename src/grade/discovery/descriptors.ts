// Every descriptor of every page, one rule at a time; the first offender stands for all (events.md 2).
import { findProblems } from "../../arguments/index.ts";
import { Fault } from "../../faults/index.ts";
import { DELIVERY_MODES, excerpt, isRecord } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, odd, untestable } from "../finding.ts";
import { isListed } from "../ground.ts";
import { checkRow } from "../scenario.ts";
import type { EventType } from "../traffic/list-types.ts";
import { noListing } from "./capability.ts";

/** What is wrong with one descriptor; undefined where nothing is. */
type Judge = (entry: Record<string, unknown>) => Promise<Wrong> | Wrong;
type Wrong = { found: string; isOdd?: boolean } | undefined;

export const descriptorChecks = [
	each("descriptor-name", ({ name }) =>
		typeof name === "string" && name !== ""
			? undefined
			: { found: `name is ${excerpt(name, 80)}` },
	),
	each("descriptor-description", ({ description }) =>
		typeof description === "string" && description.trim() !== ""
			? undefined
			: { found: `description is ${excerpt(description, 80)}` },
	),
	each("descriptor-delivery-subset", judgeDelivery),
	each("descriptor-input-schema", ({ inputSchema }) =>
		judgeSchema(inputSchema, "inputSchema"),
	),
	each("descriptor-payload-schema", ({ payloadSchema }) =>
		judgeSchema(payloadSchema, "payloadSchema"),
	),
	each("descriptor-meta", ({ _meta }) =>
		_meta === undefined || isRecord(_meta)
			? undefined
			: { found: `_meta is ${excerpt(_meta, 80)}` },
	),
];

function each(id: string, judge: Judge) {
	return checkRow(id, async (context: GradeContext): Promise<Finding> => {
		const { types } = context.listing;
		if (!isListed(context.listing)) return noListing(context);
		if (types.length === 0)
			return untestable(
				{ kind: "traffic", name: "an event type in the catalogue" },
				"events/list gave an empty array",
				context.listing.pages[0],
			);
		for (const [at, type] of types.entries()) {
			const wrong = await judge(isRecord(type.value) ? type.value : {});
			if (!wrong) continue;
			const found = `${labelOf(type, at)}: ${wrong.found}`;
			return wrong.isOdd ? odd(found, type.page) : broken(found, type.page);
		}
		return holds(
			`so on all ${types.length} descriptors`,
			types[0]?.page ?? context.listing.pages[0],
		);
	});
}

const labelOf = ({ name }: EventType, at: number) =>
	name === "" ? `the descriptor at ${at}` : excerpt(name, 120);

function judgeDelivery({ delivery }: Record<string, unknown>): Wrong {
	const told = `delivery is ${excerpt(delivery, 120)}`;
	if (!Array.isArray(delivery)) return { found: `${told}, no array` };
	if (delivery.length === 0) return { found: `${told}: no mode at all` };
	const known: readonly unknown[] = DELIVERY_MODES;
	const unknown = delivery.find((mode) => !known.includes(mode));
	if (unknown !== undefined)
		return { found: `${told}: ${excerpt(unknown, 60)} is no mode` };
	if (new Set(delivery).size !== delivery.length)
		return { found: `${told}: a mode stands there twice` };
	return undefined;
}

/** Dialects that are read; another one is legal, and of no use to a client (base.md, Messages). */
const KNOWN_DIALECTS = /2020-12|draft-07/;

async function judgeSchema(schema: unknown, member: string): Promise<Wrong> {
	if (!isRecord(schema))
		return { found: `${member} is ${excerpt(schema, 80)}, no object` };
	const dialect = schema.$schema;
	const isForeign =
		typeof dialect === "string" && !KNOWN_DIALECTS.test(dialect);
	try {
		await findProblems({}, schema);
		return undefined;
	} catch (fault) {
		if (!(fault instanceof Fault)) throw fault;
		const why = fault.why === undefined ? "" : ` (${fault.why})`;
		return {
			found: `${member} cannot be used as JSON Schema: ${fault.what}${why}`,
			isOdd: isForeign,
		};
	}
}
