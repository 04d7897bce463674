// Reads what a server declares, in both places where the Events extension may stand (events.md 1; dialects.md).
import { EXTENSION_ID, isRecord, type Odd } from "../protocol/index.ts";

const NAMES_KEPT = 50;
const NAME_CHARACTERS = 100;

/** What a server declared; `place` says where Events stood, in words for a note. */
export interface Declared {
	offers: string[];
	events: { listChanged: boolean } | undefined;
	place: string;
}

/** Reads the `capabilities` of a discover or initialize result. Never throws: what is odd goes to `odd`. */
export function readCapabilities(value: unknown, odd: Odd): Declared {
	if (!isRecord(value)) {
		odd("the server sent no capabilities object");
		return { offers: [], events: undefined, place: "nowhere" };
	}
	const extensions = isRecord(value.extensions) ? value.extensions : {};
	if (value.extensions !== undefined && !isRecord(value.extensions))
		odd("capabilities.extensions is no object");
	const inMap = readSettings(extensions[EXTENSION_ID], "extensions", odd);
	const onTop = readSettings(value.events, "events", odd);
	if (!inMap && onTop)
		odd("Events stands in the top-level capabilities.events (the older place)");
	return {
		offers: otherNames(value, extensions),
		events: inMap ?? onTop,
		place: placeOf(inMap !== undefined, onTop !== undefined),
	};
}

function readSettings(value: unknown, place: string, odd: Odd) {
	if (value === undefined) return undefined;
	if (!isRecord(value))
		odd(
			`the Events capability under ${place} is ${describe(value)}, no settings object`,
		);
	if (value === null || value === false) return undefined;
	const listChanged = isRecord(value) ? value.listChanged : undefined;
	if (listChanged !== undefined && typeof listChanged !== "boolean")
		odd(`listChanged under ${place} is no boolean; read as false`);
	return { listChanged: listChanged === true };
}

function otherNames(
	capabilities: Record<string, unknown>,
	extensions: Record<string, unknown>,
): string[] {
	const names = [
		...Object.keys(capabilities).filter(
			(name) => name !== "extensions" && name !== "events",
		),
		...Object.keys(extensions).filter((name) => name !== EXTENSION_ID),
	];
	return names
		.slice(0, NAMES_KEPT)
		.map((name) => name.slice(0, NAME_CHARACTERS));
}

function placeOf(isInMap: boolean, isOnTop: boolean): string {
	if (isInMap) return isOnTop ? "both places" : "the extensions map";
	return isOnTop ? "the top level" : "nowhere";
}

function describe(value: unknown): string {
	if (value === null) return "null";
	if (Array.isArray(value)) return "an array";
	return typeof value === "boolean" ? String(value) : `a ${typeof value}`;
}
