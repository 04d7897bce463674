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
			/** Webhook: where deliveries are received. */
			url?: string | undefined;
	  })
	| (About & {
			kind: "event";
			occurrence: Occurrence;
			/** Webhook: the id under which the delivery was captured. */
			capture?: string | undefined;
	  })
	/** Events were, or may have been, skipped before `cursor`. */
	| (About & {
			kind: "gap";
			reason: GapReason;
			cursor: string | undefined;
			/** When all was well last; undefined: not known. */
			since?: number | undefined;
	  })
	| (About & { kind: "mode"; why: string })
	| (About & {
			kind: "reconnecting";
			fault: Fault | undefined;
			why: string;
			delayMs: number;
			/** False where the last try met the same trouble. */
			isNews?: boolean | undefined;
	  })
	/** How long ago something came, asked for with --status-every. */
	| (About & {
			kind: "status";
			/** Milliseconds; undefined: nothing has ever come. */
			sinceEventMs: number | undefined;
			sinceSignMs: number | undefined;
			cursor: string | undefined;
	  })
	/** The server told of an error that the stream survives. */
	| (About & { kind: "error"; error: WireErrorFacts })
	| (About & { kind: "terminated"; error: WireErrorFacts })
	| (About & { kind: "heartbeat"; cursor: string | undefined })
	/** A delivery that was not taken. `subscription` is empty where it cannot be told whose it was. */
	| (About & {
			kind: "rejected";
			reason: string;
			why: string;
			/** What the sender was answered. */
			status: number;
			method: string;
			path: string;
			capture: string | undefined;
	  })
	/** A signed message about the subscription itself: `verification`, `gap`, `terminated` or a type we do not know. */
	| (About & { kind: "envelope"; type: string; capture: string | undefined })
	/** A delivery was handed to a URL. */
	| (About & {
			kind: "forwarded";
			/** The event's id, or the message's where it is no event. */
			id: string;
			to: string;
			/** undefined: no answer came, and `fault` says why. */
			status: number | undefined;
			latencyMs: number;
			bodyStart: string;
			capture?: string | undefined;
			fault: Fault | undefined;
	  })
	/** An event was handed to a command. */
	| (About & {
			kind: "handled";
			id: string;
			command: string;
			/** undefined: a signal ended it, or it was not started. */
			status: number | undefined;
			signal: string | undefined;
			isTimedOut: boolean;
			latencyMs: number;
			/** The first bytes of what it wrote. */
			stdoutStart: string;
			stderrStart: string;
			/** How long it is until the command, which failed, is run again for it. */
			retryInMs?: number | undefined;
			/** Where it lies: as it came, or as it was parked. */
			capture?: string | undefined;
			fault: Fault | undefined;
	  })
	/** The last item of each subscription: where one may go on by hand. */
	| (About & {
			kind: "stopped";
			cursor: string | undefined;
			/** The position is saved, so that --resume goes on from there. */
			isKept?: boolean | undefined;
			fault: Fault | undefined;
	  });
