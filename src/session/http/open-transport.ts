// Opens Streamable HTTP to one server: checks what the user gave, and joins sockets, connections and exchanges.

import { Fault } from "../../faults/index.ts";
import {
	type Environment,
	findProxy,
	makeConnector,
	type NameServer,
	safeUrl,
} from "../../network/index.ts";
import { openConnections } from "./connections.ts";
import { checkUserHeaders } from "./headers.ts";
import {
	Http,
	type HttpOptions,
	type HttpTransport,
} from "./http-transport.ts";

/** Where a server is, and what is shown to it. */
export interface HttpTarget {
	url: URL;
	/** Of the user; checked here. */
	headers: [name: string, value: string][];
	bearer?: string | undefined;
	/** PEM certificates, trusted beside the usual roots. */
	ca?: string | Buffer | undefined;
	/** Checks no certificate. */
	insecure?: boolean | undefined;
	/** For the proxy variables. */
	env: Environment;
	/** Who is asked for the addresses of names; undefined: this machine's own way. */
	resolver?: NameServer | undefined;
}

/** Opens the transport; no connection is made before the first request. Throws `wrong-use` for an unusable target. */
export async function openHttpTransport(
	target: HttpTarget,
	options: HttpOptions,
): Promise<HttpTransport> {
	const { url, env, ca, insecure = false, resolver } = target;
	const { connectTimeoutMs, note, streams } = options;
	checkUrl(url);
	const user = checkUserHeaders(target.headers, target.bearer, note);
	const proxy = findProxy(url, env);
	if (proxy) note(`${url.host} is reached through the proxy ${proxy.label}`);
	const connector = makeConnector({
		...{ url, proxy, ca, insecure, connectTimeoutMs, resolver },
	});
	const closing = new AbortController();
	const connections = await openConnections({
		...{ url, proxy, connector, streams, note },
		closing: closing.signal,
	});
	return new Http({ url, user, options, connector, connections, closing });
}

function checkUrl(url: URL): void {
	if (url.protocol !== "http:" && url.protocol !== "https:")
		throw new Fault("wrong-use", {
			what: `${safeUrl(url)} is no URL of a server`,
			why: "only http:// and https:// are spoken",
			next: "give a URL such as https://example.com/mcp, or a command after --",
		});
	if (url.username || url.password)
		throw new Fault("wrong-use", {
			what: `the URL of ${url.host} holds credentials`,
			why: "a URL ends up in logs and process lists, so they are not taken from there",
			next: "--header 'Authorization: Basic …', or --bearer-env VAR",
		});
}
