// Rules about every request that came, whatever it was sent for (events.md 6, Deliveries and Signatures).
import {
	DELIVERY_LIMIT_BYTES,
	isInstant,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import {
	broken,
	type Finding,
	harmful,
	holds,
	untestable,
} from "../finding.ts";
import {
	type CallbackRequest,
	headerOf,
	isEnvelope,
	isEvent,
	webhookIdOf,
} from "../receiving/callback-request.ts";
import type { Check } from "../scenario.ts";
import { noEnvelope } from "./envelopes.ts";
import { isTaken, judgeMessageIds } from "./message-ids.ts";
import {
	judgeEnvelopes,
	judgeSignatures,
	judgeSubscription,
	SIGNED_HEADERS,
} from "./signed-requests.ts";
import { deliveryRow, noEvent, type Probe, type Stage } from "./stage.ts";

/** After all else, so that everything that came is looked at. */
const LATE = { phase: "closing" } as const;

const rule = (
	id: string,
	judge: (stage: Stage, context: GradeContext) => Finding,
	more: { needsNoEvent?: boolean } = {},
) =>
	deliveryRow(id, async (context, stage) => judge(stage, context), {
		...LATE,
		...more,
	});

export const requestChecks: Check<Stage>[] = [
	rule("delivery-post-json", judgeForm),
	rule("delivery-standard-webhooks-headers", judgeHeaders),
	rule("delivery-subscription-id-header", ({ probes }) =>
		judgeSubscription(probes),
	),
	rule("delivery-signature-formula", ({ probes }) =>
		judgeSignatures(probes, isEvent, noEvent()),
	),
	rule("delivery-body-size", judgeSize),
	rule("envelope-type-discriminator", judgeTypes),
	rule("envelope-signed-like-deliveries", judgeEnvelopes, {
		needsNoEvent: true,
	}),
	rule("envelope-webhook-id-format", judgeEnvelopeIds, { needsNoEvent: true }),
	rule("delivery-webhook-id", judgeMessageIds),
];

/** What was opened, as far as a rule about every request looks at it. */
export interface Paths {
	probes: readonly Pick<Probe, "path">[];
}

export const requestsOf = (probes: Paths["probes"]) =>
	probes.flatMap(({ path }) => path.requests);

export function judgeForm({ probes }: Paths): Finding {
	const all = requestsOf(probes);
	const type = (request: CallbackRequest) => headerOf(request, "content-type");
	const wrong = all.find(
		(request) =>
			request.method !== "POST" ||
			!/^application\/json\s*(;|$)/i.test(type(request) ?? ""),
	);
	return wrong
		? broken(
				`${wrong.method} with the content type ${JSON.stringify(type(wrong))}`,
				wrong,
			)
		: holds(`all ${all.length} requests are POSTs of JSON`, ...all.slice(0, 3));
}

/** Clocks may differ by what a receiver tolerates. */
const MOST_SKEW_MS = 300_000;

export function judgeHeaders({ probes }: Paths): Finding {
	const events = requestsOf(probes).filter(isEvent);
	for (const event of events) {
		const missing = SIGNED_HEADERS.filter((name) => !headerOf(event, name));
		if (missing.length > 0)
			return broken(`${missing.join(" and ")} missing`, event);
		const timestamp = headerOf(event, WEBHOOK_HEADERS.timestamp) ?? "";
		const skewMs = Math.abs(Number(timestamp) * 1_000 - event.atMs);
		if (!/^\d{1,12}$/.test(timestamp) || skewMs > MOST_SKEW_MS)
			return broken(
				`webhook-timestamp is ${JSON.stringify(timestamp)}, and no Unix seconds of about now`,
				event,
			);
	}
	return holds(`all three on ${events.length} events`, ...events.slice(0, 3));
}

function judgeSize({ probes }: Stage, { profile }: GradeContext): Finding {
	const all = requestsOf(probes);
	const largest = all.reduce<CallbackRequest | undefined>(
		(most, request) => (most && most.bytes >= request.bytes ? most : request),
		undefined,
	);
	if (!largest) return noEvent();
	if (largest.bytes <= DELIVERY_LIMIT_BYTES)
		return holds(`the largest has ${largest.bytes} bytes`, largest);
	const found = `a body has ${largest.bytes} bytes, ${DELIVERY_LIMIT_BYTES} are the most`;
	return profile === "chatgpt"
		? harmful(found, largest)
		: broken(found, largest);
}

export function judgeTypes({ probes }: Paths): Finding {
	const all = requestsOf(probes);
	const typeless = all.filter(isEvent);
	const wrong = typeless.find(
		({ json }) => !isInstant(String(json?.timestamp)),
	);
	if (wrong)
		return broken(
			`a body without type has the timestamp ${JSON.stringify(wrong.json?.timestamp)}: it is no occurrence`,
			wrong,
		);
	const masked = all.find(
		(request) => isEnvelope(request) && request.json?.eventId !== undefined,
	);
	if (masked)
		return broken(`an occurrence has a top-level type, ${masked.kind}`, masked);
	return holds(
		`${typeless.length} occurrences without type, ${all.filter(isEnvelope).length} envelopes with one`,
		...typeless.slice(0, 2),
		...all.filter(isEnvelope).slice(0, 2),
	);
}

export function judgeEnvelopeIds({ probes }: Paths): Finding {
	const envelopes = requestsOf(probes).filter(isEnvelope);
	if (envelopes.length === 0) return noEnvelope();
	const named = envelopes.filter((envelope) => webhookIdOf(envelope));
	if (named.length === 0)
		return untestable(
			{ kind: "traffic", name: "an envelope with a webhook-id" },
			"none has one; envelope-signed-like-deliveries tells of it",
			...envelopes.slice(0, 2),
		);
	const wrong = named.find((envelope) => {
		const id = webhookIdOf(envelope) ?? "";
		const start = `msg_${envelope.kind}_`;
		return !id.startsWith(start) || id.length <= start.length;
	});
	if (wrong)
		return broken(
			`a ${wrong.kind} has the webhook-id ${JSON.stringify(webhookIdOf(wrong))}`,
			wrong,
		);
	const twins = findTwins(named);
	return twins
		? broken(
				`two envelopes that differ have the webhook-id ${JSON.stringify(webhookIdOf(twins[0]))}: a receiver takes the second for a repeat`,
				...twins,
			)
		: holds(
				`as it should be on ${named.length} envelopes`,
				...named.slice(0, 3),
			);
}

/** Two that bear one id and say different things, the first of them taken: the other is no retry of it. */
function findTwins(
	envelopes: readonly CallbackRequest[],
): [CallbackRequest, CallbackRequest] | undefined {
	const seen = new Map<unknown, CallbackRequest>();
	for (const envelope of envelopes) {
		const first = seen.get(webhookIdOf(envelope));
		if (!first || !isTaken(first)) seen.set(webhookIdOf(envelope), envelope);
		else if (JSON.stringify(first.json) !== JSON.stringify(envelope.json))
			return [first, envelope];
	}
	return undefined;
}
