// A callback URL, as far as its text tells. What its host resolves to is judged at each connection.
import { isIP } from "node:net";
import { invalidParams } from "../refusal.ts";

const MOST_CHARACTERS = 2_048;

/**
 * Reads a callback URL; throws the refusal InvalidParams where its text rules it out. `isFreed` tells the origins that
 * the fixture control lets be http. Odd spellings of a host (octal, short, full-width) come out as what would be dialled.
 */
export function parseCallbackUrl(
	text: string,
	isFreed: (origin: string) => boolean,
): URL {
	if (text.length > MOST_CHARACTERS)
		throw refused(`is longer than ${MOST_CHARACTERS} characters`);
	// The URL parser would drop some of these without a word.
	if (/[\s\p{Cc}]/u.test(text))
		throw refused("has white space or control characters");
	if (!URL.canParse(text)) throw refused("is no absolute URL");
	const url = new URL(text);
	const isHttp = url.protocol === "http:" && isFreed(url.origin);
	if (url.protocol !== "https:" && !isHttp) throw refused("is not https");
	if (url.username !== "" || url.password !== "")
		throw refused("has user information");
	if (url.port === "0") throw refused("has port 0");
	return url;
}

/** The host without the brackets of an IPv6 address. */
export function bareHost(url: URL): string {
	return url.hostname.replace(/^\[|\]$/g, "");
}

/** The address that stands in the URL itself; undefined where it has a name. */
export function literalAddress(url: URL): string | undefined {
	const host = bareHost(url);
	return isIP(host) ? host : undefined;
}

export function portOf(url: URL): number {
	return Number(url.port) || (url.protocol === "https:" ? 443 : 80);
}

const refused = (why: string) => invalidParams(`delivery.url ${why}`);
