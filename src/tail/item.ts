// What a tail yields: a closed union by `kind` (product.md, Output). `output` decides where each goes.
import type { Fault, WireErrorFacts } from "../faults/index.ts";
import type { Occurrence } from "../protocol/index.ts";

export type Via = "poll" | "push" | "webhook";

/** One event type with its arguments, followed by one loop. */
export interface Subscription {
	/** How it is named in records: the event's name, with its arguments where there are any. Unique in one tail. */
	label: string;
	name: string;
	arguments: Record<string, unknown>;
}

interface About {
	subscription: string;
	via: Via;
	/** Epoch milliseconds. */
	receivedAt: number;
}

export type GapReason = "truncated" | "cursor-rejected" | "no-cursor";

export type Item =
	| (About & {
			kind: "ready";
			cursor: string | undefined;
			/** True for the first time, false after a reconnect. */
			first: boolean;
	  })
	| (About & { kind: "event"; occurrence: Occurrence })
	/** Events were, or may have been, skipped before `cursor`. */
	| (About & { kind: "gap"; reason: GapReason; cursor: string | undefined })
	| (About & { kind: "mode"; why: string })
	| (About & {
			kind: "reconnecting";
			fault: Fault | undefined;
			why: string;
			delayMs: number;
	  })
	/** The server told of an error that the stream survives. */
	| (About & { kind: "error"; error: WireErrorFacts })
	| (About & { kind: "terminated"; error: WireErrorFacts })
	| (About & { kind: "heartbeat"; cursor: string | undefined })
	/** The last item of each subscription: where one may go on by hand. */
	| (About & {
			kind: "stopped";
			cursor: string | undefined;
			fault: Fault | undefined;
	  });
