// What an HTTP status means where the body holds no JSON-RPC error that says it better.

import { Fault, type FaultCode } from "../../faults/index.ts";
import { safeTarget } from "../../network/index.ts";
import { readRetryAfter } from "../retry-after.ts";

export interface StatusFacts {
	status: number;
	header(name: string): string | undefined;
	/** The beginning of the body. */
	body: Buffer;
	url: URL;
	/** Whether the request carried credentials. */
	hadCredentials: boolean;
	/** Epoch milliseconds: what a Retry-After date counts from, where the answer has no Date. */
	nowMs: number | undefined;
}

interface Told {
	code: FaultCode;
	what: string;
	why?: string;
	next: string;
}

const QUOTE_BYTES = 120;

const OLD_TRANSPORT =
	"check the path of the URL (often /mcp); the HTTP+SSE transport of 2024-11-05 (GET an /sse endpoint) is not supported";

/** The fault for a status outside 200 to 299. */
export function statusFault(facts: StatusFacts): Fault {
	const { status } = facts;
	const { code, ...told } = tell(facts);
	const retryAfterMs =
		status === 429 || status >= 500
			? readRetryAfter(facts.header, facts.nowMs)
			: undefined;
	const wait =
		retryAfterMs === undefined
			? ""
			: `; it asks to wait ${Math.ceil(retryAfterMs / 1000)} s`;
	return new Fault(code, {
		...told,
		why: (told.why ?? describe(facts)) + wait,
		httpStatus: status,
		...(retryAfterMs !== undefined && { retryAfterMs }),
	});
}

function tell(facts: StatusFacts): Told {
	const { status, url } = facts;
	if (status >= 300 && status < 400) return tellRedirect(facts);
	if (status === 401) return tellUnauthorized(facts);
	const row = ROWS[status];
	if (row) return { ...row, what: row.what.replace("HOST", () => url.host) };
	if (status >= 500)
		return {
			code: "server-failing",
			what: `${url.host} failed with HTTP ${status}`,
			next: "try again later, or look into the server's log",
		};
	return {
		code: "http-unexpected",
		what: `${url.host} answered HTTP ${status}, which has no meaning here`,
		next: "check the URL; --verbose and --log-rpc FILE show what was sent",
	};
}

const ROWS: Record<number, Told> = {
	403: {
		code: "http-forbidden",
		what: "HOST does not let us in (HTTP 403)",
		next: "use credentials that may do this: --header 'Authorization: …' or --bearer-env VAR",
	},
	404: {
		code: "http-not-found",
		what: "HOST has nothing at this path (HTTP 404)",
		next: OLD_TRANSPORT,
	},
	405: {
		code: "http-not-allowed",
		what: "HOST does not take POST at this path (HTTP 405)",
		next: OLD_TRANSPORT,
	},
	406: {
		code: "http-not-acceptable",
		what: "HOST can send neither JSON nor an event stream (HTTP 406)",
		next: "check that the URL is that of an MCP endpoint",
	},
	429: {
		code: "rate-limited",
		what: "HOST is asked too often (HTTP 429)",
		next: "wait, then try again",
	},
};

function tellRedirect({ status, url, header }: StatusFacts): Told {
	const location = header("location");
	const target = location
		? safeTarget(location, url)
		: "a place that it does not name";
	return {
		code: "redirected",
		what: `${url.host} redirects to ${target}`,
		why: `it answered HTTP ${status}; a redirect is never followed, credentials could go astray`,
		next: "if you trust that address, give it in place of the first",
	};
}

function tellUnauthorized(facts: StatusFacts): Told {
	const { url, header, hadCredentials } = facts;
	const challenge = header("www-authenticate")?.slice(0, 300);
	return {
		code: "unauthorized",
		what: hadCredentials
			? `${url.host} does not accept the credentials (HTTP 401)`
			: `${url.host} asks for credentials (HTTP 401)`,
		...(challenge && { why: `WWW-Authenticate says: ${challenge}` }),
		next: "--bearer-env VAR with a token in that variable, or --header 'Authorization: …'",
	};
}

function describe({ status, header, body }: StatusFacts): string {
	const type = header("content-type");
	const kind = type ? ` with ${type.slice(0, 80)}` : "";
	if (body.length === 0) return `it answered HTTP ${status}${kind} and no text`;
	return `it answered HTTP ${status}${kind}, which begins ${quote(body)}`;
}

/** The beginning of a body as one line in quotes. */
export function quote(body: Buffer): string {
	return JSON.stringify(body.subarray(0, QUOTE_BYTES).toString("utf8"));
}
