// URLs as they may be shown: a secret in the user info, the query or the fragment never is.

const MASK = "***";

/** The URL for messages: no user info, query keys without their values, no text of a fragment. */
export function safeUrl(url: URL): string {
	const keys = url.search
		.slice(1)
		.split("&")
		.filter((pair) => pair !== "")
		.map(maskPair);
	const query = keys.length > 0 ? `?${keys.join("&")}` : "";
	const host = url.host === "" ? "" : `//${url.host}`;
	const fragment = url.hash === "" ? "" : `#${MASK}`;
	return `${url.protocol}${host}${url.pathname}${query}${fragment}`;
}

function maskPair(pair: string): string {
	const equals = pair.indexOf("=");
	// A lone key may be the secret itself.
	return equals === -1 ? MASK : `${pair.slice(0, equals)}=${MASK}`;
}

/** The same for the target of a redirect, which may be relative, or no URL at all. */
export function safeTarget(location: string, base: URL): string {
	const target = parseUrl(location, base);
	return target ? safeUrl(target) : "something that is no URL";
}

function parseUrl(text: string, base: URL): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
