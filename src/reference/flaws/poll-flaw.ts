// What the flaws of poll are made with.

import { METHODS } from "../../protocol/index.ts";
import type { Hooks, Json } from "./flaw.ts";
import { flawOf } from "./flaw-of.ts";

/** A flaw of this scenario. */
export const pollFlaw = flawOf("events-poll");

/** Bends a poll's result in place; `message` is what it stands in. */
export const onPoll = (
	change: (result: Json, params: Json, message: Json) => void,
): Hooks => ({
	message(message, { method, params }) {
		if (method === METHODS.poll && message.result)
			change(message.result, params, message);
	},
});

/** Refuses in place of a result. */
export function refuseWith(message: Json, code: number, text: string): void {
	delete message.result;
	message.error = { code, message: text };
}

/** Mends the request of a poll, so that what is wrong with it is not seen. */
export const onAsked = (
	mend: (params: Json, headers: Record<string, unknown>) => void,
): Hooks => ({
	request({ method, params }, headers) {
		if (method === METHODS.poll) mend(params, headers);
	},
});

export const INVALID = -32602;
export const INTERNAL = -32603;

/** The digits that a text ends with. */
export const numberIn = (text: string) => Number(/\d*$/.exec(text)?.[0] || 0);
