// One question and its answer, whatever era and transport lie beneath. Ids are compared here.

import { Fault } from "../faults/index.ts";
import type { Message, Odd, RequestId } from "../protocol/index.ts";
import { excerpt } from "../protocol/index.ts";
import type { OutgoingRequest, ResponseFacts, Transport } from "./transport.ts";

/** A response to what was asked, and the head of the HTTP answer that it came in. */
export interface Answer {
	message: Message & { kind: "result" | "error" };
	facts: ResponseFacts | undefined;
}

export interface AskOptions {
	signal?: AbortSignal | undefined;
	timeoutMs?: number | undefined;
	/** Handed what the server asks of us meanwhile. */
	onRequest?: ((request: Message & { kind: "request" }) => void) | undefined;
}

/**
 * Sends a request and returns the response that names it; an error that names no request is one too. Throws the
 * transport's faults, `wrong-id`, and `no-response` where the answer ends without one.
 */
export async function ask(
	transport: Transport,
	request: OutgoingRequest,
	{ signal, timeoutMs, onRequest }: AskOptions,
): Promise<Answer> {
	let facts: ResponseFacts | undefined;
	const onResponse = (head: ResponseFacts) => {
		facts = head;
	};
	for await (const batch of transport.exchange(request, {
		signal,
		timeoutMs,
		onResponse,
	}))
		for (const message of batch) {
			if (message.kind === "request") onRequest?.(message);
			else if (message.kind !== "notification")
				return { message: requireId(message, request), facts };
		}
	throw new Fault("no-response", {
		what: `the server ended its answer to ${request.method} without a response`,
		why: "the answer ended in order, and held no result and no error",
	});
}

/** The response itself, if it names this request or, being an error, none; throws `wrong-id` else. */
export function requireId(
	message: Message & { kind: "result" | "error" },
	request: { id: RequestId; method: string },
): Message & { kind: "result" | "error" } {
	if (message.id === request.id || message.id === undefined) return message;
	throw new Fault("wrong-id", {
		what: `the server answered another request than ${request.method}`,
		why: `the request has the id ${JSON.stringify(request.id)}, the response ${excerpt(message.id, 120)}`,
	});
}

/**
 * Holds a result to the one type that it may have: absent reads as complete and is odd only in the modern era, any
 * other is a `wrong-shape` fault (base.md, Messages).
 */
export function requireComplete(
	message: Message & { kind: "result" },
	about: { method: string; isModern: boolean },
	odd: Odd,
): void {
	const { resultType } = message.result;
	if (resultType === "complete") return;
	if (resultType === undefined) {
		if (about.isModern) odd("results carry no resultType; read as complete");
		return;
	}
	const why =
		resultType === "input_required"
			? "it wants input from the user first (input_required), which the contract does not allow for this method"
			: `its resultType is ${excerpt(resultType, 120)}, which has no meaning here`;
	throw new Fault("wrong-shape", {
		what: `the server did not complete ${about.method}`,
		why,
	});
}
