// Runs a tail against a scripted server in virtual time and tells in short words what came of it.
import { Fault, type FaultCode } from "../../src/faults/index.ts";
import type { Item } from "../../src/tail/index.ts";
import {
	type FollowMemory,
	type Mode,
	type TailOptions,
	tailEvents,
} from "../../src/tail/index.ts";
import { type Script, ScriptedSession } from "./scripted-session.ts";
import { VirtualClock } from "./virtual-clock.ts";

export interface Run {
	/** Every item, as `tell` has it. */
	told: string[];
	items: Item[];
	notes: string[];
	warnings: string[];
	session: ScriptedSession;
	clock: VirtualClock;
}

export type RunOptions = Partial<Omit<TailOptions, "subscriptions">> & {
	via?: Mode;
	/** Event names; "tick" alone by default. */
	names?: string[];
	modes?: Mode[] | undefined;
	/** Of the first name. */
	memory?: FollowMemory;
	stopAtMs?: number;
	random?: () => number;
};

/** A tail that waits to be iterated, with all that it was given. */
export function prepareTail(script: Script, options: RunOptions = {}) {
	const clock = new VirtualClock();
	const session = new ScriptedSession(script, clock);
	const stop = new AbortController();
	const notes: string[] = [];
	const warnings: string[] = [];
	const { via = "push", names = ["tick"], stopAtMs, random } = options;
	if (stopAtMs !== undefined) clock.at(stopAtMs, () => stop.abort());
	const subscriptions = names.map((name, at) => ({
		subscription: { label: name, name, arguments: {} },
		via,
		modes: options.modes,
		memory: at === 0 ? options.memory : undefined,
	}));
	const tail = tailEvents(
		session,
		{ ...options, subscriptions },
		{
			now: clock.now,
			sleep: clock.sleep,
			random: random ?? (() => 0.5),
			signal: stop.signal,
			note: (text) => notes.push(text),
			warn: (text) => warnings.push(text),
		},
	);
	return { tail, clock, session, notes, warnings, stop };
}

/** Iterates to the end. */
export async function runTail(
	script: Script,
	options: RunOptions = {},
): Promise<Run> {
	const { tail, clock, session, notes, warnings } = prepareTail(
		script,
		options,
	);
	const items: Item[] = [];
	const collect = async () => {
		for await (const batch of tail) items.push(...batch);
	};
	await clock.run(collect());
	return { told: items.map(tell), items, notes, warnings, session, clock };
}

/** An item in a few words: its kind and what makes it different from others of its kind. */
export function tell(item: Item): string {
	switch (item.kind) {
		case "event":
			return `event ${item.occurrence.eventId}`;
		case "ready":
			return `${item.first ? "ready" : "ready again"} ${item.cursor}`;
		case "gap":
			return `gap ${item.reason} ${item.cursor}`;
		case "reconnecting":
			return `reconnecting in ${item.delayMs}`;
		case "error":
		case "terminated":
			return `${item.kind} ${item.error.name}`;
		case "heartbeat":
			return `heartbeat ${item.cursor}`;
		case "mode":
			return `mode ${item.why}`;
		case "rejected":
			return `rejected ${item.reason}`;
		case "envelope":
			return `envelope ${item.type}`;
		case "forwarded":
		case "handled":
			return `${item.kind} ${item.id} ${item.status}`;
		case "status":
			return `status ${item.sinceEventMs} ${item.sinceSignMs}`;
		case "stopped":
			return `stopped ${item.cursor}${item.fault ? ` ${item.fault.code}` : ""}`;
	}
}

/** A fault as a server or a network might cause it. */
export const fault = (code: FaultCode, more: object = {}) =>
	new Fault(code, { what: `scripted ${code}`, ...more });
