// A reference server with tokens, webhooks and a receiver on this machine that says yes to everything.
import { randomBytes } from "node:crypto";
import { openCallbacks } from "../../src/reference/callbacks/index.ts";
import {
	type HttpOptions,
	openReferenceServer,
} from "../../src/reference/index.ts";
import {
	openWebhooks,
	type WebhookOptions,
} from "../../src/reference/webhooks/index.ts";
import { openRecorder } from "../helpers/open-recorder.ts";
import { realClock } from "./manual-clock.ts";
import { type Json, post } from "./wire-client.ts";

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

const parse = (body: Buffer): Json => {
	try {
		return JSON.parse(body.toString());
	} catch {
		return {};
	}
};

export async function openWebhookServer(
	options: Partial<HttpOptions> = {},
	answer: (n: number) => number = () => 204,
	choices: Partial<WebhookOptions> = {},
) {
	const clock = options.clock ?? realClock;
	let events = 0;
	const receiver = await openRecorder({
		answer: (_n, { body }) => {
			const { type, challenge } = parse(body);
			if (type === "verification") return [200, JSON.stringify({ challenge })];
			return answer(events++);
		},
	});
	const callbacks = openCallbacks({ clock, randomBytes });
	callbacks.allowOrigin(new URL(receiver.url).origin);
	const server = await openReferenceServer({
		sources: [],
		version: "1.2.3",
		clock,
		tokens: ["alice", "bob"].map((principal) => ({
			principal,
			token: `${principal}-token`,
		})),
		conformanceControls: true,
		allowCallbackOrigin: (origin) => callbacks.allowOrigin(origin),
		openWebhooks: (parts) =>
			openWebhooks({
				...parts,
				random: () => 0,
				randomBytes,
				callbacks,
				retryDelaysMs: [50],
				...choices,
			}),
		...options,
	});
	const headersOf = (principal: string) => ({
		authorization: `Bearer ${principal}-token`,
	});
	const ask = async (method: string, params: Json = {}, principal = "alice") =>
		(await (
			await post(server.url, method, params, { headers: headersOf(principal) })
		).json()) as Json;
	return {
		url: server.url,
		headersOf,
		ask,
		receiver,
		/** Bodies of what was delivered, the handshake apart. */
		delivered: () =>
			receiver.requests.filter(
				({ body }) => parse(body).type !== "verification",
			),
		subscribe: (name: string, more: Json = {}, principal = "alice") =>
			ask(
				"events/subscribe",
				{
					name,
					arguments: {},
					delivery: { mode: "webhook", url: receiver.url, secret: SECRET },
					...more,
				},
				principal,
			),
		/** Calls a fixture control; the text that it answers with. */
		async control(tool: string, args: Json = {}) {
			const name = `events_conformance_${tool}`;
			const answer = await ask("tools/call", { name, arguments: args });
			return answer.result?.content?.[0]?.text ?? answer;
		},
		async [Symbol.asyncDispose]() {
			await server.close();
			await callbacks.close();
		},
	};
}

export { parse as parseBody };
