// The three headers of Standard Webhooks, read strictly: present once, not empty, in the one form there is.
import {
	type HeaderPair,
	headerValues,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";

/** More signatures than a rotation makes; a longer list is there to cost us time. */
const MOST_SIGNATURES = 16;
const TIMESTAMP = /^\d{1,12}$/;

/** One entry of `webhook-signature`; `version` is "" where the entry has no comma. */
export interface SignatureEntry {
	version: string;
	text: string;
}

export interface DeliveryHeaders {
	kind: "read";
	id: string;
	/** As it stands in the header: that text is what was signed. */
	timestamp: string;
	entries: SignatureEntry[];
}

export type HeaderRefusal =
	| { kind: "missing-header"; header: string }
	| { kind: "malformed-header"; header: string; why: string }
	| { kind: "malformed-timestamp"; value: string; why: string };

/** Reads the headers, or says which one is wrong first: id, timestamp, signature, then the timestamp's form. */
export function readDeliveryHeaders(
	headers: readonly HeaderPair[],
): DeliveryHeaders | HeaderRefusal {
	const { id, timestamp, signature } = WEBHOOK_HEADERS;
	const found: string[] = [];
	for (const header of [id, timestamp, signature]) {
		const values = headerValues(headers, header);
		const [value] = values;
		if (value === undefined) return { kind: "missing-header", header };
		if (values.length > 1)
			return {
				kind: "malformed-header",
				header,
				why: `it was sent ${values.length} times`,
			};
		if (value === "")
			return { kind: "malformed-header", header, why: "it is empty" };
		found.push(value);
	}
	const [idValue = "", timestampValue = "", signatureValue = ""] = found;
	const entries = readEntries(signatureValue);
	if (entries.length > MOST_SIGNATURES)
		return {
			kind: "malformed-header",
			header: signature,
			why: `it holds ${entries.length} signatures; ${MOST_SIGNATURES} are read at most`,
		};
	if (!TIMESTAMP.test(timestampValue))
		return {
			kind: "malformed-timestamp",
			value: timestampValue.slice(0, 80),
			why: timestampFlaw(timestampValue),
		};
	return { kind: "read", id: idValue, timestamp: timestampValue, entries };
}

/** The entries of a signature header; they stand apart by spaces. */
export function readEntries(value: string): SignatureEntry[] {
	const entries = value.split(" ").filter((entry) => entry !== "");
	return entries.map((entry) => {
		const comma = entry.indexOf(",");
		return {
			version: comma < 0 ? "" : entry.slice(0, comma),
			text: entry.slice(comma + 1),
		};
	});
}

function timestampFlaw(value: string): string {
	if (/^\d{13}$/.test(value))
		return "it has 13 digits: milliseconds, where whole seconds are meant";
	if (/^\d+\.\d+$/.test(value))
		return "it has a fraction; whole seconds are meant";
	return "it is not written in digits alone, 12 at most";
}
