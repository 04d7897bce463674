// Rows of delivery about the requests, their signatures and their retries (events.md 6, Deliveries).
import { type CatalogueRow, rowsOf } from "./row.ts";

export const deliveryRequestsRows: readonly CatalogueRow[] = rowsOf(
	"events-webhook-delivery",
	[
		{
			id: "delivery-post-json",
			level: "wire",
			section: "deliveries",
			requirement:
				"Deliveries are POST requests with content type application/json.",
			how: "Check method and content type of every request the receiver recorded on the main path, redirect answers excluded.",
		},
		{
			id: "delivery-standard-webhooks-headers",
			level: "must",
			section: "deliveries",
			requirement:
				"Every delivery has webhook-id, webhook-timestamp (Unix seconds) and webhook-signature.",
			how: "Check for the three headers on each recorded request.",
		},
		{
			id: "delivery-subscription-id-header",
			level: "must",
			section: "deliveries",
			requirement:
				"Every delivery names its subscription in X-MCP-Subscription-Id, the only MCP-specific header.",
			how: "Compare with the id from the subscribe answer.",
		},
		{
			id: "delivery-signature-formula",
			level: "wire",
			section: "signatures",
			requirement:
				"The signature is v1, plus base64 of HMAC-SHA256 over id, timestamp and raw body joined by dots, keyed with the bytes decoded from the secret after its prefix.",
			how: "Recompute it over the bytes as received, of events and of envelopes alike; one of the space-separated signatures must match.",
		},
		{
			id: "delivery-retry-regenerates-signature",
			level: "must",
			section: "signatures",
			requirement: "Each retry carries a new timestamp and a new signature.",
			how: "Answer 503 twice on one path, group attempts by webhook-id, and compare timestamps of attempts at least 1 s apart.",
		},
		{
			id: "delivery-dual-sign-on-rotation",
			level: "should",
			section: "signatures",
			requirement:
				"After a secret change the server signs with both old and new secret for a short while.",
			how: "Refresh with a new secret while events flow: the first event that the new secret signs must be signed by the old one, too.",
			needs: [{ kind: "traffic", name: "a steady event source" }],
		},
		{
			id: "delivery-body-size",
			level: "should",
			section: "deliveries",
			requirement: "Bodies stay at or below 256 KiB.",
			how: "Measure the raw bytes of each delivery.",
			turned: {
				chatgpt:
					"256 KiB is a limit: more is refused, so a larger body is a failure",
			},
		},
		{
			id: "delivery-413-non-retryable",
			level: "must",
			section: "deliveries",
			requirement: "A 413 answer ends the attempts for that event.",
			how: "Answer 413 to the first three events of one path, wait longer than a delivery that is answered 503 takes to come again, and count. Where nothing is retried, nothing is proved.",
		},
		{
			id: "delivery-410-non-retryable",
			level: "must",
			section: "deliveries",
			requirement:
				"A 410 answer ends the attempts for that delivery and leaves the subscription alone.",
			how: "Answer 410 to the first three events of one path, wait longer than a delivery that is answered 503 takes to come again, count, and see later events come through.",
		},
		{
			id: "delivery-retries-bounded",
			level: "should",
			section: "deliveries",
			requirement:
				"Retries stop after a limited number of attempts and a limited time.",
			how: "Answer 503 for ever and count the attempts at one event in the settle window: more than six are too many.",
		},
		{
			id: "delivery-status-last-error-category",
			level: "must",
			section: "deliveries",
			requirement:
				"lastError is one of the fixed categories and never holds anything the endpoint said.",
			how: "Answer 503 with words of our own, refresh, and read deliveryStatus, which is optional.",
			needs: [
				{
					kind: "feature",
					name: "a server that sends deliveryStatus and a failing callback",
				},
			],
		},
		{
			id: "server-identity-key-discovery",
			level: "must",
			section: "signatures",
			requirement:
				"A key for the optional asymmetric signature comes from an origin the client already trusts and never from a challenge or delivery.",
			how: "If v1a, signatures appear, look for the key document on the server origin and check that no body carries a key.",
		},
		{
			id: "payload-minimality",
			level: "should",
			section: "occurrences",
			requirement:
				"A payload holds enough to recognise and sort the event, not its full content.",
			how: "A judgement rather than a probe; delivery-body-size measures the part that can be seen.",
		},
		{
			id: "delivery-cursor-safe-watermark",
			level: "wire",
			section: "deliveries",
			requirement:
				"The cursor of a delivery never runs ahead of an event that is neither acknowledged nor given up.",
			how: "Never take event N, take the next one, and begin a new subscription at its cursor: event N must come there.",
			needs: [
				{
					kind: "traffic",
					name: "several events of a webhook type with replay",
				},
			],
		},
		{
			id: "delivery-cursor-after-exhaustion",
			level: "wire",
			section: "deliveries",
			requirement:
				"An event whose retries are used up no longer holds the cursor back.",
			how: "Never take one event, and see the cursor of later ones move on once no attempt follows. Retries that take minutes leave it untried.",
			needs: [
				{
					kind: "traffic",
					name: "several events of a webhook type with replay",
				},
			],
		},
		{
			id: "delivery-webhook-id",
			level: "wire",
			section: "deliveries",
			requirement:
				"webhook-id of an event is an id of the message, kept over its retries and different from message to message.",
			how: "Compare the ids of all deliveries and attempts with each other and with their eventIds.",
			turned: {
				chatgpt: "webhook-id is the eventId",
				sketch: "webhook-id is the eventId",
			},
		},
		{
			id: "event-id-stable",
			level: "must",
			section: "occurrences",
			requirement:
				"The same event has the same eventId in every attempt of its delivery.",
			how: "Fail the first attempts of an event and compare the bodies.",
			needs: [{ kind: "traffic", name: "an event of a webhook type" }],
		},
		{
			id: "resume-exactly-once",
			level: "wire",
			section: "cursors and gaps",
			requirement:
				"A subscription that is made with the cursor of event N is delivered N+1 and the rest.",
			how: "Unsubscribe after event N, subscribe anew at its cursor, and compare with what another subscription to the same events was sent.",
			needs: [
				{
					kind: "traffic",
					name: "several events of a webhook type with replay",
				},
			],
		},
		{
			id: "refresh-cursor-resumes",
			level: "wire",
			section: "cursors and gaps",
			requirement: "The cursor of a refresh answer can be resumed from.",
			how: "Subscribe anew with the cursor of a refresh answer, and expect what happens from then on.",
		},
		{
			id: "delivery-status-throttled",
			level: "wire",
			section: "deliveries",
			requirement:
				"throttled and retryAfterMs stand in deliveryStatus only where deliveries are delayed.",
			how: "Look at deliveryStatus of refreshes while everything is delivered at once.",
		},
	],
);
