// Flaws of consent and safety: whom a server calls, what it asks first, and what it tells of that.
import {
	isRecord,
	METHODS,
	WEBHOOK_HEADERS,
	WELL_KNOWN_PATH,
} from "../../protocol/index.ts";
import type { HandshakeAnswer, OutgoingHandshake } from "../callbacks/index.ts";
import type { RpcRequest } from "../rpc/core.ts";
import { deliveryFlaw } from "./delivery-flaw.ts";
import type { Flaw, Hooks } from "./flaw.ts";
import { onError } from "./hooks.ts";

/** Lets callbacks in that are refused by an honest server. */
const lettingIn = (
	name: string,
	about: string,
	{ rule, isMeant }: { rule: string; isMeant: (url: URL) => boolean },
): Flaw =>
	deliveryFlaw(name, rule, about, ({ allowCallbackOrigin }) => ({
		request({ method, params }: RpcRequest) {
			const url = callbackOf(method, params);
			if (url && isMeant(url)) allowCallbackOrigin(url.origin);
		},
	}));

function callbackOf(method: string, { delivery }: Record<string, unknown>) {
	if (method !== METHODS.subscribe || !isRecord(delivery)) return undefined;
	const { url } = delivery;
	return typeof url === "string" && URL.canParse(url)
		? new URL(url)
		: undefined;
}

export const CONSENT: readonly Flaw[] = [
	lettingIn("http-callbacks", "takes and calls callbacks by plain http", {
		rule: "ssrf-validate-callback-url",
		isMeant: ({ protocol }) => protocol === "http:",
	}),
	lettingIn("loopback-callbacks", "takes and calls callbacks on 127.0.0.1", {
		rule: "ssrf-reject-non-routable",
		isMeant: ({ protocol, hostname }) =>
			protocol === "https:" && hostname === "127.0.0.1",
	}),
	deliveryFlaw(
		"follows-redirects",
		"ssrf-no-redirects",
		"sends a delivery where a redirect points to",
		{
			judge(end, status = 0, delivery) {
				if (status >= 300 && status < 400 && delivery)
					void post(delivery).catch(() => {});
				return end;
			},
		},
	),
	deliveryFlaw(
		"host-as-address",
		"ssrf-connects-checked-address",
		"names the address in place of the host when it delivers to localhost",
		{
			delivery(delivery) {
				delivery.url = delivery.url.replace("//localhost", "//127.0.0.1");
				return undefined;
			},
		},
	),
	deliveryFlaw(
		"no-handshake",
		"verification-required-before-delivery",
		"delivers to endpoints that nobody asked for their consent",
		{ handshake: { outgoing: () => false } },
	),
	deliveryFlaw(
		"challenge-as-number",
		"verification-challenge-echo",
		"sends a number for a challenge",
		() => {
			let count = 1_000_000;
			return bendingChallenge(() => ++count);
		},
	),
	deliveryFlaw(
		"same-challenge",
		"verification-nonce-single-use",
		"sends the same challenge in every handshake",
		bendingChallenge(() => "one-challenge-for-everybody"),
	),
	deliveryFlaw(
		"any-echo",
		"verification-failure-error",
		"takes any 2xx for the echo of a challenge",
		{
			handshake: {
				judge: (isEcho, { status }) =>
					isEcho || (status >= 200 && status < 300),
			},
		},
	),
	deliveryFlaw(
		"unreached-as-challenge",
		"verification-failure-error",
		"tells of an endpoint that cannot be reached as of one that did not echo",
		onError("CallbackEndpointError", (error) => {
			error.data.reason = "challenge_failed";
		}),
	),
	deliveryFlaw(
		"endpoint-internal-error",
		"error-callback-endpoint-error",
		"answers with an internal error where an endpoint does not consent",
		onError("CallbackEndpointError", (error) => {
			error.code = -32603;
			delete error.data;
		}),
	),
	deliveryFlaw(
		"endpoint-words",
		"verification-no-raw-endpoint-responses",
		"repeats in its error what an endpoint answered to the challenge",
		() => {
			let words = "";
			return {
				handshake: {
					judge(isEcho, { body }) {
						words = String(body);
						return isEcho;
					},
				},
				...onError("CallbackEndpointError", (error) => {
					error.message += `: ${words}`;
				}),
			};
		},
	),
	deliveryFlaw(
		"asks-every-time",
		"verification-cached-per-principal-url",
		"asks for consent at each new subscription, whoever has given it before",
		{ handshake: { asksAgain: () => true } },
	),
	deliveryFlaw(
		"forgets-consent",
		"verification-persisted-for-no-expiry",
		"asks for consent anew after a restart",
		() => {
			let hasRestarted = false;
			return {
				request({ method, params }) {
					const isRestart = params.name === "events_conformance_restart";
					if (method === METHODS.callTool && isRestart) hasRestarted = true;
				},
				handshake: { asksAgain: () => hasRestarted },
			};
		},
	),
	deliveryFlaw(
		"challenge-redirects",
		"verification-uses-ssrf-hardened-path",
		"sends a challenge where a redirect points to",
		{
			handshake: {
				async judge(isEcho, { status, headers }, handshake) {
					if (status < 300 || status > 399 || !headers.location) return isEcho;
					const url = new URL(headers.location, handshake.url).href;
					const answer = await post({ ...handshake, url });
					return (await answer.text()) === echoOf(handshake);
				},
			},
		},
	),
	deliveryFlaw(
		"document-for-all",
		"well-known-document-honoured",
		"takes the document of an origin for the consent of all its paths, over http too",
		{
			handshake: {
				async outgoing({ url }) {
					const answer = await fetch(new URL(WELL_KNOWN_PATH, url));
					await answer.body?.cancel();
					return !answer.ok;
				},
			},
		},
	),
];

/** As a client does that knows nothing of guards. */
const post = ({
	url,
	headers,
	body,
}: Pick<OutgoingHandshake, "url" | "headers" | "body">) =>
	fetch(url, { method: "POST", headers, body, redirect: "follow" });

/** Another challenge in place of each. */
function bendingChallenge(next: () => unknown): Hooks {
	return {
		handshake: {
			outgoing(handshake) {
				const { headers, sign } = handshake;
				handshake.body = JSON.stringify({
					type: "verification",
					challenge: next(),
				});
				headers[WEBHOOK_HEADERS.signature] = sign(
					headers[WEBHOOK_HEADERS.id] ?? "",
					Number(headers[WEBHOOK_HEADERS.timestamp]),
					handshake.body,
				);
				return true;
			},
			judge: (_isEcho, { body }: HandshakeAnswer, handshake) =>
				String(body) === echoOf(handshake),
		},
	};
}

/** What a careful endpoint sends back. */
const echoOf = ({ body }: OutgoingHandshake) =>
	JSON.stringify({ challenge: JSON.parse(body).challenge });
