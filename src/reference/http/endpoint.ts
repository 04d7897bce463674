// One request at the endpoint: which era it belongs to, what it must bring, and how it is answered.
import {
	HEADERS,
	METHODS,
	type Message,
	NOTIFICATIONS,
} from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import type { Core, RpcRequest } from "../rpc/core.ts";
import type { Era } from "../rpc/envelope.ts";
import { checkModernMeta, versionUnsupported } from "../rpc/modern-meta.ts";
import { readMessage } from "../rpc/read-message.ts";
import type { Identity } from "./admission.ts";
import type { Exchange } from "./exchange.ts";
import { readBody } from "./read-body.ts";
import { openSse, refusalReply, replyTo } from "./reply.ts";
import {
	accepts,
	checkRoutingHeaders,
	eraOf,
	headerOf,
	isLegacyVersion,
} from "./routing-headers.ts";
import type { HttpSession, Sessions } from "./sessions.ts";
import type { Unsent } from "./unsent.ts";

export interface Endpoint {
	core: Core;
	sessions: Sessions;
	unsent: Unsent;
}

/** A request whose caller is known. */
export type Call = Exchange & Identity;

/** Answers a POST. Throws Refusal where not even the message could be read. */
export async function answerPost(
	exchange: Call,
	endpoint: Endpoint,
): Promise<void> {
	const { request, response } = exchange;
	const { settings } = endpoint.core;
	const contentType = request.headers["content-type"]?.split(";")[0]?.trim();
	if (contentType?.toLowerCase() !== "application/json")
		throw new Refusal(
			"InvalidRequest",
			"Content-Type must be application/json",
			{
				httpStatus: 415,
			},
		);
	const body = await readBody(request, settings.maxRequestBytes);
	const message = readMessage(body);
	if (message.kind === "notification")
		takeNotification(message, exchange, endpoint);
	// Answers to questions that this server never asks.
	if (message.kind !== "request") {
		response.writeHead(202);
		response.end();
		return;
	}
	settings.flaws.request(message, request.headers);
	const { id } = message;
	const era = eraOf(request.headers, message, settings.era);
	try {
		if (era === "modern") await answerModern(message, exchange, endpoint);
		else await answerLegacy(message, exchange, endpoint);
	} catch (error) {
		if (!(error instanceof Refusal)) throw error;
		const reply = refusalReply(error, { id, era, settings });
		const { flaws } = settings;
		await replyTo(response, reply, { ...aboutOf(message, era), flaws });
	}
}

async function answerModern(
	message: RpcRequest,
	exchange: Call,
	endpoint: Endpoint,
): Promise<void> {
	// A client of the older era has no headers to check; it is told what is spoken.
	if (message.method === METHODS.initialize)
		throw versionUnsupported(message.params.protocolVersion);
	const { profile } = endpoint.core.settings;
	checkRoutingHeaders(exchange.request.headers, message, profile);
	checkModernMeta(message.params);
	await call(message, "modern", { ...exchange, ...endpoint });
}

async function answerLegacy(
	message: RpcRequest,
	exchange: Call,
	endpoint: Endpoint,
): Promise<void> {
	const { sessions } = endpoint;
	const { request, response, principal } = exchange;
	if (message.method === METHODS.initialize) {
		const session = sessions.open(principal);
		response.setHeader(HEADERS.sessionId, session.id);
		await call(message, "legacy", { ...exchange, ...endpoint, session });
		return;
	}
	const version = headerOf(request.headers, HEADERS.protocolVersion);
	if (version !== undefined && !isLegacyVersion(version))
		throw new Refusal(
			"InvalidRequest",
			"MCP-Protocol-Version is not spoken here",
		);
	const session = findSession(exchange, sessions);
	if (session.calls.has(message.id))
		throw new Refusal("InvalidRequest", "a request with this id is open");
	await call(message, "legacy", { ...exchange, ...endpoint, session });
}

/** Refuses (400) a request without a session, and (404) one whose session is over. */
export function findSession(
	{ request, principal }: Call,
	sessions: Sessions,
): HttpSession {
	const id = headerOf(request.headers, HEADERS.sessionId);
	if (id === undefined)
		throw new Refusal(
			"InvalidRequest",
			"Mcp-Session-Id is missing; initialize first",
		);
	const session = sessions.find(id, principal);
	if (!session)
		throw new Refusal("InvalidRequest", "there is no such session", {
			httpStatus: 404,
		});
	return session;
}

const STREAMING: ReadonlySet<string> = new Set([
	METHODS.stream,
	METHODS.listen,
]);

const aboutOf = (message: RpcRequest, era: Era) => ({
	era,
	method: message.method,
	params: message.params,
	scope: message,
});

async function call(
	message: RpcRequest,
	era: Era,
	means: Call & Pick<Endpoint, "core" | "unsent"> & { session?: HttpSession },
): Promise<void> {
	const { request, response, principal, limitKey } = means;
	const { core, unsent, session } = means;
	const isStream = STREAMING.has(message.method);
	const type = isStream ? "text/event-stream" : "application/json";
	if (!accepts(request.headers.accept, type))
		throw new Refusal("InvalidRequest", `Accept must allow ${type}`, {
			httpStatus: 406,
		});
	const cancel = new AbortController();
	const onClose = () => cancel.abort();
	response.on("close", onClose);
	session?.calls.set(message.id, cancel);
	try {
		const text = await core.answer(message, {
			era,
			principal,
			limitKey,
			cancelled: cancel.signal,
			openSink: () => openSse(response),
		});
		const { flaws } = core.settings;
		const about = { ...aboutOf(message, era), flaws };
		const admit = (length: number) => unsent.admit(limitKey, length, response);
		if (text !== undefined)
			await replyTo(response, { status: 200, text, admit }, about);
		else if (response.headersSent) response.end("");
		else response.destroy();
	} finally {
		session?.calls.delete(message.id);
		response.off("close", onClose);
	}
}

/** Only a session has requests that another POST may cancel; in the modern era the connection is the request. */
function takeNotification(
	message: Message & { kind: "notification" },
	{ request, principal }: Call,
	{ sessions }: Endpoint,
): void {
	const id = headerOf(request.headers, HEADERS.sessionId);
	if (id === undefined || message.method !== NOTIFICATIONS.cancelled) return;
	const { requestId } = message.params;
	if (typeof requestId === "string" || typeof requestId === "number")
		sessions.find(id, principal)?.calls.get(requestId)?.abort();
}
