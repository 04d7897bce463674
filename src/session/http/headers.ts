// The headers of a request: ours, the user's where they may stand, and how both look in a log.

import { Fault } from "../../faults/index.ts";
import { safeTarget } from "../../network/index.ts";
import { HEADERS } from "../../protocol/index.ts";

export type HeaderPairs = [name: string, value: string][];

const MASK = "***";
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const BEARER = /^[\x21-\x7e]+$/;

/** The protocol's own, and those that belong to the connection: not the user's to set. */
const OURS: ReadonlySet<string> = new Set([
	...Object.values(HEADERS),
	"content-type",
	"accept",
	"content-length",
	"transfer-encoding",
	"connection",
	"keep-alive",
	"upgrade",
	"expect",
	"te",
	"trailer",
	"proxy-authorization",
]);

const DEFAULTS = {
	"content-type": "application/json",
	accept: "application/json, text/event-stream",
	// What comes is counted against a limit and passed on as bytes: a compressed answer can be neither.
	"accept-encoding": "identity",
	"user-agent": "mcp-events",
};

const SECRET_NAMES: ReadonlySet<string> = new Set([
	"authorization",
	"proxy-authorization",
	"cookie",
	"set-cookie",
	HEADERS.sessionId,
]);

/** What the user asked to send along: checked, names in lower case. */
export interface UserHeaders {
	pairs: HeaderPairs;
	names: ReadonlySet<string>;
}

/**
 * Checks the user's headers and token. Throws `wrong-use`, which shows a name but never a value. A header that is ours
 * to set is left out, and `note` told.
 */
export function checkUserHeaders(
	headers: readonly [string, string][],
	bearer: string | undefined,
	note: (text: string) => void,
): UserHeaders {
	const pairs: HeaderPairs = [];
	for (const [given, value] of headers) {
		checkHeader(given, value);
		const name = given.toLowerCase();
		if (OURS.has(name))
			note(`the header ${name} is ours to set; the given one is not sent`);
		else pairs.push([name, value.trim()]);
	}
	const names = new Set(pairs.map(([name]) => name));
	if (bearer !== undefined) {
		if (!BEARER.test(bearer)) throw badBearer(bearer);
		if (names.has("authorization"))
			note("the header authorization is given too; the token is not sent");
		else pairs.push(["authorization", `Bearer ${bearer}`]);
		names.add("authorization");
	}
	return { pairs, names };
}

function checkHeader(name: string, value: string): void {
	if (!TOKEN.test(name))
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(name.slice(0, 60))} is no header name`,
			why: "a name is made of letters, digits and hyphens",
			next: "--header 'Name: value'",
		});
	if (!VALUE.test(value))
		throw new Fault("wrong-use", {
			what: `the value of the header ${name} cannot be sent`,
			why: "it holds a line end, a control character or a character beyond Latin-1",
			next: `--header '${name}: VALUE' with a value on one line`,
		});
}

function badBearer(bearer: string): Fault {
	return new Fault("wrong-use", {
		what: "the bearer token cannot be sent",
		why:
			bearer === ""
				? "it is empty"
				: "it holds white space, a control character or a character beyond ASCII",
		next: "put the token alone, without a line end, into the variable of --bearer-env",
	});
}

/** All headers of one request. The user's go before our defaults, the routing headers before everything. */
export function requestHeaders(
	user: UserHeaders,
	routing: Record<string, string>,
): HeaderPairs {
	const defaults = Object.entries(DEFAULTS).filter(
		([name]) => !user.names.has(name),
	);
	return [...defaults, ...user.pairs, ...Object.entries(routing)];
}

/** Headers for a log: secrets and everything that the user set are masked. */
export function maskSent(
	headers: HeaderPairs,
	user: UserHeaders,
): Record<string, string> {
	const shown = headers.map(([name, value]) => {
		const isSecret = user.names.has(name) || SECRET_NAMES.has(name);
		return [name, isSecret ? MASK : value];
	});
	return Object.fromEntries(shown);
}

/** The same for an answer's headers. */
export function maskReceived(
	headers: Record<string, string | string[] | undefined>,
	base: URL,
): Record<string, string> {
	const shown = Object.entries(headers).map(([name, value]) => {
		const text = joinValues(value) ?? "";
		if (SECRET_NAMES.has(name)) return [name, MASK];
		return [name, name === "location" ? safeTarget(text, base) : text];
	});
	return Object.fromEntries(shown);
}

/** The values of a header in one text; undefined where it was not sent. */
export function joinValues(
	value: string | string[] | undefined,
): string | undefined {
	return Array.isArray(value) ? value.join(", ") : value;
}
