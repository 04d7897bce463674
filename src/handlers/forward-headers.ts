// Which headers of a delivery go on to a handler: all that describe the delivery, none that described its connection.
import { Fault } from "../faults/index.ts";
import { type HeaderPair, headerValues } from "../protocol/index.ts";

/** About one connection (RFC 9110, 7.6.1), or made anew for the next one. */
const OF_THE_CONNECTION: ReadonlySet<string> = new Set([
	"connection",
	"proxy-connection",
	"keep-alive",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
	"proxy-authorization",
	"proxy-authenticate",
	"expect",
	"host",
	"content-length",
]);

/** The headers that go on, in their order and as they were written. */
export function forwardableHeaders(
	headers: readonly HeaderPair[],
): HeaderPair[] {
	const named = headerValues(headers, "connection")
		.flatMap((value) => value.split(","))
		.map((name) => name.trim().toLowerCase());
	return headers.filter(([name]) => {
		const key = name.toLowerCase();
		// Whoever names a header of the signature as one of the connection must not be able to take it off.
		const isNamed = named.includes(key) && !key.startsWith("webhook-");
		return !OF_THE_CONNECTION.has(key) && !isNamed;
	});
}

/** The whole list for one request. Added headers take the place of those with their names. */
export function requestHeaders(
	delivery: { headers: readonly HeaderPair[]; body: Buffer },
	target: { url: URL; added: readonly HeaderPair[] },
): HeaderPair[] {
	const { url, added } = target;
	const replaced = new Set(added.map(([name]) => name.toLowerCase()));
	const kept = forwardableHeaders(delivery.headers).filter(
		([name]) => !replaced.has(name.toLowerCase()),
	);
	const headers: HeaderPair[] = [...kept, ...added];
	if (!replaced.has("host")) headers.unshift(["Host", url.host]);
	headers.push(["Content-Length", String(delivery.body.length)]);
	for (const header of headers) refuseUnsendable(header);
	return headers;
}

/** Throws `wrong-use`. A captured header may hold what no header may: sent on, it would end one request and begin another. */
export function refuseUnsendable([name, value]: HeaderPair): void {
	if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name))
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(name.slice(0, 80))} cannot be the name of a header`,
			why: "it holds a character that no header name may hold",
		});
	if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
		throw new Fault("wrong-use", {
			what: `the header ${name} cannot be sent as it is`,
			why: "its value holds a control character, or one outside Latin-1",
		});
}
