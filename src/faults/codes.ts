// Every fault code, the exit it leads to, and whether trying again can help. A code is never renamed after a release.
import type { ExitName } from "./exit-codes.ts";

interface CodeRow {
	exit: ExitName;
	/** True where the same request may succeed later: pollers and streams retry these with backoff. */
	transient?: true;
	meaning: string;
	/** What a fault of this code says under `next` where its maker knows nothing better. */
	next?: string;
}

const TELL_THE_SERVER =
	"see every message, and tell whoever runs the server: --log-rpc FILE";

const rows = {
	"wrong-use": {
		exit: "wrongUse",
		meaning: "a flag or argument is unusable",
		next: "see how it is used: mcp-events help COMMAND",
	},
	"arguments-invalid": {
		exit: "wrongUse",
		meaning: "event arguments do not fit the inputSchema",
		next: "see what it takes: mcp-events describe SERVER EVENT",
	},
	"arguments-refused": {
		exit: "wrongUse",
		meaning: "the server answered InvalidParams",
	},
	"schema-unusable": {
		exit: "brokenPeer",
		meaning: "a schema of the server cannot be used safely",
		next: "send the arguments unchecked: --no-validate",
	},
	"event-unknown": {
		exit: "wrongUse",
		meaning: "the server has no event type of that name",
	},
	"mode-not-offered": {
		exit: "wrongUse",
		meaning: "the event type does not offer the delivery mode",
		next: "see what it offers: mcp-events describe SERVER EVENT",
	},
	"capture-unknown": {
		exit: "wrongUse",
		meaning: "no capture has that id",
	},
	"secret-invalid": {
		exit: "wrongUse",
		meaning: "a signing secret or public key is not in the form it must have",
	},
	"address-unusable": {
		exit: "unreachable",
		meaning: "a local address cannot be listened on",
	},
	"file-failed": {
		exit: "unreachable",
		meaning: "a local file could not be read or written",
		next: "check the path, who may use it, and the space that is left",
	},
	"output-failed": {
		exit: "unreachable",
		meaning: "stdout could not take what was written",
	},
	"dns-failed": {
		exit: "unreachable",
		transient: true,
		meaning: "the host name could not be resolved",
	},
	"connection-refused": {
		exit: "unreachable",
		transient: true,
		meaning: "nothing listens at the address",
	},
	"connection-failed": {
		exit: "unreachable",
		transient: true,
		meaning: "the connection broke or could not be made",
		next: "try again",
	},
	"tls-failed": {
		exit: "unreachable",
		meaning: "the TLS handshake or certificate failed",
	},
	"timed-out": {
		exit: "unreachable",
		transient: true,
		meaning: "no answer within the time allowed",
	},
	redirected: {
		exit: "unreachable",
		meaning: "the server answered with a redirect, which is never followed",
	},
	"http-not-found": {
		exit: "unreachable",
		meaning: "HTTP 404 at the endpoint",
	},
	"http-not-allowed": {
		exit: "unreachable",
		meaning: "HTTP 405 at the endpoint",
	},
	"http-not-acceptable": {
		exit: "unreachable",
		meaning: "HTTP 406 at the endpoint",
	},
	"rate-limited": {
		exit: "unreachable",
		transient: true,
		meaning: "HTTP 429, or a limit of the server",
		next: "wait, then try again",
	},
	"server-failing": {
		exit: "unreachable",
		transient: true,
		meaning: "HTTP 5xx, or a JSON-RPC internal error",
		next: "try again later, or look into the server's log",
	},
	"tunnel-failed": {
		exit: "unreachable",
		meaning: "no public address could be opened, or held, for a local port",
	},
	"child-not-started": {
		exit: "unreachable",
		meaning: "the server command could not be started",
	},
	"child-ended": {
		exit: "unreachable",
		transient: true,
		meaning: "the server command ended by itself",
	},
	unauthorized: {
		exit: "notAllowed",
		meaning: "HTTP 401: credentials are missing or wrong",
	},
	"http-forbidden": {
		exit: "notAllowed",
		meaning: "HTTP 403",
		next: "use credentials that may do this: --bearer-env VAR",
	},
	forbidden: {
		exit: "notAllowed",
		meaning: "the server answered Forbidden, or ended the subscription with it",
		next: "use credentials that may do this: --bearer-env VAR",
	},
	"http-unexpected": {
		exit: "brokenPeer",
		meaning: "an HTTP status with no meaning here",
		next: TELL_THE_SERVER,
	},
	"not-json": {
		exit: "brokenPeer",
		meaning: "an answer that is not JSON (HTML, plain text, bad UTF-8)",
		next: TELL_THE_SERVER,
	},
	"empty-body": { exit: "brokenPeer", meaning: "an answer without a body" },
	"no-response": {
		exit: "brokenPeer",
		transient: true,
		meaning: "the answer ended without a response to the request",
		next: TELL_THE_SERVER,
	},
	"wrong-id": {
		exit: "brokenPeer",
		meaning: "a response that answers another request",
		next: TELL_THE_SERVER,
	},
	"wrong-shape": {
		exit: "brokenPeer",
		meaning: "a message without the fields the contract demands",
		next: TELL_THE_SERVER,
	},
	"too-large": {
		exit: "brokenPeer",
		meaning: "a message over the size limit",
	},
	"not-events": {
		exit: "brokenPeer",
		meaning: "the server does not offer MCP Events",
	},
	"version-unsupported": {
		exit: "brokenPeer",
		meaning: "no protocol revision in common",
		next: "use a server, or a release of mcp-events, that knows a revision of the other",
	},
	"paging-loop": {
		exit: "brokenPeer",
		meaning: "events/list repeats a paging cursor or never ends",
		next: TELL_THE_SERVER,
	},
	"rpc-error": {
		exit: "brokenPeer",
		meaning: "a JSON-RPC error that the contract gives no meaning",
		next: TELL_THE_SERVER,
	},
	"count-not-reached": {
		exit: "tooQuiet",
		meaning: "--for was over before --count events had come",
	},
	"not-handed-on": {
		exit: "unreachable",
		meaning:
			"a delivery that was kept did not go on to its handler: too many waited, or the end came first",
	},
	"handler-failed": {
		exit: "unreachable",
		meaning: "a command of --exec failed, and its event was parked",
	},
	"in-doubt": {
		exit: "unreachable",
		meaning:
			"a command of --exec was cut off: whether it has acted on its event is not known, and it is not run again",
	},
	"callback-refused": {
		exit: "unreachable",
		meaning: "the server could not reach or verify the callback URL",
		next: "give it a URL that it can reach: --tunnel, or --public-url URL",
	},
	"in-use": {
		exit: "wrongUse",
		meaning: "another process keeps the position of the same subscription",
	},
	"taken-over": {
		exit: "unreachable",
		meaning: "another process has taken the subscription over (--steal)",
	},
	"nothing-heard": {
		exit: "tooQuiet",
		meaning: "no sign of life of the server for as long as --give-up-after",
	},
	terminated: {
		exit: "terminated",
		meaning: "the server ended the subscription",
	},
	bug: { exit: "bug", meaning: "a defect of mcp-events itself" },
} as const satisfies Record<string, CodeRow>;

export type FaultCode = keyof typeof rows;
export const FAULT_CODES: Readonly<Record<FaultCode, CodeRow>> = rows;
