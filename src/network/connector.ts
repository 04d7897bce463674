// Opens the sockets to one server: DNS, TCP, a proxy's tunnel and TLS, all within one time limit, every failure a fault.
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import {
	type SecureContext,
	type TLSSocket,
	connect as tlsConnect,
} from "node:tls";
import { Fault } from "../faults/index.ts";
import { connectFault, proxyFault } from "./connection-faults.ts";
import { type Dial, dialFor, openTcp, portOf, settled, tuned } from "./dial.ts";
import type { NameServer } from "./name-server.ts";
import { bareHost, type ProxyServer } from "./proxy.ts";
import { openLimit } from "./time-limit.ts";
import { trustAlso } from "./trusted-roots.ts";

export interface ConnectorOptions {
	url: URL;
	proxy: ProxyServer | undefined;
	/** PEM certificates to trust beside the usual roots. */
	ca: string | Buffer | undefined;
	insecure: boolean;
	connectTimeoutMs: number;
	/** Who is asked for the addresses of names, the proxy's too; undefined: this machine's own way. */
	resolver?: NameServer | undefined;
}

export interface Connector {
	/** A socket that is ready for HTTP; over TLS, `protocols` are offered by ALPN. */
	connect(protocols: string[], signal: AbortSignal): Promise<Socket>;
	/** Whether the port speaks TLS, whatever its certificate: asked where plain HTTP got no usable answer. */
	speaksTls(signal: AbortSignal): Promise<boolean>;
}

const TLS_QUESTION_MS = 2_000;

/** Throws `wrong-use` where `ca` holds no certificate. Nothing is opened yet. */
export function makeConnector(options: ConnectorOptions): Connector {
	const context = trustAlso(options.ca);
	return {
		async connect(protocols, signal) {
			const limit = openLimit({
				signals: [signal],
				timeoutMs: options.connectTimeoutMs,
				onTimeout: () => tooSlow(options),
			});
			try {
				const { signal } = limit;
				const dial = dialFor(options, signal);
				return await open(options, { context, protocols, dial });
			} catch (error) {
				throw limit.signal.aborted ? limit.signal.reason : error;
			} finally {
				limit.end();
			}
		},
		speaksTls: (signal) => speaksTls(options, signal),
	};
}

async function speaksTls(
	options: ConnectorOptions,
	closing: AbortSignal,
): Promise<boolean> {
	if (options.url.protocol === "https:" || options.proxy) return false;
	const { signal, end } = openLimit({
		signals: [closing],
		timeoutMs: TLS_QUESTION_MS,
		onTimeout: () => new Error("no TLS in time"),
	});
	const lenient = { ...options, insecure: true };
	try {
		const dial = dialFor(options, signal);
		const attempt = { context: undefined, protocols: [], dial };
		const raw = await openTcp(options.url, dial);
		(await secure(raw, lenient, attempt)).destroy();
		return true;
	} catch {
		return false;
	} finally {
		end();
	}
}

interface Attempt {
	context: SecureContext | undefined;
	protocols: string[];
	dial: Dial;
}

async function open(options: ConnectorOptions, attempt: Attempt) {
	const { url, proxy } = options;
	const raw = proxy
		? await openToProxy(url, proxy, attempt)
		: await openTcp(url, attempt.dial);
	if (url.protocol !== "https:") return raw;
	return await secure(raw, options, attempt);
}

/** Over plain HTTP a proxy is simply spoken to (`throughProxy`); for TLS it opens a tunnel. */
async function openToProxy(url: URL, proxy: ProxyServer, attempt: Attempt) {
	if (url.protocol === "https:") return await openTunnel(url, proxy, attempt);
	try {
		const socket = await openTcp(proxy.url, attempt.dial);
		if (proxy.url.protocol !== "https:") return socket;
		const secured = tlsConnect({
			socket,
			secureContext: attempt.context,
			...serverName(proxy.url),
		});
		await settled(secured, "secureConnect", attempt.dial.signal);
		return secured;
	} catch (error) {
		throw proxyFault(error, proxy);
	}
}

function openTunnel(
	url: URL,
	proxy: ProxyServer,
	{ dial, context }: Attempt,
): Promise<Socket> {
	const target = `${url.hostname}:${portOf(url)}`;
	const ask = proxy.url.protocol === "https:" ? httpsRequest : httpRequest;
	const request = ask({
		method: "CONNECT",
		// Named outright: else Node would ask the proxy for a certificate of the host in our `host` header.
		...serverName(proxy.url),
		port: portOf(proxy.url),
		path: target,
		agent: false,
		...dial,
		...(context && { secureContext: context }),
		headers: {
			host: target,
			...(proxy.authorization && {
				"proxy-authorization": proxy.authorization,
			}),
		},
	});
	return new Promise((resolve, reject) => {
		request.once("error", (error) => reject(proxyFault(error, proxy)));
		request.once("response", (answer) => {
			answer.destroy();
			reject(proxyFault(answer.statusCode, proxy));
		});
		request.once("connect", (answer, socket, head) => {
			if (answer.statusCode === 200 && head.length === 0)
				return resolve(tuned(socket));
			socket.destroy();
			reject(proxyFault(answer.statusCode, proxy));
		});
		request.end();
	});
}

async function secure(
	raw: Socket,
	{ url, insecure }: ConnectorOptions,
	{ context, protocols, dial }: Attempt,
): Promise<TLSSocket> {
	const socket = tlsConnect({
		socket: raw,
		ALPNProtocols: protocols,
		rejectUnauthorized: !insecure,
		secureContext: context,
		...serverName(url),
	});
	try {
		await settled(socket, "secureConnect", dial.signal);
		return socket;
	} catch (error) {
		raw.destroy();
		throw connectFault(error, url);
	}
}

/** An IP address is no name that TLS may ask for, but the certificate must hold it all the same. */
function serverName(url: URL) {
	const host = bareHost(url);
	return { host, servername: isIP(host) ? "" : host };
}

function tooSlow({ url, proxy, connectTimeoutMs }: ConnectorOptions): Fault {
	const place = proxy ? `${url.host} through ${proxy.label}` : url.host;
	return new Fault("timed-out", {
		what: `no connection to ${place} within ${connectTimeoutMs} ms`,
		why: "neither an answer nor a refusal came",
		next: "check the address, or allow more time: --connect-timeout 30s",
	});
}
