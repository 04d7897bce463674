// Subscriptions that a scenario makes to try something: each is given back as soon as it has served, and all at the end.
import { randomBytes } from "node:crypto";
import { METHODS } from "../../protocol/index.ts";
import { newSecret, type Secret } from "../../signing/index.ts";
import type { Subject } from "../traffic/subject.ts";
import { type Answer, resultOf } from "../wire/answer.ts";
import type { Caller, Wire } from "../wire/wire.ts";

export interface SubscribeWish {
	subject: Pick<Subject, "name" | "arguments">;
	url: string;
	/** A new one by default. Text: sent as it is. */
	secret?: Secret | string;
	/** Beside name, arguments and delivery, or in their place. */
	params?: Record<string, unknown>;
	caller?: Caller;
	timeoutMs?: number;
}

export interface Subscribed {
	answer: Answer;
	/** Undefined where it was refused. */
	result: Record<string, unknown> | undefined;
	/** As it was answered; undefined where it is no string. */
	id: string | undefined;
	/** The one that was sent, if it was one. */
	secret: Secret | undefined;
	url: string;
	/** Subscribes again by the same key, with what differs. */
	again(more?: Partial<SubscribeWish>): Promise<Subscribed>;
	/** Unsubscribes; the answer, whatever it is. */
	release(): Promise<Answer>;
}

export interface Subscriptions {
	subscribe(wish: SubscribeWish): Promise<Subscribed>;
	/** Gives back whatever is not given back yet. Never rejects. */
	releaseAll(): Promise<void>;
}

/** Unsubscribing is attempted for what was refused, too: a server may keep what it refuses. */
export function openSubscriptions(wire: Wire): Subscriptions {
	const held = new Map<string, () => Promise<Answer>>();

	async function subscribe(wish: SubscribeWish): Promise<Subscribed> {
		const { subject, url, caller, timeoutMs, params = {} } = wish;
		const secret = wish.secret ?? newSecret(randomBytes);
		const key = {
			name: subject.name,
			arguments: subject.arguments,
			...pick(params, ["name", "arguments"]),
		};
		const heldKey = JSON.stringify([caller, key, url]);
		const release = () => {
			held.delete(heldKey);
			return wire.ask(
				METHODS.unsubscribe,
				{ ...key, delivery: { mode: "webhook", url } },
				{ ...(caller && { caller }) },
			);
		};
		held.set(heldKey, release);
		const answer = await wire.ask(
			METHODS.subscribe,
			{
				...key,
				delivery: {
					mode: "webhook",
					url,
					secret: typeof secret === "string" ? secret : secret.reveal(),
				},
				cursor: null,
				...params,
			},
			{ ...(caller && { caller }), ...(timeoutMs && { timeoutMs }) },
		);
		const result = resultOf(answer);
		const { id } = result ?? {};
		return {
			answer,
			result,
			id: typeof id === "string" ? id : undefined,
			secret: typeof secret === "string" ? undefined : secret,
			url,
			again: (more = {}) => subscribe({ ...wish, secret, ...more }),
			release,
		};
	}

	return {
		subscribe,
		async releaseAll() {
			const all = [...held.values()];
			await Promise.allSettled(all.map((release) => release()));
		},
	};
}

function pick(from: Record<string, unknown>, names: readonly string[]) {
	return Object.fromEntries(
		Object.entries(from).filter(([name]) => names.includes(name)),
	);
}
