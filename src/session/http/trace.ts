// Tells the log of --log-rpc of every message both ways. What is secret in a header never gets there.
import type { Message } from "../../protocol/index.ts";
import type { RpcTraceEntry } from "../transport.ts";
import type { Answer } from "./body.ts";
import {
	type HeaderPairs,
	maskReceived,
	maskSent,
	type UserHeaders,
} from "./headers.ts";

export interface Tracer {
	sent(headers: HeaderPairs, message: string): void;
	/** The headers of an answer are told with its first message. */
	received(answer: Answer, batch: Message[]): void;
}

/** A tracer for one transport; without a listener it does nothing. */
export function makeTracer(
	trace: ((entry: RpcTraceEntry) => void) | undefined,
	url: URL,
	user: UserHeaders,
): Tracer {
	const begun = new WeakSet<Answer>();
	return {
		sent(pairs, message) {
			if (!trace) return;
			const headers = maskSent(pairs, user);
			trace({ direction: "sent", headers, message });
		},
		received(answer, batch) {
			if (!trace) return;
			for (const { bytes: message } of batch) {
				const head = begun.has(answer)
					? {}
					: { headers: maskReceived(answer.headers, url) };
				begun.add(answer);
				trace({ direction: "received", ...head, message });
			}
		},
	};
}
