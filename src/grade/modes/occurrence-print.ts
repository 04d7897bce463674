// What of an occurrence is the same by every mode, kept small: a digest of each member, and the beginning of its text.
import { createHash } from "node:crypto";
import { excerpt, isInstant } from "../../protocol/index.ts";
import { textOfData } from "../text-of-data.ts";

export interface PrintedMember {
	digest: string;
	shown: string;
}

/** By the name of the member; `OTHERS` stands for those beyond the number that is looked at one by one. */
export type OccurrencePrint = ReadonlyMap<string, PrintedMember>;

/** They say where a mode stands, or what it adds; eventId is what events are joined by. */
const OF_THE_MODE = ["cursor", "_meta", "eventId"];
const MOST_MEMBERS = 50;
const OTHERS = "the other members";
const SHOWN_CHARACTERS = 60;

export function printOf(event: Record<string, unknown>): OccurrencePrint {
	const members = Object.entries(event)
		.filter(([name]) => !OF_THE_MODE.includes(name))
		.sort(([a], [b]) => (a < b ? -1 : 1));
	const print = new Map(
		members
			.slice(0, MOST_MEMBERS)
			.map(([name, value]) => [name, printedMember(name, value)]),
	);
	const others = Object.fromEntries(members.slice(MOST_MEMBERS));
	if (members.length > MOST_MEMBERS)
		print.set(OTHERS, printedMember(OTHERS, others));
	return print;
}

/** The first member that is not the same in both; undefined where all are. */
export function differingMember(
	one: OccurrencePrint,
	other: OccurrencePrint,
): string | undefined {
	const names = [...new Set([...one.keys(), ...other.keys()])].sort();
	return names.find(
		(name) => one.get(name)?.digest !== other.get(name)?.digest,
	);
}

function printedMember(name: string, value: unknown): PrintedMember {
	const text = textOfData(name === "timestamp" ? instantOf(value) : value);
	return {
		digest: createHash("sha256").update(text).digest("base64"),
		shown: excerpt(value, SHOWN_CHARACTERS),
	};
}

/** An instant may be written in several ways. */
const instantOf = (value: unknown) =>
	typeof value === "string" && isInstant(value) ? Date.parse(value) : value;
