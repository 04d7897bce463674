// A delivery on its way from the socket to whoever keeps it, and what is told of those that go another way.
import type { Fault } from "../faults/index.ts";
import type { HeaderPair } from "../protocol/index.ts";
import type { Verdict } from "../signing/index.ts";
import type { Answer, RefusalReason } from "./answer.ts";
import type { ReceivedContent } from "./content.ts";

interface ReceivedRequest {
	/** Epoch milliseconds at which the request had come in whole. */
	receivedAtMs: number;
	method: string;
	/** The request's target, a query included. */
	path: string;
	headers: readonly HeaderPair[];
	/** As it came; empty where a request was refused before its body was read. */
	body: Buffer;
}

export interface ReceivedDelivery extends ReceivedRequest {
	/** The label of its registration. */
	subscription: string;
	subscriptionId: string | undefined;
	content: ReceivedContent;
	verdict: Verdict;
	/** What the sender is answered if `accept` says nothing else. */
	answer: Answer;
	/** What was odd in the body. */
	notes: readonly string[];
}

export interface RefusedDelivery extends ReceivedRequest {
	/** The signing verdict, or the reason of another refusal as its kind. */
	verdict: Verdict | { kind: RefusalReason };
	reason: RefusalReason;
	/** The evidence, for our user alone. */
	why: string;
	answer: Answer;
	/** The labels of those that it may have been for. */
	candidates: readonly string[];
}

export type Notice =
	| { kind: "refused"; refused: RefusedDelivery }
	/** It was here before; it is acknowledged again and handed to nobody. */
	| { kind: "duplicate"; delivery: ReceivedDelivery }
	/** It could not be stored: the sender is told to try again. A handshake is echoed all the same. */
	| { kind: "not-stored"; delivery: ReceivedDelivery; fault: Fault | Error }
	/** It was answered 500: a defect of ours. */
	| { kind: "defect"; error: unknown }
	/** A handshake named an id that no registration had; it is bound now. */
	| { kind: "bound"; subscription: string; subscriptionId: string };
