// Hooks for the things that most flaws bend, so that a flaw is its record and one small function.
import {
	METHODS,
	nameWireError,
	SEP_CODES,
	SKETCH_CODES,
	WEBHOOK_HEADERS,
	type WireErrorName,
} from "../../protocol/index.ts";
import type { ServerEvent, SourceType } from "../source.ts";
import type { OutgoingDelivery } from "../webhooks/index.ts";
import type { About, Hooks, Json, Replacement } from "./flaw.ts";

/** Bends the result of a method in place; a value returned takes its place. */
export const onResult = (
	method: string,
	change: (result: Json, about: About) => Json,
): Hooks => ({
	message(message, about) {
		if (about.method !== method || message.result === undefined) return;
		const next = change(message.result, about);
		if (next !== undefined) message.result = next;
	},
});

/** Bends what both eras say of the server: the result of server/discover and of initialize. */
export const onDiscovery = (change: (result: Json) => void): Hooks => ({
	message(message, { method }) {
		if (method !== METHODS.discover && method !== METHODS.initialize) return;
		if (message.result) change(message.result);
	},
});

/** Bends the settings object of the extension, wherever it stands; a value returned takes its place. */
export const onCapability = (change: (settings: Json) => Json): Hooks =>
	onDiscovery(({ capabilities }) => {
		const places = [capabilities.extensions, capabilities];
		for (const place of places.filter(Boolean))
			for (const key of ["io.modelcontextprotocol/events", "events"]) {
				if (place[key] === undefined) continue;
				const next = change(place[key]);
				if (next !== undefined) place[key] = next;
			}
	});

/** Bends every descriptor of events/list in place. */
export const onDescriptors = (
	change: (descriptor: Json, index: number) => void,
): Hooks => onResult(METHODS.list, ({ events }) => events.forEach(change));

/** Bends the params of a notification in place, or says what is sent in the notification's place. */
export const onNotification = (
	method: string,
	change: (params: Json, about: About, message: Json) => Replacement,
): Hooks => ({
	message(message, about) {
		if (message.method !== method) return undefined;
		return change(message.params, about, message);
	},
});

/** Bends the `error` member of a refusal in place, whatever it is numbered. */
export const onError = (
	name: WireErrorName,
	change: (error: Json, about: About) => void,
): Hooks => ({
	message({ error }, about) {
		if (error && nameWireError(error.code) === name) change(error, about);
	},
});

/** The number of an error in the column that another one was taken from. */
export function codeLike(like: number, name: keyof typeof SEP_CODES): number {
	const isSketch = Object.values<number>(SKETCH_CODES).includes(like);
	return (isSketch ? SKETCH_CODES : SEP_CODES)[name];
}

/** A refusal in place of the answer to a method; `isMeant` narrows it. */
export const refuse = (
	isMeant: (about: About) => boolean,
	error: { code: number; message: string; data?: object },
): Hooks => ({
	message(message, about) {
		if (!isMeant(about) || message.method !== undefined) return;
		delete message.result;
		message.error = error;
	},
});

/** Signs a delivery again after its id, time or body was bent: the flaw is then no wrong signature too. */
export function resign(delivery: OutgoingDelivery): void {
	const { headers, body, sign } = delivery;
	const id = headers[WEBHOOK_HEADERS.id] ?? "";
	const at = Number(headers[WEBHOOK_HEADERS.timestamp]);
	headers[WEBHOOK_HEADERS.signature] = sign(id, at, body);
}

/** True at every nth call. */
export function everyNth(n: number): () => boolean {
	let calls = 0;
	return () => ++calls % n === 0;
}

const REMEMBERED_EVENTS = 10_000;

/** True of every nth event that is served for the first time, and true of that one for every later reader too. */
export function everyNthEvent(n: number): (event: ServerEvent) => boolean {
	const known = new Map<string, boolean>();
	const isNth = everyNth(n);
	return ({ cursor, head }) => {
		const key = cursor ?? head;
		const was = known.get(key);
		if (was !== undefined) return was;
		const is = isNth();
		known.set(key, is);
		for (const oldest of known.keys())
			if (known.size > REMEMBERED_EVENTS) known.delete(oldest);
			else break;
		return is;
	};
}

/** Bends the events that a type gives, in every mode alike. */
export const onEvents = (
	change: (events: ServerEvent[], type: SourceType) => ServerEvent[],
): Hooks => ({
	type: (type) => ({
		...type,
		async read(request) {
			const batch = await type.read(request);
			return { ...batch, events: change(batch.events, type) };
		},
	}),
});
