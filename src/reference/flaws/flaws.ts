// The flaws that are switched on, as the seams of the server meet them. With none every seam hands on what it was given.
import type { IncomingHttpHeaders } from "node:http";
import type { Access } from "../access.ts";
import type { HandshakeManners } from "../callbacks/index.ts";
import type { Clock } from "../clock.ts";
import type { RpcRequest } from "../rpc/core.ts";
import type { Sink } from "../rpc/stream.ts";
import type { SourceType } from "../source.ts";
import type { DeliveryManners, OutgoingDelivery } from "../webhooks/index.ts";
import {
	type About,
	type ChosenFlaw,
	CUT,
	type Hooks,
	type HttpReply,
	type Json,
	NOTHING,
} from "./flaw.ts";

/** What is written in place of one message. */
export interface Outgoing {
	texts: string[];
	/** The connection breaks off after them. */
	isCut: boolean;
}

export interface Flaws {
	/** For the few steps of honest code that no hook can undo from outside. */
	has(name: string): boolean;
	request(message: RpcRequest, headers: IncomingHttpHeaders): void;
	/** A response, after the wait that it is made to have. */
	answer(text: string, about: About): Promise<Outgoing>;
	reply(reply: HttpReply, about: About): void;
	/** A message as it stands on the transport. */
	frame(framed: string, about: About): string;
	/** The sink of a stream; `end` ends the stream where the transport has nothing to cut. */
	sink(sink: Sink, about: About, end: () => void): Sink;
	/** For webhook delivery; undefined where it is to be honest. */
	readonly manners: DeliveryManners | undefined;
	type(type: SourceType): SourceType;
	admitted(principal: string | undefined, name: string): void;
	/** Calls off what flaws still have in mind. */
	close(): void;
}

const NO_FLAWS: Flaws = {
	has: () => false,
	request() {},
	answer: async (text) => ({ texts: [text], isCut: false }),
	reply() {},
	frame: (framed) => framed,
	sink: (sink) => sink,
	manners: undefined,
	type: (type) => type,
	admitted() {},
	close() {},
};

export function openFlaws(
	chosen: readonly ChosenFlaw[],
	world: {
		clock: Clock;
		access: Access;
		allowCallbackOrigin?: ((origin: string) => void) | undefined;
	},
): Flaws {
	if (chosen.length === 0) return NO_FLAWS;
	const timers = createTimers(world.clock);
	const tools = {
		access: world.access,
		allowCallbackOrigin: (origin: string) =>
			world.allowCallbackOrigin?.(origin),
		now: () => world.clock.now(),
		later: timers.later,
	};
	const names = new Set(chosen.map(({ flaw }) => flaw.name));
	const hooks = chosen.map(({ flaw, value }) => flaw.make(value, tools));

	async function wait() {
		const ms = hooks.reduce((sum, hook) => sum + (hook.delay?.() ?? 0), 0);
		if (ms > 0) await new Promise<void>((go) => timers.later(go, ms, go));
	}

	const frame = (framed: string, about: About) =>
		hooks.reduce((text, hook) => hook.frame?.(text, about) ?? text, framed);

	return {
		has: (name) => names.has(name),
		request(message, headers) {
			for (const hook of hooks) hook.request?.(message, headers);
		},
		async answer(text, about) {
			await wait();
			return bend(text, about, hooks);
		},
		reply(reply, about) {
			for (const hook of hooks) hook.reply?.(reply, about);
		},
		frame,
		sink: (sink, about, end) => {
			const bent = (text: string) => frame(sink.frame(text), about);
			const pass = (text: string) => bend(text, about, hooks);
			return bendSink(sink, { pass, bent, wait, end });
		},
		manners: mannersOf(hooks, wait),
		type: (type) =>
			hooks.reduce((bent, hook) => hook.type?.(bent) ?? bent, type),
		admitted(principal, name) {
			for (const hook of hooks) hook.admitted?.(principal, name);
		},
		close: timers.close,
	};
}

type Item = Record<string, unknown> | string | typeof NOTHING | typeof CUT;

function bend(text: string, about: About, hooks: readonly Hooks[]): Outgoing {
	let items: readonly Item[] = [JSON.parse(text) as Json];
	for (const hook of hooks)
		items = items.flatMap((item): readonly Item[] =>
			typeof item === "object"
				? several(hook.message?.(item, about) ?? item)
				: [item],
		);
	const end = items.indexOf(CUT);
	return {
		texts: (end < 0 ? items : items.slice(0, end))
			.filter((item) => item !== NOTHING)
			.map((item) => (typeof item === "string" ? item : JSON.stringify(item))),
		isCut: end >= 0,
	};
}

const several = (next: Item | readonly Item[]): readonly Item[] =>
	Array.isArray(next) ? next : [next as Item];

function mannersOf(
	hooks: readonly Hooks[],
	wait: () => Promise<void>,
): DeliveryManners {
	return {
		async outgoing(delivery) {
			await wait();
			let all: OutgoingDelivery[] = [delivery];
			for (const { delivery: bend } of hooks)
				if (bend) all = all.flatMap((one) => bend(one) ?? [one]);
			return all;
		},
		judge: (end, status, delivery) =>
			hooks.reduce((is, hook) => hook.judge?.(is, status, delivery) ?? is, end),
		cursor: (safe, own) =>
			hooks.reduce((is, hook) => hook.deliveryCursor?.(is, own) ?? is, safe),
		handshake: handshakeOf(hooks.flatMap(({ handshake }) => handshake ?? [])),
	};
}

function handshakeOf(all: readonly HandshakeManners[]): HandshakeManners {
	return {
		asksAgain: () => all.some((one) => one.asksAgain?.()),
		async outgoing(handshake) {
			for (const one of all)
				if ((await one.outgoing?.(handshake)) === false) return false;
			return true;
		},
		async judge(isEcho, answer, handshake) {
			let isTaken = isEcho;
			for (const one of all)
				isTaken = (await one.judge?.(isTaken, answer, handshake)) ?? isTaken;
			return isTaken;
		},
	};
}

function bendSink(
	sink: Sink,
	means: {
		pass: (text: string) => Outgoing;
		bent: (text: string) => string;
		wait: () => Promise<void>;
		end: () => void;
	},
): Sink {
	let isCut = false;
	return {
		frame(message) {
			if (isCut) return "";
			const outgoing = means.pass(message);
			isCut = outgoing.isCut;
			return outgoing.texts.map(means.bent).join("");
		},
		async write(text) {
			if (text !== "") {
				await means.wait();
				await sink.write(text);
			}
			if (isCut) (sink.cut ?? means.end)();
		},
	};
}

/** Timers that end with the server. */
function createTimers(clock: Clock) {
	const cancels = new Map<
		object,
		{ cancel: () => void; atClose?: () => void }
	>();
	let isClosed = false;
	return {
		/** `atClose` is called in place of `act` where the server closes first. */
		later(act: () => void, ms: number, atClose?: () => void) {
			if (isClosed) return void atClose?.();
			const key = {};
			const cancel = clock.setTimer(() => {
				cancels.delete(key);
				act();
			}, ms);
			cancels.set(key, { cancel, ...(atClose && { atClose }) });
		},
		close() {
			isClosed = true;
			for (const { cancel, atClose } of [...cancels.values()]) {
				cancel();
				atClose?.();
			}
			cancels.clear();
		},
	};
}
