// --output records: every item is one line of JSON. An event is spliced in as the bytes that came.
import type { Fault, WireErrorFacts } from "../faults/index.ts";
import type { Item } from "../tail/index.ts";

const CLOSE = Buffer.from("}");

/**
 * Returns what turns an item into the parts of its line. It remembers the beginning of the last event's line: in a
 * burst they are alike. `mask` is for what a server says outside of its events.
 */
export function createRecordWriter(
	mask: (text: string) => string,
): (item: Item) => Buffer[] {
	let last: { item: Item; start: Buffer } | undefined;
	return (item) => {
		if (item.kind !== "event")
			return [Buffer.from(`${start(item)}${mask(ownFields(item))}}`)];
		if (!last || !isAlike(last.item, item))
			last = { item, start: Buffer.from(`${start(item)},"event":`) };
		const { capture, occurrence } = item;
		if (capture === undefined) return [last.start, occurrence.raw, CLOSE];
		const end = Buffer.from(`,"capture":${JSON.stringify(capture)}}`);
		return [last.start, occurrence.raw, end];
	};
}

/** The line of a fault that ends the program. */
export function faultRecord(fault: Fault): Buffer {
	return Buffer.from(
		JSON.stringify({
			kind: "error",
			...faultFields(fault),
			exitStatus: fault.exitStatus,
		}),
	);
}

function isAlike(one: Item, other: Item): boolean {
	return (
		one.receivedAt === other.receivedAt &&
		one.subscription === other.subscription &&
		one.via === other.via
	);
}

/** The common fields, without the closing brace. */
function start(item: Item): string {
	const common = {
		kind: item.kind,
		subscription: item.subscription,
		via: item.via,
		receivedAt: new Date(item.receivedAt).toISOString(),
	};
	return JSON.stringify(common).slice(0, -1);
}

/** The fields of the kind, each after a comma. */
function ownFields(item: Exclude<Item, { kind: "event" }>): string {
	const json = JSON.stringify(fieldsOf(item));
	return `,${json.slice(1, -1)}`;
}

function fieldsOf(item: Exclude<Item, { kind: "event" }>): object {
	switch (item.kind) {
		case "ready":
			return { cursor: item.cursor ?? null, first: item.first, url: item.url };
		case "gap":
			return {
				reason: item.reason,
				cursor: item.cursor ?? null,
				since:
					item.since === undefined
						? undefined
						: new Date(item.since).toISOString(),
			};
		case "mode":
			return { why: item.why };
		case "reconnecting":
			return {
				why: item.why,
				delayMs: item.delayMs,
				fault: item.fault && faultFields(item.fault),
			};
		case "status":
			return {
				sinceEventMs: item.sinceEventMs ?? null,
				sinceSignMs: item.sinceSignMs ?? null,
				cursor: item.cursor ?? null,
			};
		case "error":
		case "terminated":
			return { error: wireFields(item.error) };
		case "heartbeat":
			return { cursor: item.cursor ?? null };
		case "rejected": {
			const { reason, why, status, method, path, capture } = item;
			return { reason, why, status, method, path, capture };
		}
		case "envelope":
			return { type: item.type, capture: item.capture };
		case "forwarded":
			return {
				id: item.id,
				to: item.to,
				status: item.status ?? null,
				latencyMs: item.latencyMs,
				bodyStart: item.bodyStart,
				capture: item.capture,
				fault: item.fault && faultFields(item.fault),
			};
		case "handled":
			return {
				id: item.id,
				command: item.command,
				status: item.status ?? null,
				signal: item.signal ?? null,
				isTimedOut: item.isTimedOut,
				latencyMs: item.latencyMs,
				stdoutStart: item.stdoutStart,
				stderrStart: item.stderrStart,
				retryInMs: item.retryInMs,
				capture: item.capture,
				fault: item.fault && faultFields(item.fault),
			};
		case "stopped":
			return {
				cursor: item.cursor ?? null,
				fault: item.fault && faultFields(item.fault),
			};
	}
}

function faultFields({ code, what, why, next }: Fault) {
	return { code, what, why, next };
}

function wireFields({ name, code, message, data }: WireErrorFacts) {
	return { name, code, message, data: writable(data) };
}

/** Data of a stranger may be nested deeper than JSON.stringify can go. */
function writable(data: unknown): unknown {
	try {
		JSON.stringify(data);
		return data;
	} catch {
		return "nested too deeply to be shown";
	}
}
