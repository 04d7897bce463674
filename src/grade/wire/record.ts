// One message of the run as evidence: bounded in size, secrets masked, with its time.
import { createMask } from "../../faults/index.ts";
import { safeTarget } from "../../network/index.ts";

export interface WireMessage {
	/** Epoch milliseconds. */
	at: number;
	direction: "sent" | "received";
	via: "http" | "stdio" | "receiver";
	/** The first line of an HTTP request or answer, or what became of it. */
	head?: string;
	/** HTTP only, lower-case names; what is secret in them is masked. */
	headers?: Record<string, string>;
	/** The beginning of the text, as it stood on the wire. */
	text: string;
	/** How many bytes of it are left out. */
	cutBytes: number;
}

/** What a finding may rest on: a message, or something that knows the messages it was made of. */
export type Citable = WireMessage | { readonly record: readonly WireMessage[] };

export interface Scribe {
	/** A record of these bytes, now. */
	note(
		about: Pick<WireMessage, "direction" | "via"> &
			Partial<Pick<WireMessage, "head" | "headers" | "at">>,
		bytes: Buffer | string,
	): WireMessage;
	/** The same mask for a text of a verdict. */
	mask(text: string): string;
}

const TEXT_BYTES = 4_096;
const HEADER_CHARACTERS = 400;
const HEADERS_MOST = 40;
const MASK = "***";
const WEBHOOK_SECRET = /whsec_[A-Za-z0-9+/=_-]{12,}/g;
const SECRET_HEADERS = [
	"authorization",
	"proxy-authorization",
	"cookie",
	"set-cookie",
	"mcp-session-id",
	"x-api-key",
];

export interface ScribeOptions {
	now(): number;
	/** Every credential of ours: a server may repeat them anywhere. */
	secrets: readonly string[];
	/** Lower-case names of the headers that the user gave: their values are shown to nobody. */
	secretHeaders: readonly string[];
}

export function openScribe(options: ScribeOptions): Scribe {
	const { now } = options;
	const hide = createMask(options.secrets);
	const secretNames = new Set([...SECRET_HEADERS, ...options.secretHeaders]);
	const mask = (text: string) => hide(text).replace(WEBHOOK_SECRET, maskSecret);
	return {
		mask,
		note(about, bytes) {
			const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes);
			// Masked before it is cut: half a secret is one that no mask knows.
			const room = buffer.subarray(0, TEXT_BYTES * 2).toString("utf8");
			const text = mask(room).slice(0, TEXT_BYTES);
			const { headers } = about;
			return {
				at: about.at ?? now(),
				direction: about.direction,
				via: about.via,
				...(about.head !== undefined && { head: mask(about.head) }),
				...(headers && { headers: maskHeaders(headers, secretNames, mask) }),
				text,
				cutBytes: Math.max(0, buffer.length - Buffer.byteLength(text)),
			};
		},
	};
}

/** Its length is told: a secret of a wrong length is often what is tried. */
function maskSecret(secret: string): string {
	return `whsec_${MASK} (${secret.length} characters)`;
}

function maskHeaders(
	headers: Record<string, string>,
	secretNames: ReadonlySet<string>,
	mask: (text: string) => string,
): Record<string, string> {
	const shown = Object.entries(headers)
		.slice(0, HEADERS_MOST)
		.map(([name, value]) => [
			name,
			secretNames.has(name) ? MASK : maskHeader(name, value, mask),
		]);
	return Object.fromEntries(shown);
}

function maskHeader(
	name: string,
	value: string,
	mask: (text: string) => string,
): string {
	const text =
		name === "location"
			? safeTarget(value, new URL("http://relative.invalid/"))
			: value;
	return mask(text).slice(0, HEADER_CHARACTERS);
}

/** The messages that findings rest on, each once, in order of time; at most `most`. */
export function citedMessages(
	cites: readonly Citable[],
	most: number,
): WireMessage[] {
	const all = cites.flatMap((cite) =>
		"record" in cite ? cite.record : [cite],
	);
	const unique = [...new Set(all)].sort((a, b) => a.at - b.at);
	if (unique.length <= most) return unique;
	// The beginning says what was asked, the end what came of it.
	const head = Math.ceil(most / 2);
	return [...unique.slice(0, head), ...unique.slice(head - most)];
}
