// What events/poll and events/stream are asked for, checked before anything is done.
import type { DeliveryMode } from "../../protocol/index.ts";
import { checkArguments, readArguments } from "../check-arguments.ts";
import { invalidParams, Refusal } from "../refusal.ts";
import type { Settings } from "../settings.ts";
import type { SourceType } from "../source.ts";
import type { Catalogue } from "./catalogue.ts";

export interface SubscriptionRequest {
	type: SourceType;
	arguments: Record<string, unknown>;
	/** undefined: from now on. */
	cursor: string | undefined;
	maxAgeMs: number | undefined;
}

/** What a request is checked against. */
export interface Checks {
	catalogue: Catalogue;
	settings: Settings;
	principal: string | undefined;
}

/**
 * Refuses an unknown event (NotFound), a mode it lacks (Unsupported), what does not fit (InvalidParams), and who may not
 * have it (Forbidden).
 */
export async function readSubscription(
	params: Record<string, unknown>,
	mode: DeliveryMode,
	{ catalogue, settings, principal }: Checks,
): Promise<SubscriptionRequest> {
	const { name } = params;
	if (typeof name !== "string") throw invalidParams("name must be a string");
	const type = catalogue.find(name);
	if (!type)
		throw new Refusal("NotFound", `there is no event type ${quote(name)}`, {
			data: { kind: "event" },
		});
	if (!type.descriptor.delivery.includes(mode))
		throw new Refusal(
			"Unsupported",
			`${name} is not offered by ${mode}; it is by ${type.descriptor.delivery.join(", ")}`,
			{ data: { feature: "deliveryMode", value: mode } },
		);
	const args = readArguments(params.arguments);
	await checkArguments(args, type.descriptor.inputSchema);
	const cursor = readCursorParam(params.cursor);
	if (!settings.access.mayHave(principal, name, args)) throw forbidden(name);
	settings.flaws.admitted(principal, name);
	return {
		type,
		arguments: args,
		// Whoever sends one back to a type without replay starts anew all the same.
		cursor: type.hasReplay === false ? undefined : cursor,
		maxAgeMs: readWhole(params.maxAgeMs, "maxAgeMs", 0),
	};
}

function readCursorParam(cursor: unknown): string | undefined {
	if (cursor === undefined || cursor === null) return undefined;
	if (typeof cursor === "string") return cursor;
	throw invalidParams("cursor must be a string or null");
}

/** A whole number of at least `least`; absent and null are undefined. */
export function readWhole(
	value: unknown,
	place: string,
	least: number,
): number | undefined {
	if (value === undefined || value === null) return undefined;
	if (typeof value === "number" && Number.isInteger(value) && value >= least)
		return value;
	throw invalidParams(`${place} must be a whole number of at least ${least}`);
}

/** Also what ends a subscription whose access was taken away. */
export const forbidden = (name: string) =>
	new Refusal("Forbidden", `you may not have ${name} with these arguments`);

const quote = (text: string) => JSON.stringify(text.slice(0, 120));
