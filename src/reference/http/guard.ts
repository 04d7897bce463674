// Who may speak to the server at all: keeps web pages out, those too whose name was re-bound to our address.
import type { IncomingHttpHeaders } from "node:http";
import { authorityOf } from "./exchange.ts";

export interface GuardOptions {
	/** The address that the server is bound to. */
	host: string;
	/** Origins of web pages that may call. */
	allowOrigins: readonly string[];
	/** Names under which the server is known beyond its own machine. */
	allowHosts: readonly string[];
}

const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

export const isLoopback = (host: string) =>
	host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Why a request is turned away, or undefined. */
export function reasonToRefuse(
	headers: IncomingHttpHeaders,
	{ host, allowOrigins, allowHosts }: GuardOptions,
): string | undefined {
	const { origin } = headers;
	if (origin !== undefined && !allowOrigins.includes(origin)) {
		// A page that this machine serves to itself may call what this machine serves.
		const isOwn = isLoopback(host) && LOOPBACK_NAMES.has(hostNameOf(origin));
		if (!isOwn) return "this Origin is not allowed";
	}
	// Bound to loopback, only a re-bound name can bring another Host (DNS rebinding).
	if (!isLoopback(host)) return undefined;
	const name = hostNameOf(`http://${authorityOf(headers)}`);
	if (LOOPBACK_NAMES.has(name) || allowHosts.includes(name)) return undefined;
	return "this Host is not allowed";
}

function hostNameOf(url: string): string {
	try {
		return new URL(url).hostname;
	} catch {
		return "";
	}
}
