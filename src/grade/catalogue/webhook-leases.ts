// Rows of webhook about leases, access, errors and headers (events.md 6 and 7).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const webhookLeasesRows: readonly CatalogueRow[] = rowsOf(
	"events-webhook",
	[
		{
			id: "ttl-refresh-before-lte-suggestion",
			level: "should",
			section: "leases",
			requirement:
				"The lease granted in refreshBefore is no longer than the ttlMs suggested, apart from a floor for very short suggestions.",
			how: "Suggest one hour and compare the granted time with now plus one hour plus one minute of slack.",
		},
		{
			id: "ttl-no-rejection-path",
			level: "wire",
			section: "leases",
			requirement:
				"A lease suggestion is never refused: the server clamps it and the client reads what it got.",
			how: "Subscribe with 1000 ms, 30 days and null, releasing in between.",
		},
		{
			id: "ttl-null-only-when-requested",
			level: "must",
			section: "leases",
			requirement:
				"refreshBefore null (no expiry) is granted only to a client that sent ttlMs null.",
			how: "Read the grant given to the one-hour suggestion.",
		},
		{
			id: "ttl-omitted-means-default",
			level: "wire",
			section: "leases",
			requirement:
				"Leaving ttlMs out asks for the server's default, while an explicit null asks for no expiry.",
			how: "Subscribe without ttlMs.",
		},
		{
			id: "ttl-long-grant-retained",
			level: "must",
			section: "leases",
			requirement:
				"A subscription with a long lease survives restarts for as long as it was granted.",
			how: "Subscribe with one day, restart through the control, reconnect, and read the state by id.",
			needs: [
				{ kind: "control", name: "events_conformance_restart" },
				{ kind: "control", name: "events_conformance_generation" },
				{ kind: "control", name: "events_conformance_subscription_state" },
			],
		},
		{
			id: "ttl-no-expiry-persisted",
			level: "must",
			section: "leases",
			requirement:
				"A subscription granted without expiry is stored so that it outlives a restart.",
			how: "Subscribe with ttlMs null, restart, read the state by id.",
			needs: [
				{ kind: "control", name: "events_conformance_restart" },
				{ kind: "control", name: "events_conformance_generation" },
				{ kind: "control", name: "events_conformance_subscription_state" },
			],
		},
		{
			id: "ttl-no-expiry-gc-terminated",
			level: "should",
			section: "leases",
			requirement:
				"A server that gives up on an endless subscription after lasting delivery failure tries to send a terminated envelope.",
			how: "Fail the events of the no-expiry subscription, take its envelopes, poll its state for some seconds, and look for the last word once it is gone.",
			needs: [
				{ kind: "control", name: "events_conformance_restart" },
				{ kind: "control", name: "events_conformance_generation" },
				{ kind: "control", name: "events_conformance_subscription_state" },
				{
					kind: "traffic",
					name: "a server that gives up on a failing callback within seconds",
				},
			],
			profiles: ["final", "sketch"],
		},
		{
			id: "error-unsupported",
			level: "wire",
			section: "errors",
			requirement:
				"A well-formed request for an option not offered here is answered with Unsupported (-32026; sketch -32014), with data saying which.",
			how: "Subscribe by webhook to a type whose delivery list lacks webhook.",
			needs: [{ kind: "traffic", name: "an event type without webhook" }],
			turned: {
				sketch:
					"the codes -32011 to -32015 of the older sketch are the right ones",
				chatgpt: "the code of either numbering is taken",
			},
		},
		{
			id: "error-forbidden",
			level: "wire",
			section: "errors",
			requirement:
				"A principal that may not have this event with these arguments, or no longer may, gets Forbidden (-32024; sketch -32012).",
			how: "Call as a second principal that may not have it, or as the first once a control has taken it away.",
			needs: [
				{
					kind: "credential",
					name: "--second-principal-header 'K: V' of one that may not have an event type (or the control events_conformance_access)",
				},
			],
			turned: {
				sketch:
					"the codes -32011 to -32015 of the older sketch are the right ones",
				chatgpt: "the code of either numbering is taken",
			},
		},
		{
			id: "authz-subscribe-time",
			level: "must",
			section: "access",
			requirement:
				"When the caller is authenticated, the server checks at subscribe time that it may have this event type with these arguments.",
			how: "Subscribe, poll and stream as an allowed and as a denied principal, or before and after a control takes the type away, and compare.",
			needs: [
				{
					kind: "credential",
					name: "--second-principal-header 'K: V' of one that may not have an event type (or the control events_conformance_access)",
				},
			],
		},
		{
			id: "result-type-complete",
			level: "must",
			section: "messages",
			requirement:
				"Every result of events/subscribe and events/unsubscribe carries resultType with the value complete.",
			how: "Look at resultType on the successful results of the run.",
			profiles: ["final"],
		},
		{
			id: "mcp-name-missing-rejected",
			level: "must",
			section: "routing headers",
			requirement:
				"On Streamable HTTP an events/subscribe or events/unsubscribe without an Mcp-Name header is refused with HTTP 400 and JSON-RPC -32020.",
			how: "Send otherwise valid requests by hand without the header.",
			transport: "http",
			profiles: ["final"],
		},
		{
			id: "mcp-name-mismatch-rejected",
			level: "must",
			section: "routing headers",
			requirement:
				"On Streamable HTTP an events/subscribe or events/unsubscribe whose Mcp-Name differs from params.name is refused with HTTP 400 and JSON-RPC -32020.",
			how: "Send valid requests with the header naming another event type.",
			transport: "http",
			profiles: ["final", "chatgpt"],
		},
		{
			id: "ttl-refresh-regrants",
			level: "wire",
			section: "leases",
			requirement:
				"A refresh grants the lease anew: longer, shorter, or finite where it was endless.",
			how: "Refresh with longer and shorter ttlMs and compare refreshBefore.",
		},
		{
			id: "subscribe-lapsed-uses-cursor",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A subscription that lapsed is created anew from the cursor that is sent; for a live one that cursor changes nothing.",
			how: "Let a short lease run out and subscribe with an earlier cursor; send an earlier cursor to a live one too.",
			needs: [
				{
					kind: "traffic",
					name: "a webhook type with replay and a short lease",
				},
			],
		},
		{
			id: "subscribe-max-age-ms",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"maxAgeMs limits the replay of a webhook subscription too, and truncated in the answer tells of what was passed over.",
			how: "Subscribe with an early cursor and a small maxAgeMs.",
			needs: [
				{ kind: "traffic", name: "history of a webhook type with replay" },
			],
		},
		{
			id: "webhook-needs-principals",
			level: "must",
			section: "access",
			requirement: "A server that knows no principals lists no webhook.",
			how: "Ask for the catalogue without a credential: where that is answered, webhook methods must be refused.",
		},
	],
);
