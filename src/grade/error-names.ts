// Which number stands for an error under a profile (dialects.md, Profiles of the tool).
import { SEP_CODES, SKETCH_CODES } from "../protocol/index.ts";
import type { Profile } from "./catalogue/row.ts";
import type { FrameError } from "./wire/frame.ts";

export type EventsErrorName = keyof typeof SEP_CODES;

/** The older numbering has second numbers for two names. */
const SKETCH_OTHERS: Partial<Record<EventsErrorName, number>> = {
	NotFound: -32016,
	Unsupported: -32017,
};

/** The numbers that are right for a name. */
export function codesOf(name: EventsErrorName, profile: Profile): number[] {
	const sep = SEP_CODES[name];
	const other = SKETCH_OTHERS[name];
	const sketch = [SKETCH_CODES[name], ...(other === undefined ? [] : [other])];
	if (profile === "final") return [sep];
	if (profile === "sketch") return sketch;
	// Of ChatGPT's numbers only the one for callbacks is documented.
	return name === "CallbackEndpointError" ? sketch : [sep, ...sketch];
}

export function isErrorOf(
	{ code }: FrameError,
	name: EventsErrorName,
	profile: Profile,
): boolean {
	return codesOf(name, profile).some((right) => right === code);
}
