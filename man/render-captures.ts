// What is found out about a delivery, as the manual has it: the kinds of the verdict of a capture, and their members.
import type { RefusalReason } from "../src/receiver/index.ts";
import { bold, roff, tagged } from "./roff.ts";

interface VerdictKind {
	meaning: string;
	/** Beside `kind`. */
	members?: Record<string, string>;
}

const SIGNED_BY = {
	version: "v1 for a secret, v1a for a public key",
	label: "the name of the secret or key that it was signed with",
};
const AGE = {
	seconds: "how far its timestamp is away",
	toleranceSeconds: "how far it may be",
	...SIGNED_BY,
};
const HEADER = { header: "its name" };

/** A kind that the code has and this table has not, or the other way, does not compile. */
export const VERDICT_KINDS: Readonly<
	Record<RefusalReason | "valid" | "parked", VerdictKind>
> = {
	valid: { meaning: "Signed as it should be.", members: SIGNED_BY },
	"no-match": {
		meaning: "No signature was made with a secret or key that is known here.",
		members: {
			signatures: "how many it has",
			keys: "how many were tried",
		},
	},
	"too-old": { meaning: "Signed well, but too long ago.", members: AGE },
	"too-new": { meaning: "Signed well, but ahead of our clock.", members: AGE },
	"missing-header": {
		meaning: "A header of the signature is not there.",
		members: HEADER,
	},
	"malformed-header": {
		meaning: "A header of the signature cannot be read.",
		members: { ...HEADER, why: "the reason" },
	},
	"malformed-timestamp": {
		meaning: "Its timestamp is no whole number of seconds.",
		members: { value: "what stood there", why: "the reason" },
	},
	"no-known-version": {
		meaning: "It has no signature of a version that is checked.",
		members: { versions: "those that it has" },
	},
	"not-ours": {
		meaning: "Signed well, but its body is neither an event nor a message.",
	},
	"unknown-subscription": {
		meaning: "It names a subscription that is not known yet.",
	},
	"unknown-path": { meaning: "Its path is none of ours." },
	"wrong-method": { meaning: "It is no POST." },
	"not-json-type": { meaning: "Its content type is not JSON." },
	encoded: { meaning: "Its body is compressed." },
	"too-large": { meaning: "Its body is over the limit." },
	busy: { meaning: "Too many requests were in progress." },
	"not-stored": { meaning: "It could not be written to disk." },
	parked: {
		meaning:
			"No delivery: an event that no command has handled, kept for replay.",
		members: { why: "the reason" },
	},
};

export const renderVerdicts = () =>
	Object.entries(VERDICT_KINDS).flatMap(([kind, { meaning, members }]) => [
		tagged(bold(kind), roff(meaning + told(members))),
	]);

const told = (members: Record<string, string> | undefined) =>
	members
		? ` Members: ${Object.entries(members)
				.map(([name, text]) => `${name} (${text})`)
				.join(", ")}.`
		: "";
