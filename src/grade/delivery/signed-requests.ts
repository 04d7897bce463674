// Whose a request is, and whether it is signed with the secret of that subscription (events.md 6, Signature).
import { WEBHOOK_HEADERS } from "../../protocol/index.ts";
import { broken, type Finding, holds } from "../finding.ts";
import {
	type CallbackRequest,
	headerOf,
	isEnvelope,
} from "../receiving/callback-request.ts";
import { noEnvelope } from "./envelopes.ts";
import { isSignedWith } from "./signatures.ts";
import { noEvent, type Probe, type Stage } from "./stage.ts";

/** Those that a signature is made of. */
export const SIGNED_HEADERS = [
	WEBHOOK_HEADERS.id,
	WEBHOOK_HEADERS.timestamp,
	WEBHOOK_HEADERS.signature,
];

/** Each event names the subscription whose path it came to. */
export function judgeSubscription(probes: readonly Probe[]): Finding {
	const told = probes.filter(
		({ sub, isShared }) => sub.id !== undefined && !isShared,
	);
	let count = 0;
	for (const { path, sub } of told)
		for (const request of path.events) {
			count++;
			const id = headerOf(request, WEBHOOK_HEADERS.subscriptionId);
			if (id !== sub.id)
				return broken(
					`X-MCP-Subscription-Id is ${JSON.stringify(id)} in place of ${JSON.stringify(sub.id)}`,
					sub.answer,
					request,
				);
		}
	if (count === 0) return noEvent();
	return holds(
		`each of ${count} names the id of its subscription`,
		...told.flatMap(({ path }) => path.events).slice(0, 1),
	);
}

/** Of the requests that fit; `none` where there are none. Headers that are not there are for another row; what another principal's secret signed cannot be looked at. */
export function judgeSignatures(
	probes: readonly Probe[],
	fits: (request: CallbackRequest) => boolean,
	none: Finding,
): Finding {
	const signed = probes.flatMap(({ path, secrets, sub, isShared }) =>
		path.requests
			.filter(fits)
			.filter((request) => !isShared || isOwn(request, sub.id))
			.filter(hasSignature)
			.map((request) => ({ request, secrets })),
	);
	if (signed.length === 0) return none;
	const wrong = signed.filter(
		({ request, secrets }) => !isSignedWith(request, secrets),
	);
	const [first] = wrong;
	return first
		? broken(
				`${wrong.length} of ${signed.length} do not verify with the secret that was sent`,
				first.request,
			)
		: holds(
				`all ${signed.length} verify over the bytes as they came`,
				...signed.slice(0, 3).map(({ request }) => request),
			);
}

const hasSignature = (request: CallbackRequest) =>
	SIGNED_HEADERS.every((name) => headerOf(request, name));

/** At a URL that two principals share, the header tells whose a request is. */
function isOwn(request: CallbackRequest, id: string | undefined): boolean {
	const named = headerOf(request, WEBHOOK_HEADERS.subscriptionId);
	return id === undefined || named === undefined || named === id;
}

/** Every envelope, those of controls too, is signed and headed like a delivery. */
export function judgeEnvelopes({ probes }: Stage): Finding {
	const envelopes = probes.flatMap(({ path }) =>
		path.requests.filter(isEnvelope),
	);
	const bare = envelopes.find((envelope) => !hasSignature(envelope));
	if (bare)
		return broken(
			`a ${bare.kind} lacks ${SIGNED_HEADERS.filter((name) => !headerOf(bare, name)).join(" and ")}`,
			bare,
		);
	const unnamed = envelopes.find(
		(envelope) => !headerOf(envelope, WEBHOOK_HEADERS.subscriptionId),
	);
	if (unnamed)
		return broken(`a ${unnamed.kind} has no X-MCP-Subscription-Id`, unnamed);
	return judgeSignatures(probes, isEnvelope, noEnvelope());
}
