// What a callback path answers. A challenge is echoed on every path, unless what is tried is the handshake itself.
import type { Answer } from "../../receiver/index.ts";
import type { CallbackRequest } from "./callback-request.ts";

export type { Answer };

type Reply = (request: CallbackRequest) => Answer;

export interface Behaviour {
	/** To a `verification` envelope; by default it is echoed. */
	challenge?: Reply;
	/** To anything else; by default it is taken (204). */
	delivery?: Reply;
}

/** Takes everything. */
export const ACCEPT: Behaviour = {};

/** The right answer to a challenge, whatever that is. */
export const echo: Reply = ({ json }) => echoOf(json?.challenge);

export const echoOf = (challenge: unknown): Answer => ({
	status: 200,
	headers: { "content-type": "application/json" },
	body: JSON.stringify({ challenge }),
});

export const answerStatus = (status: number, body = ""): Answer => ({
	status,
	headers: { "content-type": "text/plain" },
	body,
});

export const redirectTo = (url: string, status = 302): Answer => ({
	status,
	headers: { location: url },
});

/** Every delivery gets this status. */
export const always = (status: number, body?: string): Behaviour => ({
	delivery: () => answerStatus(status, body),
});

/** The first `times` attempts at each event get `status`, the later ones are taken. Envelopes are taken. */
export const failFirst = (times: number, status = 503): Behaviour => ({
	delivery: ({ attempt, kind }) =>
		answerStatus(kind === "event" && attempt <= times ? status : 204),
});

export function answerAs(
	{ challenge = echo, delivery = () => ({ status: 204 }) }: Behaviour,
	request: CallbackRequest,
): Answer {
	return request.kind === "verification"
		? challenge(request)
		: delivery(request);
}
