// One request that came to a callback, as it came, and what it was answered with.
import { TLSSocket } from "node:tls";
import {
	type HeaderPair,
	headerValues,
	isRecord,
	parseJsonBytes,
	WEBHOOK_HEADERS,
} from "../../protocol/index.ts";
import type { RequestHead } from "../../receiver/index.ts";
import type { Scribe, WireMessage } from "../wire/record.ts";

export interface CallbackRequest {
	/** Epoch milliseconds at which it had come in whole. */
	atMs: number;
	/** When it was answered; undefined while it is not. */
	answeredAtMs: number | undefined;
	/** What it was answered with; undefined before, and where the connection was closed. */
	status: number | undefined;
	method: string;
	/** The path as it was asked for, a query included. */
	target: string;
	headers: readonly HeaderPair[];
	/** As it came; empty where it was larger than `RECEIVING_LIMITS.bodyBytes`. */
	body: Buffer;
	/** Of the body, as far as it was read. */
	bytes: number;
	/** The body as JSON, if it is an object. */
	json: Record<string, unknown> | undefined;
	/** `event`, or what stands in the top-level `type` of an envelope; `other` where it is no POST of a JSON object. */
	kind: string;
	/** Of an event: counts from 1 the requests of the same webhook-id or eventId at this path. */
	attempt: number;
	/** Of an event: counts from 1 the events of this path, each with all its attempts. */
	nth: number;
	/** TLS only: the name that the sender asked for; false or undefined where it named none. */
	servername: string | false | undefined;
	record: readonly [WireMessage];
}

export interface Arrived {
	head: RequestHead;
	body: Buffer;
	atMs: number;
	socket: unknown;
	/** In place of the body's length, where it was too large to be read. */
	declaredBytes?: number | undefined;
}

/** Reads what came; `attempt` is filled in by the path that it came to. */
export function readCallback(
	{ head, body, atMs, socket, declaredBytes }: Arrived,
	scribe: Scribe,
): CallbackRequest {
	const { method, target, headers } = head;
	const json = jsonOf(body);
	const message = scribe.note(
		{
			direction: "received",
			via: "receiver",
			head: `${method} ${target}`,
			headers: Object.fromEntries(
				headers.map(([name, value]) => [name.toLowerCase(), value]),
			),
			at: atMs,
		},
		body,
	);
	return {
		...{ atMs, method, target, headers, body, json },
		bytes: declaredBytes ?? body.length,
		answeredAtMs: undefined,
		status: undefined,
		kind: method === "POST" && json ? kindOf(json) : "other",
		attempt: 1,
		nth: 1,
		servername: socket instanceof TLSSocket ? servernameOf(socket) : undefined,
		record: [message],
	};
}

/** All values of a header, joined by a space; undefined where it is not there. Lower-case name. */
export function headerOf(
	{ headers }: Pick<CallbackRequest, "headers">,
	name: string,
): string | undefined {
	const values = headerValues(headers, name);
	return values.length === 0 ? undefined : values.join(" ");
}

export const webhookIdOf = (request: CallbackRequest) =>
	headerOf(request, WEBHOOK_HEADERS.id);

/** The eventId of an event; undefined where it has none that is a string. */
export function eventIdOf({ json }: CallbackRequest): string | undefined {
	return typeof json?.eventId === "string" ? json.eventId : undefined;
}

/** When an event happened, as it says itself: epoch milliseconds, or NaN. Order may change on the way. */
export const timeOf = ({ json }: CallbackRequest): number =>
	Date.parse(String(json?.timestamp));

export const isEvent = ({ kind }: CallbackRequest) => kind === "event";
export const isChallenge = ({ kind }: CallbackRequest) =>
	kind === "verification";
export const isEnvelope = ({ kind }: CallbackRequest) =>
	kind !== "event" && kind !== "other";

function jsonOf(body: Buffer): Record<string, unknown> | undefined {
	try {
		const value = parseJsonBytes(body);
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

const kindOf = ({ type }: Record<string, unknown>) =>
	type === undefined ? "event" : String(type);

/** Node's types leave it out of a socket that is not the client's. */
function servernameOf(socket: TLSSocket): string | false | undefined {
	const { servername }: { servername?: unknown } = socket;
	return typeof servername === "string" || servername === false
		? servername
		: undefined;
}
