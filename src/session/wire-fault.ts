// Turns a JSON-RPC error into a fault. Decides by the error's NAME, then by its data, then by the method asked.
import { Fault, type FaultCode, type WireErrorFacts } from "../faults/index.ts";
import {
	CALLBACK_REASONS,
	type CallbackReason,
	excerpt,
	isRecord,
	METHODS,
	NAMED_METHODS,
} from "../protocol/index.ts";

const QUOTED_CHARACTERS = 300;

/** What was asked, and the HTTP status that the error came under (undefined on stdio). */
export interface Asked {
	method: string;
	/** The event's name, where the method has one. */
	name?: string | undefined;
	httpStatus?: number | undefined;
	/** Retry-After, where the answer had it. */
	retryAfterMs?: number | undefined;
}

interface Verdict {
	code: FaultCode;
	what: string;
	next?: string;
}

/** The fault for an error that answers a request; always quotes the server's message and code. */
export function faultFromWire(asked: Asked, error: WireErrorFacts): Fault {
	const verdict = judge(asked, error);
	const retryAfterMs = waitOf(error.data) ?? asked.retryAfterMs;
	return new Fault(verdict.code, {
		what: verdict.what,
		why: quoteWireError(error, asked.httpStatus),
		...(verdict.next === undefined ? {} : { next: verdict.next }),
		...(retryAfterMs === undefined ? {} : { retryAfterMs }),
		...(asked.httpStatus === undefined ? {} : { httpStatus: asked.httpStatus }),
		wire: error,
	});
}

/** The server's own words, bounded: `it answered NotFound (-32023) "no such event", data {…}`. */
export function quoteWireError(
	error: WireErrorFacts,
	httpStatus?: number,
): string {
	const name = error.name === "Unknown" ? "error" : error.name;
	const status =
		httpStatus === undefined || httpStatus === 200
			? ""
			: ` under HTTP ${httpStatus}`;
	const data =
		error.data === undefined
			? ""
			: `, data ${cut(excerpt(error.data, QUOTED_CHARACTERS + 1))}`;
	return `it answered ${name} (${error.code})${status}: ${JSON.stringify(cut(error.message))}${data}`;
}

function judge(asked: Asked, error: WireErrorFacts): Verdict {
	const { method, name } = asked;
	const about = name === undefined ? method : `${method} of ${name}`;
	switch (error.name) {
		case "NotFound":
			if (name !== undefined && NAMED_METHODS.has(method))
				return notFound(about, name, error);
			return {
				code: "rpc-error",
				what: `the server found nothing for ${about}`,
			};
		case "Forbidden":
			return {
				code: "forbidden",
				what: `the server forbids ${about}`,
				next: "use credentials that may have this event: --bearer-env VAR, or --header 'Authorization: …'",
			};
		case "InvalidParams":
			if (name === undefined) break;
			return {
				code: "arguments-refused",
				what: `the server refuses the parameters of ${about}`,
				next: "see what it takes: mcp-events describe SERVER EVENT",
			};
		case "ResourceExhausted":
			return {
				code: "rate-limited",
				what: `the server is at its limit${limitOf(error.data)} for ${about}`,
			};
		case "Unsupported":
			return { code: "mode-not-offered", what: unsupported(about, error.data) };
		case "CallbackEndpointError":
			if (method !== METHODS.subscribe) break;
			return callbackRefused(about, error.data);
		case "MethodNotFound":
			if (!method.startsWith("events/")) break;
			return {
				code: "not-events",
				what: `the server does not know ${method}`,
				next: "check that the address is that of a server with MCP Events",
			};
		case "UnsupportedProtocolVersion":
			return {
				code: "version-unsupported",
				what: `the server refuses the protocol revision of ${about}`,
			};
		case "InternalError":
			return { code: "server-failing", what: `the server failed at ${about}` };
	}
	return judgeByStatus(asked, about);
}

/** An error without a meaning of its own leaves the word to the HTTP status. */
function judgeByStatus({ httpStatus }: Asked, about: string): Verdict {
	if (httpStatus === 401)
		return {
			code: "unauthorized",
			what: `the server wants credentials for ${about}, or others`,
			next: "give them: --bearer-env VAR, or --header 'Authorization: …'",
		};
	if (httpStatus === 403)
		return { code: "http-forbidden", what: `the server forbids ${about}` };
	if (httpStatus === 429)
		return {
			code: "rate-limited",
			what: `the server limits how often ${about} is asked`,
		};
	if (httpStatus !== undefined && httpStatus >= 500)
		return { code: "server-failing", what: `the server failed at ${about}` };
	return {
		code: "rpc-error",
		what: `the server answered ${about} with an error`,
	};
}

function notFound(about: string, name: string, error: WireErrorFacts): Verdict {
	if (isRecord(error.data) && error.data.kind === "subscription")
		return {
			code: "rpc-error",
			what: `the server knows no such subscription: ${about}`,
		};
	return {
		code: "event-unknown",
		what: `the server has no event type named ${JSON.stringify(cut(name))}`,
		next: "see what it has: mcp-events list SERVER",
	};
}

function unsupported(about: string, data: unknown): string {
	const { feature, value, reason } = isRecord(data) ? data : {};
	if (typeof feature !== "string")
		return `the server does not support ${about}`;
	const detail = [value, reason].find((part) => typeof part === "string");
	return `the server does not support ${cut(feature)}${detail === undefined ? "" : ` ${cut(String(detail))}`} for ${about}`;
}

/** What may be done about each category of a failing callback (events.md 1, Errors). */
const CALLBACK_ADVICE: Readonly<Record<CallbackReason, string>> = {
	connection_refused:
		"make the callback reachable from where the server runs: --public-url URL",
	timeout:
		"look at what stands between the server and the callback: a firewall, a tunnel that is down",
	tls_error: "give the callback a certificate that the server trusts",
	http_4xx: "see that the callback URL leads to this receiver, path and all",
	http_5xx: "look into the log of what answers at the callback URL",
	challenge_failed:
		"see that the callback URL leads to the receiver that knows this secret",
};

function callbackRefused(about: string, data: unknown): Verdict {
	const said = isRecord(data) ? data.reason : undefined;
	const reason = CALLBACK_REASONS.find((known) => known === said);
	// Without a category it may be the URL alone that is refused (dialects.md, the oldest sketch).
	const what = reason
		? `the callback failed ${about}: ${reason}`
		: `the server refuses the callback URL of ${about}`;
	return {
		code: "callback-refused",
		what,
		...(reason ? { next: CALLBACK_ADVICE[reason] } : {}),
	};
}

function limitOf(data: unknown): string {
	if (!isRecord(data) || typeof data.limit !== "string") return "";
	const max = typeof data.max === "number" ? ` (${data.max})` : "";
	return ` of ${cut(data.limit)}${max}`;
}

/** How long the server asks us to wait; a day at most, so that a bad number cannot hang a tail for good. */
function waitOf(data: unknown): number | undefined {
	if (!isRecord(data)) return undefined;
	const { retryAfterMs } = data;
	if (typeof retryAfterMs !== "number" || !(retryAfterMs >= 0))
		return undefined;
	return Math.min(retryAfterMs, 86_400_000);
}

function cut(text: string): string {
	return text.length > QUOTED_CHARACTERS
		? `${text.slice(0, QUOTED_CHARACTERS)}…`
		: text;
}
