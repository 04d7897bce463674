// One capture as one line of NDJSON: everything that is needed to check, show and send the delivery again.
import { isUtf8 } from "node:buffer";
import { Fault } from "../faults/index.ts";
import {
	type HeaderPair,
	isRecord,
	parseJsonBytes,
} from "../protocol/index.ts";
import { scanCapture } from "./scan-capture.ts";

/** What was found out about a delivery: a signing verdict, or the reason why it was refused before or after that. */
export type CapturedVerdict = { kind: string } & Record<string, unknown>;

/** A delivery to be kept. */
export interface Delivery {
	receivedAtMs: number;
	method: string;
	path: string;
	/** In the order in which they came, repetitions included. */
	headers: readonly HeaderPair[];
	/** The bytes as they came from the socket. */
	body: Buffer;
	verdict: { kind: string };
	/** `status` is null where the answer was not decided when the line was written. */
	answer: { status: number | null };
	/** The label of the subscription that it was received for. */
	subscription?: string;
}

/** A delivery read back; times, headers and body are exactly those that were kept. */
export interface Capture extends Delivery {
	id: string;
	verdict: CapturedVerdict;
}

/** The line for a capture, its line feed included. */
export const writeCaptureLine = (id: string, delivery: Delivery): Buffer =>
	Buffer.from(captureLineText(id, delivery), "latin1");

/**
 * The same as text, a character for each byte: lines that are written together become one buffer, which costs less than
 * one for each.
 */
export function captureLineText(id: string, delivery: Delivery): string {
	const { receivedAtMs, subscription, method, path, headers } = delivery;
	const { verdict, answer } = delivery;
	const time = timeText(receivedAtMs);
	const before = { id, time, subscription, method, path, headers };
	const [start, end] = [jsonBytes(before), jsonBytes({ verdict, answer })];
	const body = bodyMember(delivery.body);
	return `${start.slice(0, -1)},${body},${end.slice(1)}\n`;
}

let lastTime = { ms: 0, text: new Date(0).toISOString() };

/** Many arrive in one millisecond, and to write a date takes long. */
function timeText(ms: number): string {
	if (ms !== lastTime.ms) lastTime = { ms, text: new Date(ms).toISOString() };
	return lastTime.text;
}

/**
 * The body as the member of an object, a character for each byte. Text is readable in jq, and any valid UTF-8 comes
 * back from JSON byte for byte; other bytes would not. JSON escapes nothing above ASCII: so it can be written from the
 * bytes, and to decode and encode each body would cost as much as its signature.
 */
function bodyMember(body: Buffer): string {
	return isUtf8(body)
		? `"body":${JSON.stringify(body.toString("latin1"))}`
		: `"bodyBase64":"${body.toString("base64")}"`;
}

/** The JSON text of a value, a character for each byte of its UTF-8. */
function jsonBytes(value: unknown): string {
	const text = JSON.stringify(value);
	const isAscii = Buffer.byteLength(text) === text.length;
	return isAscii ? text : Buffer.from(text).toString("latin1");
}

/** Reads one line without its line feed. Throws `not-json` or `wrong-shape`. */
export function parseCapture(line: Buffer): Capture {
	const scanned = scanCapture(line);
	const value: unknown = scanned?.members ?? parseJsonBytes(line);
	if (!isRecord(value)) throw broken("it is no object");
	const { id, time, subscription, method, path, verdict, answer } = value;
	const receivedAtMs = typeof time === "string" ? Date.parse(time) : Number.NaN;
	if (typeof id !== "string") throw broken("it has no id");
	if (Number.isNaN(receivedAtMs)) throw broken("its time is no date");
	if (typeof method !== "string" || typeof path !== "string")
		throw broken("it lacks its method or path");
	if (!isRecord(verdict) || typeof verdict.kind !== "string")
		throw broken("its verdict has no kind");
	const status = isRecord(answer) ? answer.status : undefined;
	return {
		id,
		receivedAtMs,
		method,
		path,
		headers: scanned?.headers ?? readHeaders(value.headers),
		body: scanned?.body ?? readBody(value),
		verdict: { ...verdict, kind: verdict.kind },
		answer: { status: typeof status === "number" ? status : null },
		...(typeof subscription === "string" ? { subscription } : {}),
	};
}

function readHeaders(value: unknown): HeaderPair[] {
	if (!Array.isArray(value)) throw broken("its headers are no list");
	return value.map((pair: unknown) => {
		if (!Array.isArray(pair) || pair.length !== 2)
			throw broken("one of its headers is no pair");
		const [name, text] = pair as unknown[];
		if (typeof name !== "string" || typeof text !== "string")
			throw broken("one of its headers is no text");
		return [name, text] as const;
	});
}

function readBody({ body, bodyBase64 }: Record<string, unknown>): Buffer {
	if (typeof body === "string") return Buffer.from(body, "utf8");
	if (typeof bodyBase64 === "string") return Buffer.from(bodyBase64, "base64");
	throw broken("it has no body");
}

function broken(why: string): Fault {
	return new Fault("wrong-shape", { what: "a line is no capture", why });
}
