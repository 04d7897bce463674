// One attempt at one message: signed at this instant, sent by the guarded path, and what its answer means.
import { type CallbackReason, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import {
	parseSecret,
	type Secret,
	signAsymmetrically,
	signMessage,
} from "../../signing/index.ts";
import type { PostAnswer } from "../callbacks/index.ts";
import type {
	AttemptEnd,
	OutgoingDelivery,
	WebhookOptions,
} from "./options.ts";

export interface MessageToSend {
	kind: OutgoingDelivery["kind"];
	subscriptionId: string;
	url: string;
	/** `webhook-id`. */
	id: string;
	body: string;
	/** Counts from 1. */
	attempt: number;
	/** They sign together, the newest first. */
	secrets: readonly string[];
}

export interface Attempted {
	end: AttemptEnd;
	/** Why it is not acknowledged. */
	reason: CallbackReason | undefined;
}

/** Answers after which an event is not sent again, while the subscription lives on (events.md 6). */
const REFUSALS: readonly (number | undefined)[] = [410, 413];
const MOST_KNOWN_SECRETS = 20_000;

type SenderOptions = Pick<
	WebhookOptions,
	"callbacks" | "clock" | "manners" | "note" | "signingKey"
>;

export class Sender {
	readonly #options: SenderOptions;
	/** Reading a secret costs as much as signing with it. */
	readonly #secrets = new Map<string, Secret>();

	constructor(options: SenderOptions) {
		this.#options = options;
	}

	/** Never rejects; undefined where `signal` ended the attempt. */
	async send(
		message: MessageToSend,
		signal: AbortSignal,
	): Promise<Attempted | undefined> {
		const { manners, note } = this.#options;
		// What was swallowed on purpose counts as acknowledged.
		let answer: PostAnswer = { kind: "answered", status: 200 };
		let honest: OutgoingDelivery | undefined;
		try {
			honest = this.#prepare(message);
			const sent = (await manners?.outgoing?.(honest)) ?? [honest];
			for (const { url, headers, body } of sent) {
				if (signal.aborted) return undefined;
				answer = await this.#options.callbacks.post({
					url,
					headers,
					body,
					signal,
				});
			}
		} catch (error) {
			if (signal.aborted) return undefined;
			note(`an attempt at ${message.subscriptionId} met a defect: ${error}`);
			answer = { kind: "failed", reason: "connection_refused" };
		}
		const status = answer.kind === "answered" ? answer.status : undefined;
		const end = endOf(status);
		return {
			end: manners?.judge?.(end, status, honest) ?? end,
			reason: answer.kind === "failed" ? answer.reason : reasonOf(status),
		};
	}

	#prepare(message: MessageToSend): OutgoingDelivery {
		const { kind, subscriptionId, url, id, body, attempt } = message;
		const timestampSeconds = Math.floor(this.#options.clock.now() / 1_000);
		const sign = (anId: string, seconds: number, text: string) =>
			this.#sign(message.secrets, {
				id: anId,
				timestampSeconds: seconds,
				body: Buffer.from(text),
			});
		const headers = {
			"content-type": "application/json",
			[WEBHOOK_HEADERS.id]: id,
			[WEBHOOK_HEADERS.timestamp]: String(timestampSeconds),
			[WEBHOOK_HEADERS.signature]: sign(id, timestampSeconds, body),
			[WEBHOOK_HEADERS.subscriptionId]: subscriptionId,
		};
		return { kind, subscriptionId, url, attempt, headers, body, sign };
	}

	#sign(
		secrets: readonly string[],
		message: { id: string; timestampSeconds: number; body: Buffer },
	): string {
		const { signingKey: key } = this.#options;
		const signatures = secrets.map((text) =>
			signMessage({ ...message, secret: this.#secretOf(text) }),
		);
		if (key) signatures.push(signAsymmetrically({ ...message, key }));
		return signatures.join(" ");
	}

	#secretOf(text: string): Secret {
		const known = this.#secrets.get(text);
		if (known) return known;
		if (this.#secrets.size >= MOST_KNOWN_SECRETS) this.#secrets.clear();
		const secret = parseSecret(text);
		this.#secrets.set(text, secret);
		return secret;
	}
}

function endOf(status: number | undefined): AttemptEnd {
	if (status !== undefined && status >= 200 && status < 300)
		return "acknowledged";
	return REFUSALS.includes(status) ? "refused" : "failed";
}

/** A redirect is the endpoint's own doing, as its 4xx are: there is no category of its own (events.md 6). */
function reasonOf(status: number | undefined): CallbackReason | undefined {
	if (status === undefined || (status >= 200 && status < 300)) return undefined;
	return status >= 500 ? "http_5xx" : "http_4xx";
}
