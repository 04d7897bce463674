// The `delivery` member of events/subscribe and events/unsubscribe, in form; whether the URL may be called is for the
// guarded path to say.
import { isRecord } from "../../protocol/index.ts";
import { parseSecret } from "../../signing/index.ts";
import { invalidParams, Refusal } from "../refusal.ts";

const MOST_URL_LENGTH = 2_048;

/** The callback URL as it was sent: it is part of the key, letter by letter. Throws Refusal. */
export function readCallbackUrl(delivery: unknown): string {
	if (!isRecord(delivery)) throw invalidParams("delivery must be an object");
	const { mode = "webhook", url } = delivery;
	if (mode !== "webhook")
		throw new Refusal(
			"Unsupported",
			"events/subscribe is for webhook delivery alone",
			{ data: { feature: "deliveryMode", value: String(mode).slice(0, 120) } },
		);
	if (typeof url !== "string" || url === "")
		throw invalidParams("delivery.url must be a string");
	if (url.length > MOST_URL_LENGTH)
		throw invalidParams(
			`delivery.url has more than ${MOST_URL_LENGTH} characters`,
		);
	return url;
}

/** `whsec_` and the standard base64 of 24 to 64 bytes, in the one way to write it. Throws InvalidParams. */
export function readSecret(delivery: unknown): string {
	const text = isRecord(delivery) ? delivery.secret : undefined;
	if (typeof text === "string" && isCanonicalSecret(text)) return text;
	// Not a word of it: answers stand in logs.
	throw invalidParams(
		"delivery.secret must be whsec_ and the standard base64 of 24 to 64 bytes",
	);
}

function isCanonicalSecret(text: string): boolean {
	try {
		return parseSecret(text).reveal() === text;
	} catch {
		return false;
	}
}
