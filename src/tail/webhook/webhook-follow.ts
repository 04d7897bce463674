// One webhook subscription as it is followed, and what is told to whoever remembers it.
import { Fault, type WireErrorFacts } from "../../faults/index.ts";
import type {
	DeliveryStatus,
	Odd,
	WebhookGrant,
} from "../../protocol/index.ts";
import type { Registration } from "../../receiver/index.ts";
import type { Session } from "../../session/index.ts";
import type { Pieces } from "../follow.ts";
import type { Subscription } from "../item.ts";
import type { Position } from "../position.ts";
import type { RetryOptions } from "../retry.ts";
import type { Seen } from "../seen.ts";
import type { Bell } from "./bell.ts";
import type { Outbox } from "./outbox.ts";
import type { OwnSecret, Rotation } from "./rotation.ts";

/** What a subscription is remembered by. All of it may fail: then nothing is lost but the memory. */
export interface WebhookMemory {
	/** Durable before it resolves. Throws where it cannot be: such a secret is not used. */
	saveSecrets(secrets: readonly OwnSecret[]): Promise<void>;
	/** Before the server is asked for a subscription at this callback. */
	saveUrl(url: string): Promise<void>;
	/** Its cursor too, where none is remembered yet. */
	saveGrant(grant: WebhookGrant): Promise<void>;
	saveCursor(cursor: string | undefined): Promise<void>;
	/** The server has it no more. */
	saveEnd(): Promise<void>;
	/** This capture and all before it were shown; undefined: none yet. At once, and cheap. */
	markShown(capture: string | undefined): void;
	/** Those after `previous`, up to `capture`, are being shown this very moment. */
	markLeaving(capture: string, previous: string | undefined): void;
}

/** What makes a subscription look up from its wait. */
export type Call =
	| { kind: "terminated"; error: WireErrorFacts }
	| { kind: "moved"; url: string };

export interface WebhookFollow {
	subscription: Subscription;
	/** Of the receiver; below the address. */
	path: string;
	/** The callback as the server was told it last. */
	url: string;
	registration: Registration;
	position: Position;
	seen: Seen;
	odd: Odd;
	rotation: Rotation;
	bell: Bell<Call>;
	memory: WebhookMemory;
	/** How many deliveries have brought a cursor. */
	cursorsCome: number;
	/** The last capture that was shown. */
	shown: string | undefined;
	status: DeliveryStatus | undefined;
	/** Whether the server may have the subscription: it was asked for, and nothing says that it is gone. */
	mayExist: boolean;
}

export type WebhookPieces = Pieces;

/** What all subscriptions of one listener share. */
export interface WebhookShared {
	outbox: Outbox<WebhookFollow>;
	pieces: WebhookPieces;
	retry: RetryOptions;
	maxAgeMs: number | undefined;
	/** How often a callback may be refused before it has ever worked. */
	callbackTries: number;
	/** null: no expiry is asked for; undefined: the server's default. */
	ttlMs: number | null | undefined;
}

/** What ended a subscription for good; undefined: it was told to stop. */
export type Ended = Fault | undefined;

/** What follows a failed call. `again`: at once. */
export type Step =
	| { kind: "stop"; fault: Fault }
	| { kind: "again" }
	| { kind: "wait"; delayMs: number };

/** What is remembered from one call to the next. */
export interface Course {
	hasWorked: boolean;
	/** Whether the server has the subscription, as far as we know. */
	isLive: boolean;
	/** Calls in a row that failed, or subscriptions in a row that the server ended at once. */
	failures: number;
	/** Answers in a row that could not be read. */
	broken: number;
	/** The refusal of a cursor, while `null` is tried in its place. */
	rejected: Fault | undefined;
	/** Whether the next grant is news: the first, or one after a failure, an end or a move. */
	isNews: boolean;
}

/** One subscription, with all that keeping it alive takes. */
export interface Keeping {
	session: Session;
	follow: WebhookFollow;
	shared: WebhookShared;
	course: Course;
}

/** A memory that fails costs a restart its knowledge, not this run its events. */
export async function remember(
	work: Promise<void>,
	{ odd }: Pick<WebhookFollow, "odd">,
): Promise<void> {
	try {
		await work;
	} catch (error) {
		odd(
			error instanceof Fault
				? [error.what, error.why].join(": ")
				: String(error),
		);
	}
}

/** The fields that every item has. */
export function aboutWebhook(follow: WebhookFollow, receivedAt: number) {
	const { label } = follow.subscription;
	return { subscription: label, via: "webhook" as const, receivedAt };
}

/** The callback for a path below a public address, which may have a path of its own. */
export function callbackUrl(address: string, path: string): string {
	const url = new URL(address);
	url.pathname = url.pathname.replace(/\/$/, "") + path;
	return url.href;
}
