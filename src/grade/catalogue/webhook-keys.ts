// Rows of webhook about subscribing and unsubscribing (events.md 6).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const webhookKeysRows: readonly CatalogueRow[] = rowsOf(
	"events-webhook",
	[
		{
			id: "subscribe-webhook-only",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"events/subscribe exists for webhook delivery alone; poll and push need no such call.",
			how: "Send one well-formed subscribe for a webhook type and hold it for the later rows.",
		},
		{
			id: "subscribe-secret-required",
			level: "must",
			section: "events/subscribe",
			requirement:
				"delivery.secret has to be supplied by the client, and the server never makes one up.",
			how: "Subscribe without it.",
		},
		{
			id: "subscribe-secret-format",
			level: "must",
			section: "events/subscribe",
			requirement:
				"The secret is whsec_ followed by base64 of 24 to 64 random bytes.",
			how: "Subscribe with a string that lacks the prefix, and with right ones of 24 and 64 bytes.",
		},
		{
			id: "subscribe-secret-rejected",
			level: "must",
			section: "events/subscribe",
			requirement:
				"A secret that does not decode to 24 to 64 bytes after the prefix is refused with InvalidParams.",
			how: "Subscribe with whsec_ plus 8 encoded bytes; add 23, 65 and non-base64 probes.",
		},
		{
			id: "subscribe-url-https-required",
			level: "must",
			section: "events/subscribe",
			requirement: "Callback URLs use https.",
			how: "Subscribe with an http URL on a name that never resolves, and see whether it is taken.",
		},
		{
			id: "subscribe-url-non-https-rejected",
			level: "must",
			section: "events/subscribe",
			requirement:
				"A subscribe whose delivery.url is not https is refused with InvalidParams.",
			how: "Look at the error for that URL, and for ftp and ws ones.",
		},
		{
			id: "subscribe-auth-required",
			level: "must",
			section: "events/subscribe",
			requirement:
				"Subscribe and unsubscribe need an authenticated principal; without one the server answers Forbidden (-32024; sketch -32012).",
			how: "Make the same two calls with the credential removed; HTTP 401 is as good an answer as Forbidden.",
			needs: [
				{
					kind: "credential",
					name: "credentials for the server: --header or --bearer-env",
				},
			],
			turned: {
				sketch:
					"the codes -32011 to -32015 of the older sketch are the right ones",
			},
		},
		{
			id: "subscribe-key-composition",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"The identity of a webhook subscription is the combination of principal, callback URL, event name and arguments, with arguments compared as canonical JSON.",
			how: "Vary the URL, the name and the arguments one at a time: each has an id of its own; the same arguments in another order have the same id.",
		},
		{
			id: "subscribe-key-immutable",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"A subscribe that changes any part of the key addresses another subscription and never alters the old one.",
			how: "After a subscribe that differs in its URL alone, the first key still has its id, its state and its deliveries.",
		},
		{
			id: "subscribe-idempotent-upsert",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"Subscribing again with the same key renews the lease and the changeable fields of the one existing subscription.",
			how: "Repeat the first subscribe with a new secret and compare ids.",
		},
		{
			id: "subscribe-id-derived",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"The answer has an id computed from the key, the same after refreshes and restarts.",
			how: "Check for a non-empty string; with the restart control, subscribe again afterwards and compare.",
		},
		{
			id: "subscribe-id-not-an-input",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"The id is only a routing handle: no method accepts it as a way to address a subscription.",
			how: "Subscribe, and then unsubscribe, with another URL and the first id as an extra param.",
		},
		{
			id: "subscribe-refresh-replaces-secret",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"A refresh replaces the stored secret by the one it carries.",
			how: "Refresh with a new secret, then check the signature of the next delivery with it.",
			needs: [{ kind: "feature", name: "a callback that receives deliveries" }],
		},
		{
			id: "subscribe-refresh-reactivates",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"A refresh makes a suspended subscription active again and pending events are retried.",
			how: "Fail deliveries until suspension, refresh, and see deliveries return.",
			needs: [
				{ kind: "control", name: "events_conformance_subscription_state" },
				{
					kind: "feature",
					name: "deliveries that fail until they are suspended",
				},
			],
		},
		{
			id: "subscribe-response-cursor",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"The subscribe answer carries a cursor that is safe to store, so the position moves on even when nothing is delivered.",
			how: "Type-check it: string, null or absent.",
		},
		{
			id: "subscribe-response-truncated",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"The subscribe answer says in truncated whether delivery starts later than the cursor asked for.",
			how: "Type-check: boolean or absent.",
		},
		{
			id: "subscribe-cross-tenant-isolation",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"Two principals that subscribe to the same name, arguments and URL hold two separate subscriptions.",
			how: "Let the control register the same name and URL for another principal, compare ids, then unsubscribe one's own and check that the other still exists.",
			needs: [
				{ kind: "control", name: "events_conformance_subscribe_as" },
				{ kind: "control", name: "events_conformance_subscription_exists" },
			],
		},
		{
			id: "unsubscribe-by-key",
			level: "wire",
			section: "events/unsubscribe",
			requirement:
				"events/unsubscribe finds the subscription by the same key as subscribe and ends it at once.",
			how: "Unsubscribe the scenario's main subscription by name, arguments and URL.",
		},
		{
			id: "unsubscribe-unknown-not-found",
			level: "wire",
			section: "events/unsubscribe",
			requirement:
				"Unsubscribing a key the server does not hold is answered with NotFound.",
			how: "Unsubscribe with a URL never used.",
			turned: {
				chatgpt: "an unsubscribe of nothing is answered with an empty result",
			},
		},
		{
			id: "unsubscribe-result-empty",
			level: "wire",
			section: "events/unsubscribe",
			requirement:
				"The result of events/unsubscribe is empty: only resultType and _meta may stand in it.",
			how: "Look for other members in the results of the run.",
		},
		{
			id: "subscribe-after-termination",
			level: "wire",
			section: "events/subscribe",
			requirement:
				"A refresh after the end of a subscription is a fresh subscribe, and is refused while the cause remains.",
			how: "End the subscription by the control, subscribe with the same key, and see a live subscription of the same id.",
			needs: [
				{ kind: "control", name: "events_conformance_webhook_terminate" },
			],
		},
	],
);
