// The reference server over Streamable HTTP, on node:http.
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import { Fault } from "../../faults/index.ts";
import { HEADERS } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import { Core } from "../rpc/core.ts";
import type { ReferenceOptions } from "../settings.ts";
import { answerPost, type Endpoint } from "./endpoint.ts";
import { type GuardOptions, reasonToRefuse } from "./guard.ts";
import { ClientGone } from "./read-body.ts";
import { replyJson, replyRefusal } from "./reply.ts";
import { headerOf } from "./routing-headers.ts";
import { createSessions } from "./sessions.ts";

export interface HttpOptions extends ReferenceOptions {
	/** The address to bind to; 127.0.0.1 unless told otherwise. */
	host?: string | undefined;
	/** 0, the default: any free one. */
	port?: number | undefined;
	path?: string | undefined;
	/** Origins of web pages that may call, besides those that this machine serves. */
	allowOrigins?: readonly string[] | undefined;
	/** Names under which a server on loopback may be called, besides those of loopback. */
	allowHosts?: readonly string[] | undefined;
	/** Sessions of `initialize` clients at once. */
	maxSessions?: number | undefined;
}

export interface ReferenceServer extends AsyncDisposable {
	readonly url: string;
	readonly port: number;
	/** Ends every stream with its final frame, then the connections, then the sources. */
	close(): Promise<void>;
}

/** How long a client may take for what was written to it before the server went. */
const FAREWELL_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;

/** Listens until closed. Throws `address-unusable`, and `wrong-use` where two sources offer the same event type. */
export async function openReferenceServer(
	options: HttpOptions,
): Promise<ReferenceServer> {
	const { host = "127.0.0.1", port = 0, path = "/mcp" } = options;
	const core = new Core(options);
	const endpoint = {
		core,
		sessions: createSessions(options.maxSessions ?? 1_000),
	};
	const guard = {
		host,
		allowOrigins: options.allowOrigins ?? [],
		allowHosts: options.allowHosts ?? [],
	};
	const open = new Set<Promise<void>>();
	const server = createServer(
		{ keepAliveTimeout: KEEP_ALIVE_MS },
		(request, response) => {
			const answer = respond(
				{ request, response },
				{ ...endpoint, guard, path },
			);
			open.add(answer);
			void answer.finally(() => open.delete(answer));
		},
	);
	const boundPort = await listen(server, host, port).catch(async (fault) => {
		await core.closeSources();
		throw fault;
	});

	async function close() {
		const closed = new Promise<void>((resolve) =>
			server.close(() => resolve()),
		);
		core.endStreams();
		await within(FAREWELL_MS, Promise.all(open));
		server.closeAllConnections();
		await closed;
		await core.closeSources();
	}

	let closing: Promise<void> | undefined;
	const closeOnce = () => (closing ??= close());
	return {
		url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}${path}`,
		port: boundPort,
		close: closeOnce,
		[Symbol.asyncDispose]: closeOnce,
	};
}

/** Answers any request, and never rejects. */
async function respond(
	exchange: { request: IncomingMessage; response: ServerResponse },
	world: Endpoint & { guard: GuardOptions; path: string },
): Promise<void> {
	const { request, response } = exchange;
	const { settings } = world.core;
	const finished = new Promise<void>((resolve) =>
		response.once("close", resolve),
	);
	try {
		if (request.url?.split("?")[0] !== world.path)
			throw new Refusal("InvalidRequest", `the endpoint is ${world.path}`, {
				httpStatus: 404,
			});
		const reason = reasonToRefuse(request.headers, world.guard);
		if (reason)
			throw new Refusal("InvalidRequest", reason, { httpStatus: 403 });
		if (request.method === "POST") await answerPost(exchange, world);
		else answerOther(exchange, world);
	} catch (error) {
		if (error instanceof ClientGone) return;
		if (!(error instanceof Refusal))
			settings.note(`a request failed: ${error}`);
		const refusal =
			error instanceof Refusal
				? error
				: new Refusal("InternalError", "the server failed");
		if (response.headersSent) response.destroy();
		else replyRefusal(response, refusal, { settings });
	}
	await finished;
}

/** DELETE ends a session; nothing else is offered but POST. */
function answerOther(
	{ request, response }: { request: IncomingMessage; response: ServerResponse },
	{ sessions, core }: Endpoint,
): void {
	const id = headerOf(request.headers, HEADERS.sessionId);
	if (
		request.method === "DELETE" &&
		id !== undefined &&
		core.settings.era !== "modern"
	) {
		if (!sessions.end(id))
			throw new Refusal("InvalidRequest", "there is no such session", {
				httpStatus: 404,
			});
		replyJson(response, 200, "{}");
		return;
	}
	response.setHeader("allow", "POST");
	throw new Refusal("InvalidRequest", "the endpoint takes POST", {
		httpStatus: 405,
	});
}

async function listen(
	server: Server,
	host: string,
	port: number,
): Promise<number> {
	await new Promise<void>((resolve, reject) => {
		const fail = (cause: Error) =>
			reject(
				new Fault("address-unusable", {
					what: `cannot listen on ${host} port ${port}`,
					why: cause.message,
					next: "choose another port, or --port 0 for any free one",
					cause,
				}),
			);
		server.once("error", fail);
		server.listen(port, host, () => {
			server.off("error", fail);
			resolve();
		});
	});
	const address = server.address();
	return typeof address === "object" && address ? address.port : port;
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
	let timer: NodeJS.Timeout | undefined;
	const over = new Promise((resolve) => {
		timer = setTimeout(resolve, ms);
	});
	await Promise.race([work, over]);
	clearTimeout(timer);
}
