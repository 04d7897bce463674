// Flaws of webhook subscriptions: what is taken and refused, and the members of an answer.
import { CORE_CODES, HEADERS, METHODS } from "../../protocol/index.ts";
import type { Flaw, Hooks } from "./flaw.ts";
import { codeLike, onError, refuse } from "./hooks.ts";
import {
	deliveryOf,
	webhookFlaw as flaw,
	grant,
	isSubscribe,
	onSubscribed,
	onWebhookRequest,
	urlOf,
} from "./webhook-hooks.ts";

const RIGHT_SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

export const WEBHOOK: readonly Flaw[] = [
	flaw(
		"no-subscribe",
		"subscribe-webhook-only",
		"lists webhook and knows no events/subscribe",
		refuse(isSubscribe, {
			code: CORE_CODES.MethodNotFound,
			message: "there is no such method",
		}),
	),
	flaw(
		"secret-made-up",
		"subscribe-secret-required",
		"makes a secret up where a subscribe has none",
		mendSecret((secret) => secret === undefined),
	),
	flaw(
		"secret-without-prefix",
		"subscribe-secret-format",
		"takes a secret that does not begin with whsec_",
		mendSecret(
			(secret) => typeof secret === "string" && !secret.startsWith("whsec_"),
		),
	),
	flaw(
		"secret-of-any-length",
		"subscribe-secret-rejected",
		"takes whsec_ with however many bytes behind it",
		mendSecret((secret) => {
			const [, text] = /^whsec_(.*)$/.exec(String(secret)) ?? [];
			const { length } = Buffer.from(text ?? "", "base64");
			return text !== undefined && (length < 24 || length > 64);
		}),
	),
	flaw(
		"callbacks-without-tls",
		"subscribe-url-https-required",
		"takes callbacks that are plain http",
		grant(
			(about, { message }) =>
				urlOf(about).startsWith("http:") && isScheme(message),
		),
	),
	flaw(
		"http-unsupported",
		"subscribe-url-non-https-rejected",
		"refuses callbacks that are not https with Unsupported",
		onError("InvalidParams", (error, about) => {
			if (isSubscribe(about) && isScheme(error.message))
				error.code = codeLike(error.code, "Unsupported");
		}),
	),
	flaw(
		"webhook-for-any-type",
		"error-unsupported",
		"takes subscribes for event types that do not list webhook",
		grant(() => true, "Unsupported"),
	),
	flaw(
		"unlisted-mode-forbidden",
		"error-unsupported",
		"refuses a mode that a type does not list with Forbidden",
		onError("Unsupported", (error, about) => {
			if (isSubscribe(about)) error.code = codeLike(error.code, "Forbidden");
		}),
	),
	flaw(
		"webhook-header-missing",
		"mcp-name-missing-rejected",
		"takes events/subscribe without Mcp-Name",
		onWebhookRequest(({ params }, headers) => {
			headers[HEADERS.name] ??= String(params.name);
		}),
	),
	flaw(
		"webhook-header-mismatch",
		"mcp-name-mismatch-rejected",
		"takes events/unsubscribe whose Mcp-Name names another event",
		onWebhookRequest(({ method, params }, headers) => {
			if (method === METHODS.unsubscribe && headers[HEADERS.name])
				headers[HEADERS.name] = String(params.name);
		}),
	),
	flaw(
		"webhook-cursor-as-number",
		"subscribe-response-cursor",
		"answers a subscribe with a number for its cursor",
		onSubscribed((result) => {
			result.cursor = 12;
		}),
	),
	flaw(
		"webhook-truncated-as-text",
		"subscribe-response-truncated",
		'answers a subscribe with truncated "no"',
		onSubscribed((result) => {
			result.truncated = "no";
		}),
	),
	flaw(
		"no-result-type-in-subscribe",
		"result-type-complete",
		"leaves resultType out of events/subscribe results",
		onSubscribed((result) => {
			delete result.resultType;
		}),
	),
	flaw(
		"forbidden-as-not-found",
		"error-forbidden",
		"answers who may not have an event with NotFound",
		onError("Forbidden", (error) => {
			error.code = codeLike(error.code, "NotFound");
		}),
	),
	flaw(
		"webhooks-for-everybody",
		"authz-subscribe-time",
		"asks who may have an event for poll and push, and not for webhooks",
		grant(() => true, "Forbidden"),
	),
];

/** Whether it is the scheme of a callback that was refused, and nothing else. */
const isScheme = (message: string) => message.endsWith("is not https");

function mendSecret(isMeant: (secret: unknown) => boolean): Hooks {
	return onWebhookRequest(({ method, params }) => {
		const delivery = deliveryOf(params);
		if (method === METHODS.subscribe && isMeant(delivery.secret))
			params.delivery = { ...delivery, secret: RIGHT_SECRET };
	});
}
