// Whether a schema became narrower: what was accepted, or was there, no longer is (events.md 2).
import { isRecord } from "../../protocol/index.ts";

/** Nesting that is compared, at most. */
const MOST_LEVELS = 12;

/** The first narrowing in words; undefined where the schema only grew. `place` names the schema. */
export function findNarrowing(
	before: unknown,
	after: unknown,
	place: string,
	level = 0,
): string | undefined {
	if (!isRecord(before) || level > MOST_LEVELS) return undefined;
	if (!isRecord(after)) return `${place} is no schema any more`;
	return (
		typeNarrowing(before.type, after.type, place) ??
		enumNarrowing(before.enum, after.enum, place) ??
		requiredNarrowing(before.required, after.required, place) ??
		propertyNarrowing(before, after, { place, level }) ??
		findNarrowing(before.items, after.items, `${place}.items`, level + 1)
	);
}

function typeNarrowing(before: unknown, after: unknown, place: string) {
	const [old, now] = [listOf(before), listOf(after)];
	if (
		after === undefined ||
		(old.some((type) => now.includes(type)) &&
			old.every((type) => now.includes(type)))
	)
		return undefined;
	return `the type of ${place} went from ${JSON.stringify(before ?? "any")} to ${JSON.stringify(after)}`;
}

function enumNarrowing(before: unknown, after: unknown, place: string) {
	if (!Array.isArray(after)) return undefined;
	if (!Array.isArray(before)) return `${place} got an enum`;
	const now = after.map((value) => JSON.stringify(value));
	const lost = before.find((value) => !now.includes(JSON.stringify(value)));
	return lost === undefined
		? undefined
		: `the enum of ${place} lost ${JSON.stringify(lost)}`;
}

function requiredNarrowing(before: unknown, after: unknown, place: string) {
	const old = listOf(before);
	const added = listOf(after).find((name) => !old.includes(name));
	return added === undefined
		? undefined
		: `${place} requires ${JSON.stringify(added)} now`;
}

function propertyNarrowing(
	before: Record<string, unknown>,
	after: Record<string, unknown>,
	{ place, level }: { place: string; level: number },
): string | undefined {
	const old = isRecord(before.properties) ? before.properties : {};
	const now = isRecord(after.properties) ? after.properties : {};
	for (const [name, schema] of Object.entries(old)) {
		const path = `${place}.${name}`;
		if (!(name in now)) return `${path} was dropped`;
		const narrowed = findNarrowing(schema, now[name], path, level + 1);
		if (narrowed !== undefined) return narrowed;
	}
	return undefined;
}

function listOf(value: unknown): unknown[] {
	if (Array.isArray(value)) return value;
	return value === undefined ? [] : [value];
}
