// What is wrong with each foreign server, row by row, with the reason why it is true of that server. Nothing else may be
// found of it, and all of this must be.

/** By `scenario/id`: the verdict, and what the server does. */
export type Findings = Readonly<
	Record<string, readonly ["FAILURE" | "WARNING", string]>
>;

/** sdk-feed.mjs, whatever SDK carries it. */
const FEED: Findings = {
	"events-poll/poll-invalid-arguments": [
		"FAILURE",
		"additionalProperties is false, and a property of no schema is taken",
	],
	"events-poll/error-invalid-params": [
		"FAILURE",
		"verbatim.case never looks at arguments: a text in their place is taken",
	],
	"events-poll/cursor-null-starts-from-now": [
		"FAILURE",
		"a null cursor gives place 0, before all there is",
	],
	"events-poll/max-age-ms-floor": ["FAILURE", "maxAgeMs is not read"],
	"events-push/stream-max-age-ms": ["FAILURE", "maxAgeMs is not read"],
};

/** Where no routing header can say that the name is missing. */
const NAMELESS: Findings = {
	"events-poll/poll-one-subscription-per-request": [
		"WARNING",
		"a poll without a name is NotFound, for a type called undefined",
	],
};

/** The raw servers. */
const RAW: Findings = {
	...NAMELESS,
	"events-poll/poll-invalid-arguments": [
		"FAILURE",
		"a step that is no integer is taken",
	],
	"events-poll/error-invalid-params": [
		"FAILURE",
		"arguments that are a text are taken",
	],
	"events-poll/cursor-null-starts-from-now": [
		"FAILURE",
		"a null cursor gives place 0, before all there is",
	],
	"events-poll/max-age-ms-floor": ["FAILURE", "maxAgeMs is not read"],
	"events-push/stream-max-age-ms": ["FAILURE", "maxAgeMs is not read"],
	"events-push/stream-mode-unsupported": [
		"FAILURE",
		"counter.tick lists poll alone, and is streamed",
	],
};

/** No server of these looks at Mcp-Name. */
const headless = (...scenarios: string[]): Findings =>
	Object.fromEntries(
		scenarios.flatMap((scenario) => [
			[
				`${scenario}/mcp-name-missing-rejected`,
				["FAILURE", "Mcp-Name is not looked at"],
			],
			[
				`${scenario}/mcp-name-mismatch-rejected`,
				["FAILURE", "Mcp-Name is not looked at"],
			],
		]),
	);

const RULES: Findings = {
	"events-poll/poll-implemented": [
		"FAILURE",
		"orders.polled lists poll, and there is no events/poll",
	],
	"events-webhook-delivery/ssrf-reject-non-routable": [
		"WARNING",
		"addresses of this machine and of private networks are taken, though never called",
	],
};

/** webhook-sender.ts and load/webhooks.mjs, that are alike in these. */
const SENDERS: Findings = {
	...headless("events-webhook"),
	"events-webhook/subscribe-secret-format": [
		"FAILURE",
		"standardwebhooks takes a secret without whsec_, and so does the server",
	],
	"events-webhook/subscribe-secret-rejected": [
		"FAILURE",
		"standardwebhooks takes a secret of 8 bytes, and so does the server",
	],
	"events-webhook/subscribe-key-composition": [
		"FAILURE",
		"the key is the URL alone: other arguments have the same id",
	],
	"events-webhook/subscribe-max-age-ms": ["FAILURE", "maxAgeMs is not read"],
	"events-webhook-delivery/delivery-retries-bounded": [
		"WARNING",
		"an event is sent until it is taken, without an end and without backoff",
	],
	"events-webhook-delivery/ssrf-reject-non-routable": [
		"FAILURE",
		"fetch goes wherever the URL leads, loopback too",
	],
	"events-webhook-delivery/envelope-webhook-id-format": [
		"WARNING",
		"every challenge is called msg_verification_1: nothing in it is random",
	],
};

const ECHO: Findings = {
	"events-discovery/list-implemented": [
		"FAILURE",
		"every question is answered by a copy of it, without events",
	],
};

const COMMENTS =
	"it keeps the connection open by comment lines, beside heartbeats";

export const FINDINGS: Readonly<Record<string, Findings>> = {
	"server 2.x over HTTP": {
		...FEED,
		"events-push/stream-heartbeat-not-sse-comment": [
			"WARNING",
			`${COMMENTS}: the SDK's keepAliveMs is not 0`,
		],
	},
	"server 2.x over stdio": { ...FEED, ...NAMELESS },
	"sdk 1.x over HTTP": {
		...FEED,
		...NAMELESS,
		"events-push/stream-subscription-id-meta": [
			"FAILURE",
			"notifications on a stream have an empty _meta",
		],
	},
	"sdk 1.x over stdio": { ...FEED, ...NAMELESS },
	"bare node:http": { ...RAW, ...headless("events-poll", "events-push") },
	"bare node:http, odd in every way that is legal": {
		...RAW,
		...headless("events-poll", "events-push"),
		"events-push/stream-heartbeat-not-sse-comment": ["WARNING", COMMENTS],
	},
	"bare node:http, as the sketch had it": {
		...RAW,
		"events-poll/poll-next-poll-ms": ["WARNING", "nextPollMs is left out"],
	},
	"bare stdio": {
		...RAW,
		"events-poll/cursor-unservable-is-gap": [
			"FAILURE",
			"a cursor that is no number is answered with the cursor NaN, as if nothing were wrong",
		],
	},
	"push alone over stdio": {},
	"webhook subscriptions over HTTP": {
		...RULES,
		"events-webhook/subscribe-auth-required": [
			"FAILURE",
			"it looks at nobody's credential",
		],
	},
	"webhook subscriptions over stdio": RULES,
	"webhooks signed by standardwebhooks": {
		...SENDERS,
		"events-webhook/subscribe-auth-required": [
			"FAILURE",
			"it looks at nobody's credential",
		],
		"events-webhook-delivery/delivery-410-non-retryable": [
			"FAILURE",
			"whatever is not 2xx is sent again",
		],
		"events-webhook-delivery/delivery-413-non-retryable": [
			"FAILURE",
			"whatever is not 2xx is sent again",
		],
	},
	"a log by poll, push and webhook": {
		...SENDERS,
		...headless("events-poll", "events-push"),
		"events-discovery/error-not-found": [
			"FAILURE",
			"names are not looked at: any is a tick",
		],
		"events-poll/poll-errors-are-jsonrpc": [
			"FAILURE",
			"names are not looked at: an unknown one is polled",
		],
		"events-poll/poll-one-subscription-per-request": [
			"FAILURE",
			"names are not looked at: a poll without one is served",
		],
		"events-poll/error-invalid-params": [
			"FAILURE",
			"arguments are not looked at: a text is taken",
		],
		"events-poll/max-age-ms-floor": ["FAILURE", "maxAgeMs is not read"],
		"events-push/stream-error-before-open": [
			"FAILURE",
			"names are not looked at: an unknown one is streamed",
		],
		"events-push/stream-max-age-ms": ["FAILURE", "maxAgeMs is not read"],
		"events-webhook/subscribe-secret-required": [
			"WARNING",
			"without a secret the challenge fails, and that is what the error says",
		],
		"events-webhook/subscribe-url-non-https-rejected": [
			"WARNING",
			"a callback that is no https is called, and only its failure refused",
		],
		"events-webhook/unsubscribe-unknown-not-found": [
			"FAILURE",
			"an unsubscribe of nothing is answered with {}",
		],
		"events-webhook/webhook-needs-principals": [
			"FAILURE",
			"webhook is listed and served without any credential",
		],
		"events-webhook-delivery/delivery-dual-sign-on-rotation": [
			"WARNING",
			"a new secret replaces the old one at once",
		],
		"events-webhook-delivery/ssrf-validate-callback-url": [
			"FAILURE",
			"plain http is called",
		],
	},
	"an echo of 2026-07-28 over stdio": ECHO,
	"an echo of initialize over stdio": ECHO,
};
