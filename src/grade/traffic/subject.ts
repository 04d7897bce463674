// What a scenario is tried on: an event type that offers its mode, with arguments that the server should take.
import { DELIVERY_MODES, type DeliveryMode } from "../../protocol/index.ts";
import { Gate, untestable } from "../finding.ts";
import type { Wire } from "../wire/wire.ts";
import { deriveArguments } from "./derive-arguments.ts";
import { type EventType, type Listing, listTypes } from "./list-types.ts";

export interface Subject {
	type: EventType;
	name: string;
	arguments: Record<string, unknown>;
}

export interface Subjects {
	/** All types of a mode whose arguments could be derived, in the order of the catalogue. */
	withMode(mode: DeliveryMode): Promise<Subject[]>;
	/** The first type that does not offer the mode, whatever its arguments are worth; {} where none can be derived. */
	withoutMode(mode: DeliveryMode): Promise<Subject | undefined>;
	/** The first of a mode. Throws a Gate for the whole scenario where there is none. */
	first(mode: DeliveryMode): Promise<Subject>;
}

export function openSubjects(
	listing: Listing,
	given: ReadonlyMap<string, Record<string, unknown>>,
): Subjects {
	const named = listing.types.filter(({ name }) => name !== "");
	const derive = async (type: EventType): Promise<Subject | undefined> => {
		const derived = await deriveArguments(type, given);
		if (derived.kind === "missing") return undefined;
		return { type, name: type.name, arguments: derived.value };
	};
	const withMode = async (mode: DeliveryMode) => {
		const found: Subject[] = [];
		for (const type of named.filter(({ modes }) => modes.includes(mode))) {
			const subject = await derive(type);
			if (subject) found.push(subject);
		}
		return found;
	};
	return {
		withMode,
		async withoutMode(mode) {
			const type = named.find(({ modes }) => !modes.includes(mode));
			if (!type) return undefined;
			return (await derive(type)) ?? { type, name: type.name, arguments: {} };
		},
		async first(mode) {
			const [subject] = await withMode(mode);
			if (subject) return subject;
			throw new Gate(await whyNone(mode, named, given));
		},
	};
}

/**
 * A type that may be changed or used up: the last one that is not the first of a mode, for that one is what others are
 * tried on; the last of all where there is no such.
 */
export function spareType({ types }: Listing): EventType | undefined {
	const named = types.filter(({ name }) => name !== "");
	const firsts = DELIVERY_MODES.map((mode) =>
		named.find(({ modes }) => modes.includes(mode)),
	);
	return named.findLast((type) => !firsts.includes(type)) ?? named.at(-1);
}

/** What may be taken away for a while: the spare type of a mode, or another where that was ended for good by now. */
export async function standingSubject(
	mode: DeliveryMode,
	{
		subjects,
		listing,
		wire,
	}: { subjects: Subjects; listing: Listing; wire: Wire },
): Promise<Subject | undefined> {
	const { types } = await listTypes(wire);
	const names = new Set(types.map(({ name }) => name));
	const all = await subjects.withMode(mode);
	const standing = all.filter(({ name }) => names.has(name));
	const spare = spareType(listing)?.name;
	return standing.find(({ name }) => name === spare) ?? standing.at(-1);
}

async function whyNone(
	mode: DeliveryMode,
	types: readonly EventType[],
	given: ReadonlyMap<string, Record<string, unknown>>,
) {
	const type = types.find(({ modes }) => modes.includes(mode));
	if (!type)
		return untestable(
			{ kind: "feature", name: `an event type that offers ${mode}` },
			`none of the ${types.length} event types lists it under delivery`,
		);
	const derived = await deriveArguments(type, given);
	const why = derived.kind === "missing" ? derived.why : "";
	return untestable(
		{ kind: "flag", name: `--arguments ${type.name}=JSON` },
		`its arguments cannot be derived from the inputSchema (${why})`,
		type.page,
	);
}
