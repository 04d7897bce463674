// What `send` does: one event or envelope of our own making, signed as of now, and wrongly where that is asked for.
import { randomBytes } from "node:crypto";
import {
	type Attempt,
	type Corruption,
	type Draft,
	deliver,
	isTaken,
	makeEnvelopeBody,
	makeEventBody,
	newHeaders,
	newId,
	signCorrupted,
	signDraft,
	type WebhookIdStyle,
} from "../../captures/index.ts";
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type {
	PlaceFlags,
	PostFlags,
	SecretFlags,
} from "../flags/capture-flags.ts";
import { readTextValue } from "../flags/files.ts";
import { readKnownSecrets, type Signer } from "../listen/known-secrets.ts";
import { PROGRAM } from "../process/program-name.ts";
import type { World } from "../process/world.ts";
import { openPoster, showAttempt, statusOf } from "./post.ts";

export interface SendOptions {
	flags: PlaceFlags & SecretFlags & PostFlags;
	event: string | undefined;
	/** JSON, @FILE or -. */
	data: string | undefined;
	eventId: string | undefined;
	cursor: string | undefined;
	webhookId: WebhookIdStyle;
	subscriptionId: string | undefined;
	type: "gap" | "terminated" | "verification" | undefined;
	corrupt: Corruption | undefined;
	asText: boolean;
}

/** Where a receiver knows no subscription, any id will do. */
const USUAL_SUBSCRIPTION = "sub_made_by_send";
const CHALLENGE_BYTES = 24;

/** Sends one delivery; status 1 where it is not answered 2xx, or a challenge is not echoed. */
export async function runSend(
	options: SendOptions,
	world: World,
	output: Output,
): Promise<number> {
	const pieces = { world, output };
	const { flags, corrupt } = options;
	const secrets = await readKnownSecrets(flags, pieces);
	const poster = await openPoster(flags, pieces);
	try {
		const path = poster.url.pathname;
		const signer = secrets.toSign({ path, headers: [] });
		if (!signer) throw noSecret();
		const challenge = randomBytes(CHALLENGE_BYTES).toString("base64url");
		const draft = await makeDraft(options, { world, signer, challenge });
		const { secret } = signer.secret;
		const make = () => {
			const nowMs = world.now();
			return corrupt
				? signCorrupted(draft, corrupt, { secret, nowMs })
				: signDraft(draft, secret, nowMs);
		};
		let isEchoed = true;
		const tell = (attempt: Attempt) => {
			if (options.type === "verification")
				isEchoed = echoes(attempt, challenge);
			const facts = factsOf(options, draft, { isEchoed, to: poster.label });
			return showAttempt(facts, attempt, {
				output,
				nowMs: world.now(),
				asText: options.asText,
			});
		};
		const last = await deliver(make, {
			...world,
			signal: world.stop,
			post: poster.post,
			retries: flags.retry,
			tell,
		});
		if (isTaken(last) && !isEchoed) return EXIT_STATUSES.no.status;
		return statusOf({
			sent: 1,
			failed: isTaken(last) ? 0 : 1,
			unanswered: last.answer ? 0 : 1,
			lastUnanswered: last.answer ? undefined : last,
		});
	} finally {
		poster.close();
	}
}

async function makeDraft(
	options: SendOptions,
	made: { world: World; signer: Signer; challenge: string },
): Promise<Draft> {
	const { type, cursor } = options;
	const { world, signer, challenge } = made;
	const headers = newHeaders({
		subscriptionId:
			options.subscriptionId ?? signer.subscriptionId ?? USUAL_SUBSCRIPTION,
		userAgent: `${PROGRAM.name}/${PROGRAM.version}`,
	});
	const data =
		options.data === undefined
			? undefined
			: await readTextValue(options.data, "--data", world);
	if (type) {
		const body =
			type === "gap"
				? makeEnvelopeBody({ type, cursor })
				: type === "terminated"
					? makeEnvelopeBody({ type, error: data })
					: makeEnvelopeBody({ type, challenge });
		const webhookId = newId(`msg_${type}`, randomBytes);
		return { webhookId, eventId: undefined, headers, body };
	}
	if (!options.event) throw noEvent();
	const eventId = options.eventId ?? newId("evt", randomBytes);
	const body = makeEventBody({
		eventId,
		name: options.event,
		timestampMs: world.now(),
		data: data ?? "{}",
		cursor,
	});
	const webhookId =
		options.webhookId === "event" ? eventId : newId("msg", randomBytes);
	return { webhookId, eventId, headers, body };
}

function echoes({ answer }: Attempt, challenge: string): boolean {
	try {
		const value: unknown = JSON.parse(answer?.bodyStart ?? "");
		return (
			typeof value === "object" &&
			value !== null &&
			"challenge" in value &&
			value.challenge === challenge
		);
	} catch {
		return false;
	}
}

function factsOf(
	{ event, type }: SendOptions,
	draft: Draft,
	{ isEchoed, to }: { isEchoed: boolean; to: string },
) {
	const isHandshake = type === "verification";
	const echoed = isEchoed
		? "the challenge was echoed"
		: "the challenge was not echoed";
	return {
		capture: undefined,
		name: type ?? event ?? "",
		subscription: "",
		webhookId: draft.webhookId,
		eventId: draft.eventId,
		to,
		...(isHandshake ? { more: { echoed: isEchoed }, remark: echoed } : {}),
	};
}

function noSecret(): Fault {
	return new Fault("wrong-use", {
		what: "there is no secret to sign with",
		why: "no --secret-file is given, and no subscription of ours is received at that URL",
		next: "make one for both sides: mcp-events secret > hook.secret, then: --secret-file hook.secret",
	});
}

function noEvent(): Fault {
	return new Fault("wrong-use", {
		what: "no event is named",
		why: "an event has a name; an envelope has a --type",
		next: "--event orders.created, or --type verification",
	});
}
