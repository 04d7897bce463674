// Webhook delivery with everything around it in the test's hands: the clock, the source, and every endpoint.
import { randomBytes } from "node:crypto";
import { onTestFinished } from "vitest";
import { SEP_CODES } from "../../../src/protocol/index.ts";
import type {
	Callbacks,
	PostAnswer,
	Verification,
} from "../../../src/reference/callbacks/index.ts";
import { Feed } from "../../../src/reference/feed.ts";
import { Refusal } from "../../../src/reference/refusal.ts";
import type { SourceType } from "../../../src/reference/source.ts";
import {
	openStore,
	openWebhooks,
	type SubscribeResult,
	type WebhookOptions,
	type Webhooks,
} from "../../../src/reference/webhooks/index.ts";
import { createManualClock, type ManualClock } from "../manual-clock.ts";

export const SECRET = `whsec_${Buffer.alloc(32, 1).toString("base64")}`;
export const OTHER_SECRET = `whsec_${Buffer.alloc(24, 2).toString("base64")}`;
export const URL_1 = "https://one.example/hook";

/** One POST that was made, and how it was answered. */
export interface Posted {
	url: string;
	headers: Record<string, string>;
	text: string;
	// biome-ignore lint/suspicious/noExplicitAny: a body is whatever the test says it is.
	body: any;
	atMs: number;
}

export interface RoomOptions {
	choices?: Partial<WebhookOptions>;
	type?: Partial<SourceType>;
	/** Both are kept from one room to the next where a restart is played. */
	feed?: Feed<undefined>;
	manualClock?: ManualClock;
	storePath?: string;
}

export interface SubscribeWish extends Record<string, unknown> {
	url?: unknown;
	secret?: unknown;
}

export interface Room {
	clock: ManualClock;
	feed: Feed<undefined>;
	webhooks: Webhooks;
	callbacks: Callbacks;
	posts: Posted[];
	/** Every handshake, as "principal url". */
	handshakes: string[];
	notes: string[];
	/** What the endpoints answer: a status, or a whole answer; 204 at first. */
	answer: (post: Posted) => number | PostAnswer | Promise<number | PostAnswer>;
	/** Emits one event; its id counts from e1. */
	emit(dataText?: string): void;
	subscribe(more?: SubscribeWish, principal?: string): Promise<SubscribeResult>;
	/** Resolves when nothing is under way. */
	quiet(): Promise<void>;
	advance(ms: number): Promise<void>;
	/** The bodies' eventIds, or their types. */
	told(): string[];
}

export function createFeed(
	clock: ManualClock,
	epoch = "run1",
): Feed<undefined> {
	return new Feed({ clock, epoch, maxEvents: 1_000 });
}

export function typeOf(
	feed: Feed<undefined>,
	more: Partial<SourceType> = {},
): SourceType {
	return {
		descriptor: {
			name: "order.made",
			description: "",
			delivery: ["poll", "webhook"],
			inputSchema: {},
			payloadSchema: {},
		},
		head: () => feed.head(),
		read: (request) => feed.read(request, () => true),
		watch: (_args, wake) => feed.watch(wake),
		...more,
	};
}

/** This very process; nobody else is alive. */
export const owner = { pid: process.pid, host: "here", isAlive: () => false };

interface Endpoints extends Pick<Room, "posts" | "handshakes" | "answer"> {
	callbacks: Callbacks;
}

/** Endpoints as the test has them: no consent is refused, and each POST is answered by `answer`. */
function createEndpoints(clock: ManualClock): Endpoints {
	const verified = new Map<string, Verification>();
	const endpoints: Endpoints = {
		posts: [],
		handshakes: [],
		answer: () => 204,
		callbacks: {
			check: async () => {},
			async verify({ principal, url }) {
				const key = `${principal} ${url}`;
				if (verified.has(key)) return;
				endpoints.handshakes.push(key);
				const untilMs = clock.now() + 86_400_000;
				verified.set(key, { principal, url, untilMs });
			},
			async post({ url, headers, body, signal }) {
				const text = body.toString();
				const parsed = JSON.parse(text);
				const atMs = clock.now();
				const posted = {
					url,
					headers: { ...headers },
					text,
					body: parsed,
					atMs,
				};
				endpoints.posts.push(posted);
				const answer = await endpoints.answer(posted);
				signal?.throwIfAborted();
				if (typeof answer !== "number") return answer;
				return { kind: "answered", status: answer };
			},
			allowOrigin() {},
			verifications: () => [...verified.values()],
			restore(all) {
				for (const one of all) verified.set(`${one.principal} ${one.url}`, one);
			},
			close: async () => {},
		},
	};
	return endpoints;
}

/** Reads what events/subscribe asks for, without a schema to hold it to. */
function readerOf(type: SourceType): WebhookOptions["readRequest"] {
	return async ({ name, arguments: args = {}, cursor, maxAgeMs }) => {
		if (name !== type.descriptor.name)
			throw new Refusal("NotFound", "no such type", {
				data: { kind: "event" },
			});
		return {
			type,
			arguments: args as Record<string, unknown>,
			cursor: (cursor as string | null) ?? undefined,
			maxAgeMs: maxAgeMs as number | undefined,
		};
	};
}

export async function openRoom(options: RoomOptions = {}): Promise<Room> {
	const clock = options.manualClock ?? createManualClock();
	const feed = options.feed ?? createFeed(clock);
	const type = typeOf(feed, options.type);
	const endpoints = createEndpoints(clock);
	const notes: string[] = [];
	const note = (text: string) => void notes.push(text);
	const { storePath: path } = options;
	const store =
		path === undefined
			? undefined
			: await openStore({ path, owner }, { clock, note, randomBytes });
	const webhooks = openWebhooks({
		clock,
		note,
		randomBytes,
		random: () => 0,
		numbers: SEP_CODES,
		store,
		findType: (name) => (name === type.descriptor.name ? type : undefined),
		mayHave: () => true,
		readRequest: readerOf(type),
		callbacks: endpoints.callbacks,
		...options.choices,
	});
	onTestFinished(() => webhooks.close());

	async function quiet() {
		const isBusy = () =>
			webhooks.activity.sending + webhooks.activity.queued > 0;
		for (let calm = 0; calm < 3; calm = isBusy() ? 0 : calm + 1)
			await new Promise(setImmediate);
	}

	return Object.assign(endpoints, {
		clock,
		feed,
		webhooks,
		notes,
		quiet,
		emit(dataText = "{}") {
			feed.emit(
				(sequence) => ({
					eventId: `e${sequence}`,
					name: "order.made",
					at: clock.now(),
					dataText,
				}),
				undefined,
			);
		},
		subscribe(more: SubscribeWish = {}, principal = "ann") {
			const { url = URL_1, secret = SECRET, ...rest } = more;
			const delivery = { mode: "webhook", url, secret };
			const params = { name: "order.made", arguments: {}, delivery, ...rest };
			return webhooks.subscribe(params, { principal });
		},
		async advance(ms: number) {
			await clock.advance(ms);
			await quiet();
		},
		told: () => endpoints.posts.map(({ body }) => body.eventId ?? body.type),
	});
}
