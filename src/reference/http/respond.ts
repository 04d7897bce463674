// Any request from its first look to its answer: the routes beside the endpoint, then the endpoint itself.
import { HEADERS } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import type { Admission } from "./admission.ts";
import { answerBrowser } from "./cors.ts";
import {
	answerPost,
	type Call,
	type Endpoint,
	findSession,
} from "./endpoint.ts";
import { type Exchange, leaveBody, pathOf } from "./exchange.ts";
import { ClientGone, readBody } from "./read-body.ts";
import { openSse, replyJson, replyRefusal } from "./reply.ts";
import type { HttpRoute } from "./routes.ts";
import { accepts, headerOf } from "./routing-headers.ts";

export interface Site extends Endpoint {
	/** Of the endpoint. */
	path: string;
	routes: readonly HttpRoute[];
	admission: Admission;
	/** Once it says so, nothing new is begun. */
	isClosing(): boolean;
}

/** Answers any request, and never rejects; resolves when the client has the answer, or is gone. */
export async function respond(exchange: Exchange, site: Site): Promise<void> {
	const { response } = exchange;
	const finished = new Promise<void>((resolve) =>
		response.once("close", resolve),
	);
	try {
		await answer(exchange, site);
	} catch (error) {
		if (error instanceof ClientGone) return;
		refuse(exchange, error, site);
	}
	await finished;
}

async function answer(exchange: Exchange, site: Site): Promise<void> {
	const { request } = exchange;
	site.admission.checkPlace(exchange);
	if (site.isClosing())
		throw new Refusal("InternalError", "the server is closing", {
			httpStatus: 503,
		});
	if (answerBrowser(exchange)) return leaveBody(exchange);
	const path = pathOf(request);
	const route = site.routes.find((one) =>
		one.matches(request.method ?? "", path),
	);
	if (route) {
		site.admission.checkRate(exchange);
		return await answerRoute(exchange, route, site);
	}
	if (path !== site.path)
		throw new Refusal("InvalidRequest", `the endpoint is ${site.path}`, {
			httpStatus: 404,
		});
	const call: Call = { ...exchange, ...site.admission.identify(exchange) };
	if (request.method === "POST") await answerPost(call, site);
	else if (mayListen(call, site)) await answerGet(call, site);
	else answerOther(call, site);
}

function refuse(exchange: Exchange, error: unknown, { core }: Site): void {
	const { response } = exchange;
	const { settings } = core;
	if (!(error instanceof Refusal)) settings.note(`a request failed: ${error}`);
	const refusal =
		error instanceof Refusal
			? error
			: new Refusal("InternalError", "the server failed");
	if (response.headersSent) {
		response.destroy();
		return;
	}
	leaveBody(exchange);
	replyRefusal(response, refusal, { settings });
}

async function answerRoute(
	{ request, response }: Exchange,
	route: HttpRoute,
	{ core }: Site,
): Promise<void> {
	const limitBytes = route.maxBodyBytes ?? core.settings.maxRequestBytes;
	const { status, headers, body } = await route.handle({
		method: request.method ?? "",
		path: pathOf(request),
		headers: request.headers,
		body: await readBody(request, limitBytes),
	});
	response.writeHead(status, {
		...headers,
		"content-length": Buffer.byteLength(body),
	});
	response.end(body);
}

/** GET opens what the server says unasked, where it says something. */
const mayListen = ({ request }: Call, { core }: Site) =>
	request.method === "GET" && core.tellsUnasked("legacy");

async function answerGet(call: Call, site: Site): Promise<void> {
	const { request, response, principal, limitKey } = call;
	if (!accepts(request.headers.accept, "text/event-stream"))
		throw new Refusal("InvalidRequest", "Accept must allow text/event-stream", {
			httpStatus: 406,
		});
	const { calls } = findSession(call, site.sessions);
	const cancel = new AbortController();
	const key = Symbol("what comes unasked");
	calls.set(key, cancel);
	response.once("close", () => cancel.abort());
	const openSink = () => {
		const sink = openSse(response);
		// The headers alone would wait for the first change.
		response.write(": open\n\n");
		return sink;
	};
	const { signal: cancelled } = cancel;
	try {
		const caller = { principal, limitKey, cancelled, openSink };
		await site.core.tellUnasked({ era: "legacy", ...caller });
	} finally {
		calls.delete(key);
	}
	response.end("");
}

/** DELETE ends a session; nothing else is offered but POST. */
function answerOther(
	{ request, response, principal }: Call,
	{ sessions, core }: Site,
): void {
	const id = headerOf(request.headers, HEADERS.sessionId);
	if (
		request.method === "DELETE" &&
		id !== undefined &&
		core.settings.era !== "modern"
	) {
		if (!sessions.end(id, principal))
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
