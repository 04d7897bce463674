// events/subscribe and events/unsubscribe: one question each (events.md 6). Keeping one alive is the tail's work.
import { Fault, type FaultParts } from "../faults/index.ts";
import {
	CALLBACK_REASONS,
	isRecord,
	METHODS,
	type Odd,
	readSubscribeResult,
	type WebhookGrant,
} from "../protocol/index.ts";
import { wireParams } from "./poll-events.ts";
import type { RequestOptions, Session, SubscriptionParams } from "./session.ts";

/** What a webhook subscription is known by, beside who asks. */
export interface WebhookKey {
	name: string;
	arguments: Record<string, unknown>;
	/** The callback. */
	url: string;
}

export interface WebhookParams extends WebhookKey, SubscriptionParams {
	/** As it travels: `whsec_` and base64. */
	secret: string;
	/** A suggestion; null asks for no expiry, undefined for the server's default. */
	ttlMs?: number | null | undefined;
}

/**
 * Subscribes, or refreshes the subscription of the same key. Throws what `request` throws, `callback-refused` among
 * it, and `wrong-shape` for a result that cannot be read. No fault has the secret in it, whatever the server answers.
 */
export async function subscribeWebhook(
	session: Session,
	params: WebhookParams,
	{ signal, timeoutMs, odd }: RequestOptions & { odd: Odd },
): Promise<WebhookGrant> {
	const { url, secret, ...rest } = params;
	const delivery = { mode: "webhook", url, secret };
	try {
		const message = await session.request(
			METHODS.subscribe,
			wireParams({ ...rest, delivery }),
			{ signal, timeoutMs },
		);
		return readSubscribeResult(message.result, (what) =>
			odd(withoutSecret(what, secret)),
		);
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		throw cleanFault(adviseOnUrl(error, url), secret);
	}
}

/** Ends a subscription. That there is none, in whichever words, is as good. */
export async function unsubscribeWebhook(
	session: Session,
	{ name, arguments: args, url }: WebhookKey,
	options: RequestOptions = {},
): Promise<void> {
	const params = {
		name,
		arguments: args,
		delivery: { mode: "webhook", url },
	};
	try {
		await session.request(METHODS.unsubscribe, params, options);
	} catch (error) {
		const isGone = error instanceof Fault && error.wire?.name === "NotFound";
		if (!isGone) throw error;
	}
}

/** Whether a server on another machine has to refuse a callback; undefined: it may take it. */
export function whyCallbackUnfit(url: string): string | undefined {
	const { protocol, hostname } = new URL(url);
	if (protocol !== "https:") return "it is http, and a callback must be https";
	return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)
		? "its host is this machine's own, which no other can reach"
		: undefined;
}

/** A refusal of parameters is most often one of the URL, where that is unfit. */
function adviseOnUrl(fault: Fault, url: string): Fault {
	const unfit = whyCallbackUnfit(url);
	if (!unfit || !mayBeTheUrl(fault)) return fault;
	return rebuild(fault, {
		why: `${fault.why ?? "it gave no reason"}; the callback is ${url}: ${unfit}`,
		next: "receive at a public https URL: --tunnel, or --public-url URL",
	});
}

/** A callback that failed was at least tried; without a known reason it may be the URL that is refused. */
function mayBeTheUrl({ code, wire }: Fault): boolean {
	if (code === "arguments-refused") return true;
	const reason = isRecord(wire?.data) ? wire.data.reason : undefined;
	const wasTried = CALLBACK_REASONS.some((known) => known === reason);
	return code === "callback-refused" && !wasTried;
}

/** An answer may quote what was sent. */
function cleanFault(fault: Fault, secret: string): Fault {
	const { what, why, next, wire } = fault;
	const texts = JSON.stringify([what, why, next, wire]) ?? "";
	if (!holds(texts, secret)) return fault;
	const clean = (text: string | undefined) =>
		text === undefined ? undefined : withoutSecret(text, secret);
	return rebuild(fault, {
		what: withoutSecret(what, secret),
		why: clean(why),
		next: clean(next),
		wire: wire && {
			...wire,
			message: withoutSecret(wire.message, secret),
			data: undefined,
		},
		// It has the same words in it.
		cause: undefined,
	});
}

/** JSON may write the slashes of base64 with an escape. */
const spellings = (secret: string) => [
	secret,
	secret.replaceAll("/", "\\/"),
	secret.slice("whsec_".length),
];

const holds = (text: string, secret: string) =>
	spellings(secret).some((spelling) => text.includes(spelling));

function withoutSecret(text: string, secret: string): string {
	return spellings(secret).reduce(
		(clean, spelling) => clean.replaceAll(spelling, "whsec_[hidden]"),
		text,
	);
}

function rebuild(fault: Fault, changes: Partial<FaultParts>): Fault {
	const { code, what, why, next, retryAfterMs, httpStatus, wire } = fault;
	const parts = { what, why, next, retryAfterMs, httpStatus, wire };
	return new Fault(code, { ...parts, cause: fault.cause, ...changes });
}
