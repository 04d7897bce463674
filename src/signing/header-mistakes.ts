// Mistakes in how a right signature or timestamp is written into its header.
import type { SignedFacts } from "./attempts.ts";
import type { Cause } from "./cause.ts";
import { readEntries } from "./delivery-headers.ts";
import type { Secret } from "./secret.ts";
import { signedPrefix } from "./sign.ts";

/** The right signature in the header, written in a form that no verifier reads. */
export function encodedElsewise(
	base64: string,
	header: string,
): Cause | undefined {
	const mac = Buffer.from(base64, "base64");
	const hex = mac.toString("hex");
	const entries = readEntries(header).filter(({ version }) => version === "v1");
	const written = entries.map(({ text }) => text);
	const forms = [
		[
			"base64url",
			[
				mac.toString("base64url"),
				base64.replaceAll("+", "-").replaceAll("/", "_"),
			],
		],
		["base64 without its padding", [base64.replaceAll("=", "")]],
		["hexadecimal", [hex, hex.toUpperCase()]],
		["base64 of hexadecimal text", [Buffer.from(hex).toString("base64")]],
	] as const;
	if (written.includes(base64)) return undefined;
	for (const [name, texts] of forms)
		if (texts.some((text) => written.includes(text)))
			return {
				kind: "signature-encoding",
				told: `the signature is right but written as ${name}; padded standard base64 is meant`,
			};
	if (!header.includes(base64)) return undefined;
	return {
		kind: "signature-header",
		told: 'the right signature is in the header, but not as an entry "v1,<base64>" set apart by spaces',
	};
}

/** A timestamp header in milliseconds, with a signature that fits it or its seconds. */
export function millisecondsSent(
	facts: SignedFacts,
	isPresented: (mac: string) => boolean,
	secret: Secret,
): Cause | undefined {
	if (!/^\d{13}$/.test(facts.timestamp)) return undefined;
	for (const [signed, timestamp] of [
		["milliseconds", facts.timestamp],
		["seconds", facts.timestamp.slice(0, -3)],
	] as const)
		if (
			isPresented(
				secret.hmac.digest(signedPrefix(facts.id, timestamp), facts.body),
			)
		)
			return {
				kind: "milliseconds",
				told: `the timestamp was sent in milliseconds and signed in ${signed}`,
			};
	return undefined;
}
