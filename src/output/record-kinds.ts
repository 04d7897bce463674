// The lines of --output records, as data: what is written (records.ts) is tested against it, and the manual prints it.
import type { Item } from "../tail/index.ts";

export interface RecordField {
	name: string;
	/** A JSON type, or what the field holds. */
	type: string;
	meaning: string;
	/** Left out where there is nothing to say. */
	isOptional?: true;
}

export interface RecordKind {
	meaning: string;
	fields: readonly RecordField[];
}

/** Every record has these, in this order, before its own; an `error` that ends the program has `kind` alone. */
export const RECORD_COMMON_FIELDS: readonly RecordField[] = [
	{ name: "kind", type: "string", meaning: "what the record tells" },
	{
		name: "subscription",
		type: "string",
		meaning: "the event's name, with its arguments where there are any",
	},
	{ name: "via", type: "string", meaning: "poll, push or webhook" },
	{
		name: "receivedAt",
		type: "string",
		meaning: "when it reached us, ISO 8601 in UTC",
	},
];

const cursor: RecordField = {
	name: "cursor",
	type: "string or null",
	meaning: "where one may go on from; null where there is none",
};
const wireError: RecordField = {
	name: "error",
	type: "object",
	meaning: "name, code and message as the server told it, and its data if any",
};
const fault: RecordField = {
	name: "fault",
	type: "object",
	meaning: "code, what, why and next of the fault behind it",
	isOptional: true,
};

const capture: RecordField = {
	name: "capture",
	type: "string",
	meaning: "the id under which it lies among the captures",
	isOptional: true,
};
const handed: RecordField = {
	name: "id",
	type: "string",
	meaning: "the eventId, or the webhook-id of what is no event",
};
const latency: RecordField = {
	name: "latencyMs",
	type: "number",
	meaning: "how long it took",
};

/** Each kind with its own fields, in the order written. */
export const RECORD_KINDS: Readonly<Record<Item["kind"], RecordKind>> = {
	ready: {
		meaning: "events can flow",
		fields: [
			cursor,
			{
				name: "first",
				type: "boolean",
				meaning: "false after a reconnect",
			},
			{
				name: "url",
				type: "string",
				meaning: "where deliveries are received (webhook)",
				isOptional: true,
			},
		],
	},
	event: {
		meaning: "an event",
		fields: [
			{
				name: "event",
				type: "object",
				meaning: "the occurrence exactly as it was received",
			},
			capture,
		],
	},
	gap: {
		meaning: "events were, or may have been, missed",
		fields: [
			{
				name: "reason",
				type: "string",
				meaning: "truncated, cursor-rejected or no-cursor",
			},
			cursor,
			{
				name: "since",
				type: "string",
				meaning: "when all was well last: what is missing came later",
				isOptional: true,
			},
		],
	},
	mode: {
		meaning: "it goes on another way, named by via",
		fields: [{ name: "why", type: "string", meaning: "the reason" }],
	},
	reconnecting: {
		meaning: "the connection is made again",
		fields: [
			{ name: "why", type: "string", meaning: "the reason" },
			{ name: "delayMs", type: "number", meaning: "the wait before it" },
			fault,
		],
	},
	status: {
		meaning: "how long ago something came (--status-every)",
		fields: [
			{
				name: "sinceEventMs",
				type: "number or null",
				meaning: "since the last event; null where none has come",
			},
			{
				name: "sinceSignMs",
				type: "number or null",
				meaning: "since the last event, heartbeat or answered poll",
			},
			cursor,
		],
	},
	error: {
		meaning:
			"an error that the subscription survives; without subscription, the fault that ends the program, with code, what, why, next and exitStatus",
		fields: [wireError],
	},
	terminated: {
		meaning: "the server ended the subscription",
		fields: [wireError],
	},
	heartbeat: {
		meaning: "a sign of life of the server",
		fields: [cursor],
	},
	rejected: {
		meaning:
			"a delivery that was not taken; subscription is empty where it cannot be told whose it was",
		fields: [
			{ name: "reason", type: "string", meaning: "why, in one fixed word" },
			{ name: "why", type: "string", meaning: "the evidence" },
			{
				name: "status",
				type: "number",
				meaning: "what the sender was answered",
			},
			{ name: "method", type: "string", meaning: "of the request" },
			{ name: "path", type: "string", meaning: "of the request" },
			capture,
		],
	},
	envelope: {
		meaning:
			"a signed message about the subscription itself; what follows from it has a record of its own",
		fields: [
			{
				name: "type",
				type: "string",
				meaning: "verification, gap, terminated, or one that is not known",
			},
			capture,
		],
	},
	forwarded: {
		meaning: "a delivery was handed to a URL",
		fields: [
			handed,
			{ name: "to", type: "string", meaning: "the URL" },
			{
				name: "status",
				type: "number or null",
				meaning: "what it answered; null where no answer came",
			},
			latency,
			{
				name: "bodyStart",
				type: "string",
				meaning: "the first bytes of its answer",
			},
			capture,
			fault,
		],
	},
	handled: {
		meaning: "an event was handed to a command",
		fields: [
			handed,
			{ name: "command", type: "string", meaning: "the command" },
			{
				name: "status",
				type: "number or null",
				meaning: "its exit status; null where it has none",
			},
			{
				name: "signal",
				type: "string or null",
				meaning: "the signal that ended it",
			},
			{
				name: "isTimedOut",
				type: "boolean",
				meaning: "whether it took too long",
			},
			latency,
			{
				name: "stdoutStart",
				type: "string",
				meaning: "the first bytes of what it wrote to its stdout",
			},
			{
				name: "stderrStart",
				type: "string",
				meaning: "the first bytes of what it wrote to its stderr",
			},
			{
				name: "retryInMs",
				type: "number",
				meaning: "how long it is until a command that failed is run again",
				isOptional: true,
			},
			capture,
			fault,
		],
	},
	stopped: {
		meaning: "the last record of a subscription",
		fields: [cursor, fault],
	},
};
