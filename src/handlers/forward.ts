// Sends deliveries on to one URL: the same bytes and headers, over connections that are kept. Redirects are answers.
import { Agent, request as httpRequest, type IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import {
	type Connector,
	type Environment,
	findProxy,
	makeConnector,
	openLimit,
	type ProxyServer,
	safeUrl,
} from "../network/index.ts";
import type { HeaderPair } from "../protocol/index.ts";
import { lateFault, retellFault } from "./forward-faults.ts";
import { refuseUnsendable, requestHeaders } from "./forward-headers.ts";

export interface ForwarderOptions {
	url: URL;
	/** PEM certificates to trust beside the usual roots. */
	ca: string | undefined;
	insecure: boolean;
	/** For proxies; loopback never has one. */
	env: Environment;
	/** For one delivery, connection and answer together. */
	timeoutMs: number;
	connectTimeoutMs: number;
	/** Sent with every delivery, in place of its own headers of these names. */
	addedHeaders: readonly HeaderPair[];
	now: () => number;
}

export interface DeliveryToForward {
	headers: readonly HeaderPair[];
	body: Buffer;
}

/** What the handler answered, whatever it was. */
export interface Forwarded {
	status: number;
	/** From the first try to connect until the status was there. */
	latencyMs: number;
	/** The first bytes of the answer's body, as text. */
	bodyStart: string;
}

export interface Forwarder {
	/** The URL for messages: no secret stands in it. */
	readonly label: string;
	/** Rejects with a fault where no answer came, or with the signal's reason. */
	forwardDelivery(
		delivery: DeliveryToForward,
		signal?: AbortSignal,
	): Promise<Forwarded>;
	/** Drops the connections that are kept. */
	close(): void;
}

const BODY_START_BYTES = 1_024;
/** An answer that is longer is cut off: its connection is not worth keeping. */
const DRAINED_BYTES = 64 * 1_024;

/** Opens nothing yet: the first delivery does. Throws `wrong-use` for an unusable proxy variable, header or `ca`. */
export function openForwarder(options: ForwarderOptions): Forwarder {
	const { url, env, ca, insecure, connectTimeoutMs } = options;
	for (const header of options.addedHeaders) refuseUnsendable(header);
	const proxy = findProxy(url, env);
	const connector = makeConnector({
		url,
		proxy,
		ca,
		insecure,
		connectTimeoutMs,
	});
	const closing = new AbortController();
	const agent = new TargetAgent(connector, closing.signal);
	const target: Target = {
		options,
		agent,
		added: withCredentials(options),
		proxy: url.protocol === "http:" ? proxy : undefined,
	};
	return {
		label: safeUrl(url),
		async forwardDelivery(delivery, signal) {
			const limit = openLimit({
				signals: [signal, closing.signal],
				timeoutMs: options.timeoutMs,
				onTimeout: () => lateFault(url, options.timeoutMs),
			});
			try {
				return await exchange(target, delivery, limit.signal);
			} catch (error) {
				if (limit.signal.aborted) throw limit.signal.reason;
				throw retellFault(error, url);
			} finally {
				limit.end();
			}
		},
		close() {
			closing.abort(new Error("the forwarder was closed"));
			agent.destroy();
		},
	};
}

interface Target {
	options: ForwarderOptions;
	agent: Agent;
	added: readonly HeaderPair[];
	/** A proxy that is spoken to in plain HTTP, in place of a tunnel. */
	proxy: ProxyServer | undefined;
}

/** Node's pool of connections, opened in our way. */
class TargetAgent extends Agent {
	readonly #connector: Connector;
	readonly #closing: AbortSignal;

	constructor(connector: Connector, closing: AbortSignal) {
		super({ keepAlive: true });
		this.#connector = connector;
		this.#closing = closing;
	}

	override createConnection(
		_options: unknown,
		done?: (error: Error | null, stream: Duplex) => void,
	): undefined {
		this.#connector.connect(["http/1.1"], this.#closing).then(
			(socket) => done?.(null, socket),
			// Node looks at the error first, and never at the stream beside it.
			(error: Error) => (done as ((error: Error) => void) | undefined)?.(error),
		);
	}
}

async function exchange(
	target: Target,
	delivery: DeliveryToForward,
	signal: AbortSignal,
): Promise<Forwarded> {
	const startedAt = target.options.now();
	const headers = requestHeaders(delivery, {
		url: target.options.url,
		added: target.added,
	});
	signal.throwIfAborted();
	const ask = () => post(target, { headers, body: delivery.body, signal });
	const answer = await ask().catch((error: unknown) => {
		// The other side closed a kept connection just as we took it up: nothing of this was heard.
		if (error instanceof StaleConnection) return ask();
		throw error;
	});
	const latencyMs = target.options.now() - startedAt;
	const status = answer.statusCode ?? 0;
	return { status, latencyMs, bodyStart: await readStart(answer, signal) };
}

class StaleConnection extends Error {}

function post(
	{ options, agent, proxy }: Target,
	what: { headers: HeaderPair[]; body: Buffer; signal: AbortSignal },
): Promise<IncomingMessage> {
	const { url } = options;
	const path = `${url.pathname}${url.search}`;
	return new Promise((resolve, reject) => {
		const request = httpRequest({
			agent,
			method: "POST",
			host: url.hostname,
			port: url.port || undefined,
			// To a proxy, plain HTTP names the whole URL (RFC 9112, 3.2.2).
			path: proxy ? `${url.origin}${path}` : path,
			headers: what.headers.flat(),
			signal: what.signal,
		});
		request.once("response", resolve);
		request.on("error", (error: NodeJS.ErrnoException) => {
			const isStale = request.reusedSocket && error.code === "ECONNRESET";
			reject(
				isStale ? new StaleConnection(error.message, { cause: error }) : error,
			);
		});
		request.end(what.body);
	});
}

/** An answer that breaks off or never ends has a status all the same. */
async function readStart(
	answer: IncomingMessage,
	signal: AbortSignal,
): Promise<string> {
	const chunks: Buffer[] = [];
	let length = 0;
	const stop = () => answer.destroy();
	signal.addEventListener("abort", stop);
	try {
		for await (const chunk of answer as AsyncIterable<Buffer>) {
			if (length < BODY_START_BYTES) chunks.push(chunk);
			length += chunk.length;
			if (length > DRAINED_BYTES) break;
		}
	} catch {
		// What has come is what there is.
	} finally {
		signal.removeEventListener("abort", stop);
	}
	const start = Buffer.concat(chunks).subarray(0, BODY_START_BYTES);
	return start.toString("utf8");
}

function withCredentials(options: ForwarderOptions): readonly HeaderPair[] {
	const { url, addedHeaders, env } = options;
	const added = [...addedHeaders];
	const has = (name: string) =>
		added.some(([key]) => key.toLowerCase() === name);
	if (url.username !== "" && !has("authorization")) {
		const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
		added.push([
			"Authorization",
			`Basic ${Buffer.from(pair).toString("base64")}`,
		]);
	}
	const proxy = url.protocol === "http:" ? findProxy(url, env) : undefined;
	if (proxy?.authorization)
		added.push(["Proxy-Authorization", proxy.authorization]);
	return added;
}
