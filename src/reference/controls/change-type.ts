// How an event type changes in place: by what only adds, and by what breaks who relies on it.
import { isRecord } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import { retypeDescriptor, retypeEvent } from "../retype.ts";
import type { SourceType } from "../source.ts";

/** The optional field of the payload that `alter` adds. */
export const ADDED_FIELD = "addedLater";

/** Every event that fitted before fits still. */
export function addField(type: SourceType): SourceType {
	const { descriptor } = type;
	const { properties } = descriptor.payloadSchema;
	return {
		...type,
		descriptor: {
			...descriptor,
			payloadSchema: {
				...descriptor.payloadSchema,
				properties: {
					...(isRecord(properties) && properties),
					[ADDED_FIELD]: {
						type: "string",
						description: "Added while the server ran; no event has it yet",
					},
				},
			},
		},
	};
}

/** A field has another type from now on, in the schema and in every event; undefined where no field can have. */
export function breakField(type: SourceType): SourceType | undefined {
	const { descriptor } = type;
	const changed = retypeDescriptor(descriptor);
	if (!changed) return undefined;
	return {
		...type,
		descriptor: changed,
		async read(request) {
			const batch = await type.read(request);
			const events = batch.events.map((event) =>
				retypeEvent(event, descriptor),
			);
			return { ...batch, events };
		},
	};
}

/** What ends the subscriptions of a type that is no longer there (events.md 2). */
export const removed = (name: string) =>
	new Refusal("NotFound", `the event type ${name} was removed`, {
		data: { kind: "event" },
	});

/** What ends the subscriptions of a type whose payload is no longer what it was. */
export const schemaChanged = (name: string) =>
	new Refusal("Unsupported", `the payload of ${name} has changed`, {
		data: { feature: "payloadSchema", reason: "schema_changed" },
	});
