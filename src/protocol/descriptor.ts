// One entry of events/list (events.md 2), read from any dialect.

import { Fault } from "../faults/index.ts";
import { excerpt } from "./excerpt.ts";
import { oneLine, type Span } from "./json-text.ts";
import { isRecord } from "./message.ts";
import { DELIVERY_MODES, type DeliveryMode } from "./methods.ts";
import type { Odd } from "./occurrence.ts";

export interface Descriptor {
	/** The JSON text as received, on one line. */
	raw: Buffer;
	name: string;
	title: string | undefined;
	description: string;
	/** The modes we know, in the server's order; may be empty, then the type is unusable. */
	delivery: DeliveryMode[];
	/** undefined: anything is allowed. A boolean schema is read too. */
	inputSchema: Record<string, unknown> | boolean | undefined;
	payloadSchema: Record<string, unknown> | boolean | undefined;
}

/** Reads a descriptor; throws `wrong-shape` where it has no name. Everything else that is missing is only odd. */
export function readDescriptor(
	bytes: Buffer,
	span: Span,
	value: unknown,
	odd: Odd,
): Descriptor {
	if (!isRecord(value) || typeof value.name !== "string" || value.name === "")
		throw new Fault("wrong-shape", {
			what: "events/list holds an entry without a name",
			why: `it sent ${excerpt(value, 200)}`,
		});
	const { name, title, description } = value;
	return {
		raw: oneLine(bytes, span),
		name,
		title: typeof title === "string" ? title : undefined,
		description: typeof description === "string" ? description : "",
		delivery: readDelivery(value.delivery, name, odd),
		inputSchema: readSchema(value.inputSchema, `${name}: inputSchema`, odd),
		payloadSchema: readSchema(
			value.payloadSchema,
			`${name}: payloadSchema`,
			odd,
		),
	};
}

function readDelivery(value: unknown, name: string, odd: Odd): DeliveryMode[] {
	const listed = Array.isArray(value) ? value : [];
	const known = DELIVERY_MODES.filter((mode) => listed.includes(mode));
	if (known.length === 0) odd(`${name}: delivery lists no mode that we know`);
	else if (known.length !== listed.length)
		odd(`${name}: delivery lists something unknown, or a mode twice`);
	return listed.filter(
		(mode, at) => known.includes(mode) && listed.indexOf(mode) === at,
	);
}

function readSchema(value: unknown, place: string, odd: Odd) {
	if (isRecord(value) || typeof value === "boolean") return value;
	odd(value === undefined ? `${place} is missing` : `${place} is no schema`);
	return undefined;
}
