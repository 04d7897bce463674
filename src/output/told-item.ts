// What is told of an item on stderr, in plain words on one line. An event is data, and never told here.
import type { Fault, WireErrorFacts } from "../faults/index.ts";
import type { GapReason, Item } from "../tail/index.ts";
import { shellQuote } from "./shell-quote.ts";
import { visibleLine } from "./visible-text.ts";

export interface ToldItem {
	/** `loss` is told whatever was asked; `status` not under --quiet; `detail` only under --verbose. */
	level: "loss" | "status" | "detail";
	/** Visible already. */
	text: string;
}

const LONGEST_TEXT = 1_000;
const LONGEST_CURSOR = 8_192;

const GAPS: Record<GapReason, string> = {
	truncated: "the server skipped some (truncated)",
	"cursor-rejected":
		"the server rejected the cursor, so it begins anew from now",
	"no-cursor": "there is no cursor to go on from",
};

export function tellItem(item: Exclude<Item, { kind: "event" }>): ToldItem {
	const { level, text } = wordItem(item);
	if (item.subscription === "") return { level, text };
	return { level, text: `${bounded(item.subscription)}: ${text}` };
}

function wordItem(item: Exclude<Item, { kind: "event" }>): ToldItem {
	switch (item.kind) {
		case "ready": {
			const state = item.first ? "ready" : "flows again";
			const place = item.url === undefined ? "" : ` at ${bounded(item.url)}`;
			return { level: "status", text: `${state}, by ${item.via}${place}` };
		}
		case "gap": {
			// A type without replay is truncated each time, by its nature (product.md, Output).
			const isUsual = item.reason === "truncated" && item.cursor === undefined;
			const since =
				item.since === undefined
					? ""
					: ` since ${new Date(item.since).toISOString()}`;
			return {
				level: isUsual ? "detail" : "loss",
				text: `events${since} may be missing here: ${GAPS[item.reason]}`,
			};
		}
		case "mode":
			return {
				level: "status",
				text: `goes on by ${item.via}: ${bounded(item.why)}`,
			};
		case "reconnecting": {
			const wait = item.delayMs > 0 ? ` in ${duration(item.delayMs)}` : "";
			const why = joinReasons(item.why, item.fault);
			const act = item.via === "webhook" ? "subscribes" : "connects";
			const level = item.isNews === false ? "detail" : "status";
			return { level, text: `${act} again${wait}: ${why}` };
		}
		case "status": {
			const { sinceEventMs: event, sinceSignMs: sign } = item;
			const ago = (ms: number | undefined) =>
				ms === undefined ? "never" : `${duration(ms)} ago`;
			return {
				level: "status",
				text: `last event ${ago(event)}, last sign of life ${ago(sign)}`,
			};
		}
		case "error":
			return {
				level: "loss",
				text: `the server tells of an error and goes on: ${wireText(item.error)}`,
			};
		case "terminated":
			return {
				level: "loss",
				text: `the server ended the subscription: ${wireText(item.error)}`,
			};
		case "rejected":
			return wordRejection(item);
		case "envelope":
			return wordEnvelope(item.type);
		case "forwarded":
			return wordForward(item);
		case "handled":
			return wordHandled(item);
		case "heartbeat":
			return { level: "status", text: "heartbeat" };
		case "stopped":
			return wordStop(item);
	}
}

function wordRejection(item: Item & { kind: "rejected" }): ToldItem {
	const { status, reason, why, capture } = item;
	const text = `rejected a delivery (${status} ${reason}): ${bounded(why)}`;
	const isPuzzle = reason === "no-match" && capture !== undefined;
	return {
		level: "loss",
		text: isPuzzle
			? `${text}; to find the mistake: mcp-events verify ${capture}`
			: text,
	};
}

function wordEnvelope(type: string): ToldItem {
	if (type === "verification")
		return { level: "status", text: "answered the server's verification" };
	// What these two mean is told by an item of its own.
	if (type === "gap" || type === "terminated")
		return { level: "detail", text: `took a ${type} envelope` };
	return {
		level: "status",
		text: `took an envelope of the unknown type "${bounded(type)}"; it is no event`,
	};
}

function wordForward(item: Item & { kind: "forwarded" }): ToldItem {
	const { id, to, status, latencyMs, bodyStart, fault } = item;
	const deed = `${bounded(id)} to ${bounded(to)}`;
	if (fault?.code === "not-handed-on")
		return {
			level: "loss",
			text: `did not forward ${deed}: ${wordFault(fault)}`,
		};
	const about = `forwarded ${deed}`;
	const isGood = status !== undefined && status >= 200 && status < 300;
	if (isGood)
		return {
			level: "status",
			text: `${about}: ${status} in ${duration(latencyMs)}`,
		};
	const said = bodyStart === "" ? "" : `: ${bounded(bodyStart)}`;
	const how = fault ? joinReasons("no answer", fault) : `${status}${said}`;
	return { level: "loss", text: `${about}: ${how}` };
}

function wordHandled(item: Item & { kind: "handled" }): ToldItem {
	const { id, command, status, signal, isTimedOut, latencyMs, fault } = item;
	const { stdoutStart, stderrStart, retryInMs } = item;
	const deed = `${bounded(id)} to ${bounded(command)}`;
	if (fault?.code === "not-handed-on" || fault?.code === "in-doubt")
		return { level: "loss", text: `did not hand ${deed}: ${wordFault(fault)}` };
	const about = `handed ${deed}`;
	const again =
		retryInMs === undefined ? "" : `, again in ${duration(retryInMs)}`;
	if (fault)
		return { level: "loss", text: `${about}: ${wordFault(fault)}${again}` };
	const end = signal === undefined ? `status ${status}` : signal;
	const late = isTimedOut ? ", it took too long" : "";
	const text = `${about}: ${end} after ${duration(latencyMs)}${late}${again}`;
	const isGood = status === 0;
	const said = isGood ? stdoutStart : stderrStart || stdoutStart;
	return {
		level: isGood ? "status" : "loss",
		text: said.trim() === "" ? text : `${text}: ${bounded(said.trim())}`,
	};
}

function wordStop({
	cursor,
	isKept,
	fault,
}: Item & { kind: "stopped" }): ToldItem {
	const how = fault ? `stopped: ${wordFault(fault)}` : "stopped";
	const level = fault ? "loss" : "status";
	if (cursor === undefined)
		return { level, text: `${how}; there is no cursor to go on from` };
	if (isKept) return { level, text: `${how}; to go on: --resume` };
	if (cursor.length > LONGEST_CURSOR)
		return {
			level,
			text: `${how}; its last cursor has ${cursor.length} characters, and only --output records shows it`,
		};
	return { level, text: `${how}; to go on: ${cursorFlag(cursor)}` };
}

/** All three parts of a fault, on the one line that there is. */
function wordFault(fault: Fault): string {
	const reasons = joinReasons(fault.what, fault);
	return fault.next ? `${reasons}; next: ${bounded(fault.next)}` : reasons;
}

/** Always in quotes, so that one sees where it begins and ends. */
function cursorFlag(cursor: string): string {
	const quoted = shellQuote(cursor);
	const word = quoted === cursor ? `'${cursor}'` : quoted;
	// A word that begins with a dash would be read as the next flag.
	return cursor.startsWith("-") ? `--cursor=${word}` : `--cursor ${word}`;
}

function joinReasons(why: string, fault: Fault | undefined): string {
	const reasons = [why, fault?.what, fault?.why].filter(
		(reason, at, all) => reason && all.indexOf(reason) === at,
	);
	const [first = "", ...more] = reasons.map((reason) => bounded(reason ?? ""));
	return more.length > 0 ? `${first} (${more.join("; ")})` : first;
}

function wireText({ name, code, message }: WireErrorFacts): string {
	const words = message === "" ? "" : `: ${bounded(message)}`;
	return `${bounded(name)} (${code})${words}`;
}

function bounded(text: string): string {
	return visibleLine(text, LONGEST_TEXT);
}

/** As durations are written everywhere: 250ms 10s 5m 2h 1d, rounded to the unit. */
function duration(ms: number): string {
	if (ms < 1_000) return `${Math.round(ms)}ms`;
	if (ms < 120_000) return `${Math.round(ms / 1_000)}s`;
	if (ms < 7_200_000) return `${Math.round(ms / 60_000)}m`;
	return `${Math.round(ms / 3_600_000)}h`;
}
