// Which proxy, if any, stands between us and a server: HTTPS_PROXY, HTTP_PROXY and NO_PROXY, in either case.
import { BlockList, isIP } from "node:net";
import { Fault } from "../faults/index.ts";
import { safeUrl } from "./safe-url.ts";

export interface ProxyServer {
	url: URL;
	/** The variable that names it, for messages. */
	variable: string;
	/** For messages: without credentials. */
	label: string;
	/** The value of `proxy-authorization`, where the URL has credentials. */
	authorization: string | undefined;
}

export type Environment = Record<string, string | undefined>;

/** The proxy for a URL; undefined: none. Loopback never has one. Throws `wrong-use` for an unusable variable. */
export function findProxy(url: URL, env: Environment): ProxyServer | undefined {
	const host = bareHost(url);
	if (isLoopback(host)) return undefined;
	const name = url.protocol === "https:" ? "https_proxy" : "http_proxy";
	const variable = [name, name.toUpperCase()].find((key) => env[key]);
	if (variable === undefined) return undefined;
	if (isExempt(host, url, env.no_proxy || env.NO_PROXY || "")) return undefined;
	return parseProxy(env[variable] ?? "", variable);
}

/** A host as a socket wants it: without the brackets of IPv6. */
export function bareHost(url: URL): string {
	return url.hostname.replace(/^\[(.*)\]$/, "$1");
}

/** Whether a host is this very machine. */
export function isLoopback(host: string): boolean {
	if (/^(.+\.)?localhost\.?$/i.test(host)) return true;
	return (isIP(host) === 4 && host.startsWith("127.")) || host === "::1";
}

function parseProxy(text: string, variable: string): ProxyServer {
	// Many write a proxy as HOST:PORT alone.
	const full = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
	const url = URL.canParse(full) ? new URL(full) : undefined;
	if (!url || !/^https?:$/.test(url.protocol) || url.hostname === "")
		throw new Fault("wrong-use", {
			what: `${variable} names no proxy that we can use`,
			why: "only http:// and https:// proxies are known",
			next: `${variable}=http://PROXY:PORT`,
		});
	const { username, password } = url;
	const pair = `${decode(username)}:${decode(password)}`;
	return {
		url,
		variable,
		label: safeUrl(new URL("/", url)).replace(/\/$/, ""),
		authorization: username
			? `Basic ${Buffer.from(pair).toString("base64")}`
			: undefined,
	};
}

function decode(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

function isExempt(host: string, url: URL, noProxy: string): boolean {
	const port = url.port || (url.protocol === "https:" ? "443" : "80");
	return noProxy
		.split(/[\s,]+/)
		.filter((entry) => entry !== "")
		.some((entry) => entry === "*" || fits(entry.toLowerCase(), host, port));
}

function fits(entry: string, host: string, port: string): boolean {
	const [, name = entry, entryPort] = /^(.*[^:]):(\d+)$/.exec(entry) ?? [];
	if (entryPort !== undefined && isIP(entry) === 0 && entryPort !== port)
		return false;
	const bare = (isIP(entry) ? entry : name).replace(/^\[(.*)\]$/, "$1");
	if (bare.includes("/")) return isInSubnet(bare, host);
	const suffix = bare.replace(/^\*?\./, "");
	return host === suffix || (isIP(host) === 0 && host.endsWith(`.${suffix}`));
}

function isInSubnet(entry: string, host: string): boolean {
	const [network = "", bits = ""] = entry.split("/");
	const family = isIP(host);
	if (family === 0 || isIP(network) !== family || !/^\d{1,3}$/.test(bits))
		return false;
	const type = family === 6 ? "ipv6" : "ipv4";
	if (Number(bits) > (family === 6 ? 128 : 32)) return false;
	const list = new BlockList();
	list.addSubnet(network, Number(bits), type);
	return list.check(host, type);
}
