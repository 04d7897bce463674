// Flaws for people who write clients and receivers: what a bad day brings, on poll, push and webhook where it can be.
import { NOTIFICATIONS, WEBHOOK_HEADERS } from "../../protocol/index.ts";
import { retypeEvent } from "../retype.ts";
import type { ServerEvent } from "../source.ts";
import { CUT, type Flaw, NOTHING } from "./flaw.ts";
import {
	everyNth,
	everyNthEvent,
	onEvents,
	onNotification,
	resign,
} from "./hooks.ts";
import { holdBack, swapPairs } from "./order.ts";

const chaos = (flaw: Omit<Flaw, "scenario" | "rule">): Flaw => ({
	...flaw,
	scenario: "chaos",
	rule: "chaos",
});

const nth = (byDefault: number, thing: string) =>
	({
		unit: "count",
		default: byDefault,
		means: `N: each Nth ${thing}`,
	}) as const;

const isEventsMethod = (method: string) => method.startsWith("events/");

/** JSON that breaks off, as of a process that was killed. */
const GARBAGE = '{"jsonrpc":"2.0","method":"notifications/eve';

export const CHAOS: readonly Flaw[] = [
	chaos({
		name: "duplicate",
		about: "sends events twice",
		value: nth(1, "event is sent twice"),
		make: (n) => {
			const isNth = everyNthEvent(n);
			const twice = (event: ServerEvent) =>
				isNth(event) ? [event, event] : [event];
			return onEvents((events) => events.flatMap(twice));
		},
	}),
	chaos({
		name: "reorder",
		about: "sends every second event before the one that came first",
		make: () => ({ type: swapPairs }),
	}),
	chaos({
		name: "drop",
		about: "leaves events out and says nothing of it",
		value: nth(3, "event is left out"),
		make: (n) => {
			const isNth = everyNthEvent(n);
			return onEvents((events) => events.filter((event) => !isNth(event)));
		},
	}),
	chaos({
		name: "burst",
		about: "holds events back and sends what has gathered at once",
		value: {
			unit: "duration",
			default: 3_000,
			means: "how long they are held back",
		},
		make: (holdMs, tools) => ({ type: holdBack(holdMs, tools) }),
	}),
	chaos({
		name: "bad-signature",
		about: "signs deliveries wrongly",
		value: nth(1, "attempt is signed wrongly"),
		make: (n) => {
			const isNth = everyNth(n);
			return {
				delivery({ headers }) {
					if (isNth()) spoilSignatures(headers);
				},
			};
		},
	}),
	chaos({
		name: "stale-timestamp",
		about: "dates deliveries back, and signs them so",
		value: { unit: "duration", default: 600_000, means: "how far back" },
		make: (backMs) => ({
			delivery(delivery) {
				const { headers } = delivery;
				const name = WEBHOOK_HEADERS.timestamp;
				headers[name] = String(
					Number(headers[name]) - Math.round(backMs / 1_000),
				);
				resign(delivery);
			},
		}),
	}),
	chaos({
		name: "no-heartbeat",
		about: "sends no heartbeats on streams",
		make: () => onNotification(NOTIFICATIONS.heartbeat, () => NOTHING),
	}),
	chaos({
		name: "close-every",
		about:
			"cuts a stream off after some events, and a poll in place of an answer",
		value: nth(5, "event is a stream's last, and each Nth poll has no answer"),
		make: (n) => {
			const isNthPoll = everyNth(n);
			const counts = new WeakMap<object, number>();
			return {
				message(message, { method, scope }) {
					if (method === "events/poll") return isNthPoll() ? CUT : undefined;
					if (message.method !== NOTIFICATIONS.event) return undefined;
					const count = (counts.get(scope) ?? 0) + 1;
					counts.set(scope, count);
					return count === n ? [message, CUT] : undefined;
				},
			};
		},
	}),
	chaos({
		name: "slow",
		about: "waits before every answer, frame and delivery",
		value: { unit: "duration", default: 1_000, means: "how long it waits" },
		make: (ms) => ({ delay: () => ms }),
	}),
	chaos({
		name: "garbage",
		about: "writes text that is no JSON in place of a message or a body",
		value: nth(5, "message is garbage"),
		make: (n) => {
			const isNth = everyNth(n);
			return {
				message: (_message, { method }) =>
					isEventsMethod(method) && isNth() ? GARBAGE : undefined,
				delivery(delivery) {
					if (!isNth()) return;
					delivery.body = GARBAGE;
					resign(delivery);
				},
			};
		},
	}),
	chaos({
		name: "revoke-after",
		about:
			"takes the access to an event away some time after it was first asked for",
		value: { unit: "duration", default: 10_000, means: "how long after" },
		make: (ms, { access, later }) => {
			const known = new Set<string>();
			return {
				admitted(principal, name) {
					const key = JSON.stringify([principal ?? null, name]);
					if (known.has(key)) return;
					known.add(key);
					later(() => access.revoke(principal, name), ms);
				},
			};
		},
	}),
	chaos({
		name: "schema-break",
		about: "sends data that does not fit the payloadSchema",
		value: nth(1, "event does not fit"),
		make: (n) => {
			const isNth = everyNthEvent(n);
			return onEvents((events, { descriptor }) =>
				events.map((event) =>
					isNth(event) ? retypeEvent(event, descriptor) : event,
				),
			);
		},
	}),
];

/** Every signature stays one by its form, and fits nothing. */
function spoilSignatures(headers: Record<string, string>): void {
	const name = WEBHOOK_HEADERS.signature;
	headers[name] = String(headers[name])
		.split(" ")
		.map((signature) => {
			const [version, text = ""] = signature.split(",");
			const bytes = Buffer.from(text, "base64");
			bytes[0] = (bytes[0] ?? 0) ^ 0xff;
			return `${version},${bytes.toString("base64")}`;
		})
		.join(" ");
}
