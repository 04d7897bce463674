// A change of a type that breaks who relies on it: one field of its payload becomes a list of what it was.
import { isRecord } from "../protocol/index.ts";
import type { ServerEvent, TypeDescriptor } from "./source.ts";

const SCALARS = new Set(["string", "integer", "number", "boolean"]);

/** The field to retype: the first scalar one, of those that every event has if there are such; undefined for none. */
export function fieldToRetype({
	payloadSchema,
}: TypeDescriptor): string | undefined {
	const { properties, required } = payloadSchema;
	if (!isRecord(properties)) return undefined;
	const fields = Object.keys(properties).filter((field) => {
		const schema = properties[field];
		return isRecord(schema) && SCALARS.has(String(schema.type));
	});
	const always = Array.isArray(required) ? required : [];
	return fields.find((field) => always.includes(field)) ?? fields[0];
}

/** The descriptor after the change; undefined where no field can be changed. */
export function retypeDescriptor(
	descriptor: TypeDescriptor,
): TypeDescriptor | undefined {
	const field = fieldToRetype(descriptor);
	const { properties } = descriptor.payloadSchema;
	if (field === undefined || !isRecord(properties)) return undefined;
	return {
		...descriptor,
		payloadSchema: {
			...descriptor.payloadSchema,
			properties: {
				...properties,
				[field]: { type: "array", items: properties[field] },
			},
		},
	};
}

/** The event as the retyped descriptor has it. Where no field can be retyped, the data is a list as a whole. */
export function retypeEvent(
	event: ServerEvent,
	descriptor: TypeDescriptor,
): ServerEvent {
	const field = fieldToRetype(descriptor);
	const occurrence = JSON.parse(`${event.head}}`);
	const { data } = occurrence;
	if (field === undefined) occurrence.data = [data];
	else if (Object.hasOwn(data, field)) data[field] = [data[field]];
	return { ...event, head: JSON.stringify(occurrence).slice(0, -1) };
}
