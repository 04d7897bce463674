// Webhook subscriptions as one iterable of items: what keeps them alive and what receives for them are joined here.
import type { Registration } from "../../receiver/index.ts";
import { type Session, serverWords } from "../../session/index.ts";
import { CursorSaver } from "../cursor-saver.ts";
import type { Item, Subscription } from "../item.ts";
import { Position } from "../position.ts";
import type { RetryOptions } from "../retry.ts";
import { Seen } from "../seen.ts";
import { tellOnce } from "../tell-once.ts";
import { openAbort } from "../wait.ts";
import { Bell } from "./bell.ts";
import { type BatchMarks, Desk } from "./desk.ts";
import { Intake } from "./intake.ts";
import { leaveSubscriptions } from "./leave.ts";
import { Outbox } from "./outbox.ts";
import { type OwnSecret, Rotation } from "./rotation.ts";
import {
	aboutWebhook,
	callbackUrl,
	remember,
	type WebhookFollow,
	type WebhookMemory,
	type WebhookPieces,
} from "./webhook-follow.ts";
import { type Running, startLoops } from "./webhook-loops.ts";

/** Where the receiver is reached from outside; it may change while it is used, as a tunnel's does. */
export interface Address {
	/** What the receiver's paths are put below. */
	url: string;
	changes?: AsyncIterable<string> | undefined;
}

export interface BacklogEntry {
	item: Item & { kind: "event" | "gap" };
	/** What it was captured as. */
	capture: string;
}

export interface WebhookSubscription {
	subscription: Subscription;
	/** The receiver's path for this one alone. */
	path: string;
	/** What the receiver knows it by: its label is the subscription's; its secrets and id are changed from here. */
	registration: Registration;
	memory: WebhookMemory;
	/** Where it goes on; undefined: from now. */
	cursor: string | undefined;
	/** What was taken in an earlier run, as `deliveryKey` has it, oldest first. */
	known: Iterable<string>;
	/** What was taken in an earlier run and perhaps never shown, oldest first. */
	backlog: BacklogEntry[];
	/** The last capture that an earlier run has shown. */
	shown?: string | undefined;
}

export interface WebhookOptions {
	subscriptions: WebhookSubscription[];
	address: Address;
	ttlMs?: number | null | undefined;
	maxAgeMs?: number | undefined;
	/** End after so many events in total. */
	count?: number | undefined;
	dedupWindow?: number | undefined;
	retry?: Partial<RetryOptions> | undefined;
	newSecret(): OwnSecret;
	rotateEveryMs?: number | undefined;
	/** How long an old secret is accepted after a rotation. */
	graceMs?: number | undefined;
	/** Leave the subscriptions as they are when it ends. */
	keep?: boolean | undefined;
	/** Stops receiving. Called once, when nothing more is wanted. */
	closeReceiver(): Promise<void>;
}

/** Iterate it once. Deliveries are handed in through `intake`, from before the first item is asked for. */
export interface WebhookTail extends AsyncIterable<Item[]> {
	readonly intake: Intake;
	/** To be told how far the batch that was yielded last has gone; without that it counts once the next is asked for. */
	readonly marks: BatchMarks;
}

/** What cannot be saved costs a restart its knowledge; it is not tried again before it changes. */
const WEBHOOK_SAVING = {
	async save(follow: WebhookFollow, cursor: string | undefined) {
		await remember(follow.memory.saveCursor(cursor), follow);
		return true;
	},
	pauseMs: 1_000,
	failedPauseMs: 1_000,
};
const DEDUP_WINDOW = 10_000;
const GRACE_MS = 10 * 60_000;

/**
 * Keeps the subscriptions alive and yields what they bring, in batches, until all of them have stopped, `count` events
 * have been yielded or the signal aborts. A batch counts as accepted once the next one is asked for: then its captures
 * are marked as shown and its cursor is saved. Whatever ends it, the server is told (unless `keep`), the receiver is
 * closed, what came meanwhile is yielded, and the last item of each subscription is `stopped`. Without a session there
 * is no server to subscribe at: the deliveries of any sender are yielded.
 */
export function openWebhookTail(
	session: Session | undefined,
	options: WebhookOptions,
	pieces: WebhookPieces,
): WebhookTail {
	const outbox = new Outbox<WebhookFollow>();
	const follows = options.subscriptions.map((one) =>
		openFollow(one, options, pieces),
	);
	const byLabel = new Map(follows.map((f) => [f.subscription.label, f]));
	const { count } = options;
	const intake = new Intake({ follows: byLabel, outbox, pieces, count });
	const saver = new CursorSaver(WEBHOOK_SAVING, pieces);
	const desk = new Desk(count, saver);
	const parts = { session, options, pieces, outbox, follows, saver, desk };
	return {
		intake,
		marks: desk,
		[Symbol.asyncIterator]() {
			const leave = new AbortController();
			const items = runTail(parts, leave.signal);
			return {
				next: () => items.next(),
				// A generator would first finish the wait that it is in.
				return: () => {
					leave.abort();
					return items.return();
				},
			};
		},
	};
}

/** What the parts of a webhook tail are made of. */
export interface Parts {
	session: Session | undefined;
	options: WebhookOptions;
	pieces: WebhookPieces;
	outbox: Outbox<WebhookFollow>;
	follows: WebhookFollow[];
	saver: CursorSaver<WebhookFollow>;
	desk: Desk;
}

async function* runTail(
	parts: Parts,
	left: AbortSignal,
): AsyncGenerator<Item[], void, void> {
	const { outbox, follows, pieces, options, saver, desk } = parts;
	const stop = openAbort(pieces.signal);
	left.addEventListener("abort", stop.abort, { once: true });
	const own = { ...pieces, signal: stop.signal };
	const running = startLoops(parts, own);
	let isOver = false;
	const end = async () => {
		if (isOver) return;
		isOver = true;
		stop.abort();
		await running.ended;
		await leaveAll(parts);
		await options.closeReceiver();
	};
	try {
		while (!desk.isDone && running.open.size > 0) {
			const parcels = await outbox.take(stop.signal);
			if (!parcels) break;
			yield* desk.hand(parcels);
		}
		await end();
		if (running.defects.length > 0) throw running.defects[0];
		yield* desk.hand(outbox.drain());
		await saver.close(follows);
		yield follows.map((follow) => stopped(follow, running, pieces));
	} finally {
		await end();
		await saver.close(follows);
		stop.close();
		noteRepetitions(follows, pieces);
	}
}

function openFollow(
	one: WebhookSubscription,
	options: WebhookOptions,
	pieces: WebhookPieces,
): WebhookFollow {
	const { subscription, path, registration, memory, cursor } = one;
	const { newSecret, rotateEveryMs: everyMs, graceMs = GRACE_MS } = options;
	const seen = new Seen(options.dedupWindow ?? DEDUP_WINDOW);
	for (const key of one.known) seen.isNew(key);
	seen.repeated = 0;
	return {
		subscription,
		path,
		url: callbackUrl(options.address.url, path),
		registration,
		position: new Position(cursor),
		seen,
		odd: tellOnce(subscription.label, pieces),
		rotation: new Rotation(
			registration,
			{ newSecret, everyMs, graceMs },
			memory.saveSecrets,
		),
		bell: new Bell(),
		memory,
		cursorsCome: 0,
		shown: one.shown,
		status: undefined,
		mayExist: false,
	};
}

async function leaveAll({ session, options, follows, pieces }: Parts) {
	const left = follows.filter((follow) => follow.mayExist);
	if (!session || left.length === 0) return;
	if (!options.keep) return leaveSubscriptions(session, left, pieces);
	for (const { subscription, url } of left)
		pieces.warn(
			`${subscription.label}: kept at ${url}; to end it: mcp-events subscriptions prune ${serverWords(session.server)}`,
		);
}

function stopped(
	follow: WebhookFollow,
	{ faults }: Running,
	pieces: WebhookPieces,
): Item {
	const { cursor } = follow.position;
	const fault = faults.get(follow);
	return {
		...aboutWebhook(follow, pieces.now()),
		kind: "stopped",
		cursor,
		fault,
	};
}

function noteRepetitions(follows: WebhookFollow[], pieces: WebhookPieces) {
	for (const { seen, subscription } of follows)
		if (seen.repeated > 0)
			pieces.note(
				`${subscription.label}: ${seen.repeated} repeated deliveries were dropped`,
			);
}
