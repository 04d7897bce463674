// --allow-callback: callbacks whose consent is known to the operator. It lifts no other rule.
import { Fault } from "../../faults/index.ts";
import { isBelow } from "./path-prefix.ts";

/** Whether the operator knows that this URL consents. */
export type AllowPattern = (url: URL) => boolean;

/**
 * Reads `https://HOST[:PORT][/PATH]`. One label of HOST may hold one `*`, which stands for one or more characters but
 * never a dot; without PORT it is that of the scheme; PATH covers what lies below it, by whole segments. Throws
 * `wrong-use`.
 */
export function parsePattern(text: string): AllowPattern {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isHttp = url?.protocol === "https:" || url?.protocol === "http:";
	if (!url || !isHttp) throw unusable(text, "it is no http or https URL");
	if (url.username || url.password || url.search || url.hash)
		throw unusable(text, "only scheme, host, port and path count");
	if (url.pathname.includes("*") || url.hostname.split("*").length > 2)
		throw unusable(text, "one * may stand in it, in the host");
	const host = new RegExp(
		`^${url.hostname.split("*").map(literally).join("[^.]+")}$`,
	);
	return (candidate) =>
		candidate.protocol === url.protocol &&
		candidate.port === url.port &&
		host.test(candidate.hostname) &&
		isBelow(candidate, url.pathname);
}

const literally = (text: string) => text.replace(/[^a-z0-9]/g, "\\$&");

function unusable(text: string, why: string): Fault {
	return new Fault("wrong-use", {
		what: `${JSON.stringify(text)} is no pattern of callbacks`,
		why,
		next: "--allow-callback https://hooks.example.com/mcp/, or --allow-callback 'https://*.example.com'",
	});
}
