// Flaws of deliveries: what is sent, how it is signed, how often, and what its cursor says.
import { generateKeyPairSync, randomUUID } from "node:crypto";
import {
	DELIVERY_LIMIT_BYTES,
	METHODS,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type { OutgoingDelivery } from "../webhooks/index.ts";
import {
	bendBody,
	deliveryFlaw,
	inPlaceOfEvent,
	onEnvelope,
	onEvent,
} from "./delivery-flaw.ts";
import type { Flaw, Hooks, Json } from "./flaw.ts";
import { onResult, resign } from "./hooks.ts";

const { id: ID, timestamp: TIMESTAMP, signature: SIGNATURE } = WEBHOOK_HEADERS;

const isRetry = ({ attempt }: OutgoingDelivery) => attempt > 1;

/** Of a type that went away or changed: all its subscriptions end, by every mode. */
const isOfType = ({ data }: Json) =>
	data?.kind === "event" || data?.reason === "schema_changed";

/** Sends again what was answered with a status after which nothing may be. */
const sendingAgainAfter = (refusal: number): Hooks => ({
	judge: (end, status) => (status === refusal ? "failed" : end),
});

export const DELIVERY: readonly Flaw[] = [
	deliveryFlaw(
		"deliveries-as-text",
		"delivery-post-json",
		"sends deliveries as text/plain",
		onEvent(({ headers }) => {
			headers["content-type"] = "text/plain";
		}),
	),
	deliveryFlaw(
		"timestamp-in-ms",
		"delivery-standard-webhooks-headers",
		"writes webhook-timestamp in milliseconds",
		onEvent((delivery) => {
			delivery.headers[TIMESTAMP] = `${delivery.headers[TIMESTAMP]}000`;
			resign(delivery);
		}),
	),
	deliveryFlaw(
		"other-subscription-id",
		"delivery-subscription-id-header",
		"names another subscription in X-MCP-Subscription-Id",
		onEvent(({ headers }) => {
			headers[WEBHOOK_HEADERS.subscriptionId] = "sub_of-somebody-else";
		}),
	),
	deliveryFlaw(
		"signs-other-bytes",
		"delivery-signature-formula",
		"signs the JSON of a delivery as it would be written with line breaks",
		onEvent(({ headers, body, sign }) => {
			const pretty = JSON.stringify(JSON.parse(body), null, 2);
			headers[SIGNATURE] = sign(
				headers[ID] ?? "",
				Number(headers[TIMESTAMP]),
				pretty,
			);
		}),
	),
	deliveryFlaw(
		"stale-retries",
		"delivery-retry-regenerates-signature",
		"sends retries with the timestamp and signature of the first attempt",
		() => {
			const first = new Map<string, OutgoingDelivery>();
			return onEvent((delivery) => {
				const key = `${delivery.subscriptionId} ${delivery.headers[ID]}`;
				const before = first.get(key);
				if (!before) first.set(key, delivery);
				else
					Object.assign(delivery, {
						headers: before.headers,
						body: before.body,
					});
			});
		},
	),
	deliveryFlaw(
		"new-secret-alone",
		"delivery-dual-sign-on-rotation",
		"signs with the newest secret alone",
		onEvent(({ headers }) => {
			headers[SIGNATURE] = headers[SIGNATURE]?.split(" ")[0] ?? "";
		}),
	),
	deliveryFlaw(
		"body-over-limit",
		"delivery-body-size",
		"sends the first event of each subscription with more than 256 KiB",
		() => {
			const begun = new Set<string>();
			return onEvent((delivery) => {
				if (begun.has(delivery.subscriptionId)) return;
				begun.add(delivery.subscriptionId);
				bendBody(delivery, (body) => {
					body._meta = { padding: "x".repeat(DELIVERY_LIMIT_BYTES) };
				});
			});
		},
	),
	deliveryFlaw(
		"retries-after-410",
		"delivery-410-non-retryable",
		"sends an event again that was answered 410",
		sendingAgainAfter(410),
	),
	deliveryFlaw(
		"retries-after-413",
		"delivery-413-non-retryable",
		"sends an event again that was answered 413",
		sendingAgainAfter(413),
	),
	deliveryFlaw(
		"retries-sevenfold",
		"delivery-retries-bounded",
		"sends each retry seven times",
		inPlaceOfEvent((delivery) =>
			isRetry(delivery) ? Array.from({ length: 7 }, () => delivery) : undefined,
		),
	),
	deliveryFlaw(
		"last-error-in-words",
		"delivery-status-last-error-category",
		"tells of the last failure in words of its own",
		onResult(METHODS.subscribe, ({ deliveryStatus }) => {
			if (deliveryStatus?.lastError)
				deliveryStatus.lastError = "HTTP 503 Service Unavailable";
		}),
	),
	deliveryFlaw(
		"always-throttled",
		"delivery-status-throttled",
		"says that deliveries are throttled which are not",
		onResult(METHODS.subscribe, ({ deliveryStatus }) => {
			if (deliveryStatus)
				Object.assign(deliveryStatus, { throttled: true, retryAfterMs: 1_000 });
		}),
	),
	deliveryFlaw(
		"key-in-delivery",
		"server-identity-key-discovery",
		"hands over the key of a v1a signature in the delivery that it signs",
		() => {
			const { publicKey } = generateKeyPairSync("ed25519");
			const jwk = publicKey.export({ format: "jwk" });
			return onEvent((delivery) => {
				bendBody(delivery, (body) => {
					body._meta = { jwk };
				});
				delivery.headers[SIGNATURE] += ` v1a,${"A".repeat(86)}==`;
			});
		},
	),
	deliveryFlaw(
		"undated-deliveries",
		"envelope-type-discriminator",
		"delivers events without their timestamp",
		onEvent((delivery) =>
			bendBody(delivery, (body) => {
				delete body.timestamp;
			}),
		),
	),
	deliveryFlaw(
		"envelopes-signed-wrongly",
		"envelope-signed-like-deliveries",
		"signs gap and terminated as if their bodies were empty",
		onEnvelope(({ headers, sign }) => {
			const at = Number(headers[TIMESTAMP]);
			headers[SIGNATURE] = sign(headers[ID] ?? "", at, "");
		}),
	),
	deliveryFlaw(
		"envelope-uuids",
		"envelope-webhook-id-format",
		"sends gap and terminated under a UUID",
		onEnvelope((delivery) => {
			delivery.headers[ID] = randomUUID();
			resign(delivery);
		}),
	),
	deliveryFlaw(
		"gap-without-cursor",
		"envelope-gap",
		"sends gap envelopes without a cursor",
		onEnvelope((delivery) => {
			if (delivery.kind === "gap")
				bendBody(delivery, (body) => {
					delete body.cursor;
				});
		}),
	),
	deliveryFlaw(
		"silent-ends",
		"envelope-terminated",
		"ends webhook subscriptions without a terminated envelope",
		{
			// Those that end with their event type are for a rule of push.
			delivery: ({ kind, body }) =>
				kind === "terminated" && !isOfType(JSON.parse(body).error)
					? []
					: undefined,
		},
	),
	deliveryFlaw(
		"id-per-attempt",
		"delivery-webhook-id",
		"gives each retry a webhook-id of its own",
		onEvent((delivery) => {
			if (!isRetry(delivery)) return;
			delivery.headers[ID] += `-${delivery.attempt}`;
			resign(delivery);
		}),
	),
	deliveryFlaw(
		"event-id-per-attempt",
		"event-id-stable",
		"gives each retry an eventId of its own",
		onEvent((delivery) => {
			if (isRetry(delivery))
				bendBody(delivery, (body) => {
					body.eventId += `-${delivery.attempt}`;
				});
		}),
	),
];
