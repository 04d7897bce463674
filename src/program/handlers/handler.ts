// What a listener hands deliveries to, whatever it is: a URL or a command.
import { Fault } from "../../faults/index.ts";
import type { BoundedTasks } from "../../handlers/index.ts";
import type { HeaderPair } from "../../protocol/index.ts";
import type { ReceivedDelivery } from "../../receiver/index.ts";
import type { ClaimsKey } from "../../state/index.ts";
import {
	type BacklogEntry,
	type Item,
	messageId,
	readMessage,
} from "../../tail/index.ts";

/** A delivery on its way to handlers. */
export interface Handed {
	subscription: string;
	/** The eventId, or the message's id where it is no event. */
	id: string;
	/** The event's name; undefined where it is no event. */
	name: string | undefined;
	/** The event on one line; undefined where it is no event. */
	line: Buffer | undefined;
	headers: readonly HeaderPair[];
	body: Buffer;
	/** The id under which it was captured. */
	capture: string | undefined;
	isVerified: boolean;
}

/** How it went: what is told, and what the sender is answered under --relay-status. */
export interface Outcome {
	/** undefined: it was told already. */
	item: Item | undefined;
	status: number;
}

/** What a handler must know before the first delivery comes. */
export interface HandlerStart {
	/** Whose events they are; undefined: nothing is remembered of them. */
	key: ClaimsKey | undefined;
	/** What an earlier run took and has not shown. */
	backlog: readonly BacklogEntry[];
	/** Aborted when no more time is left. */
	signal: AbortSignal;
	show(items: Item[]): Promise<void>;
}

export interface Handler {
	/** For messages: no secret stands in it. */
	readonly label: string;
	readonly tasks: BoundedTasks;
	takes(handed: Handed): boolean;
	/** Throws `file-failed`. */
	begin?(start: HandlerStart): Promise<void>;
	/** Never rejects: a fault is an outcome too. */
	hand(handed: Handed, signal: AbortSignal): Promise<Outcome>;
	/** What comes of one that was not handed on. */
	notHanded(handed: Handed, why: string): Outcome;
	/** Waits for what was not given to it by `hand` too. */
	settle?(): Promise<void>;
	close(): void;
}

/** How many deliveries one handler may be behind, and how much memory they may hold. */
export const BEHIND = { most: 1_000, mostBytes: 32 * 1024 * 1024 };

/** A delivery as handlers see it. */
export function handedOf(
	delivery: ReceivedDelivery,
	capture: string | undefined,
): Handed {
	const { subscription, headers, body, content } = delivery;
	const occurrence =
		content.kind === "event"
			? content.occurrence
			: content.kind === "message"
				? readMessage(body, messageId(headers))
				: undefined;
	return {
		subscription,
		id: occurrence?.eventId ?? messageId(headers),
		name: occurrence?.name,
		line: occurrence?.raw,
		headers,
		body,
		capture,
		isVerified: true,
	};
}

/** The fault of a delivery that stayed here. It was kept, so there is a way to hand it on later. */
export function notHandedOn(why: string, next: string): Fault {
	return new Fault("not-handed-on", { what: why, next });
}

/** A fault as it is; anything else is a defect of ours, which must not end the listener. */
export function faultOf(error: unknown): Fault {
	if (error instanceof Fault) return error;
	const what = error instanceof Error ? error.message : String(error);
	return new Fault("bug", { what, cause: error });
}
