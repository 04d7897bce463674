// --exec of a listener: each verified event goes to the command once it is on disk.

import { openBoundedTasks } from "../../handlers/index.ts";
import type { Output } from "../../output/index.ts";
import type { PlaceFlags } from "../flags/capture-flags.ts";
import type { World } from "../process/world.ts";
import { type ExecEvent, type ExecOutcome, handledItem } from "./exec-event.ts";
import type { ExecOptions } from "./exec-options.ts";
import { BEHIND, type Handed, type Handler, notHandedOn } from "./handler.ts";
import { type OpenedExecutor, openExecutor } from "./open-executor.ts";

export interface ExecHandlerPlace {
	flags: PlaceFlags;
	/** Each sender is answered by what the command says: what fails, it sends again. */
	isRelayed: boolean;
	world: World;
	output: Output;
}

/** Starts nothing yet. */
export function openExecHandler(
	options: ExecOptions,
	place: ExecHandlerPlace,
): Handler {
	const { command } = options.template;
	const { now } = place.world;
	let opened: OpenedExecutor | undefined;
	const handler: Handler = {
		label: command,
		// The order, and how many run at once, are the executor's to keep.
		tasks: openBoundedTasks({ ...BEHIND, atOnce: BEHIND.most }),
		takes: ({ line, isVerified }) => line !== undefined && isVerified,
		async begin({ key, show, signal, backlog }) {
			opened = await openExecutor(options, {
				...place,
				...{ key, show, noun: "the listener" },
				isLeft: () => place.isRelayed,
			});
			const { executor } = opened;
			signal.addEventListener("abort", () => executor.giveUp());
			await executor.takeOver();
			for (const { item, capture } of backlog)
				if (item.kind === "event") {
					const { eventId: id, name, raw: line } = item.occurrence;
					const { subscription, receivedAt: at } = item;
					const event = { subscription, id, name, line, capture, at };
					void executor.add({ ...event, via: "webhook" });
				}
		},
		async hand(handed) {
			if (!opened) throw new Error("a delivery came before the beginning");
			const outcome = await opened.executor.add(eventOf(handed, now()));
			return { item: undefined, status: relayStatus(outcome) };
		},
		notHanded(handed, why) {
			const { capture = "CAPTURE" } = handed;
			const next = `see it: mcp-events captures show ${capture}`;
			const fault = notHandedOn(why, next);
			const event = eventOf(handed, now());
			const item = handledItem(event, { command, nowMs: now(), fault });
			return { item, status: 503 };
		},
		settle: async () => opened?.close(),
		close() {},
	};
	return handler;
}

function eventOf(handed: Handed, at: number): ExecEvent {
	const { subscription, id, name = "", capture } = handed;
	const line = handed.line ?? Buffer.alloc(0);
	return { subscription, via: "webhook", id, name, line, capture, at };
}

function relayStatus({ isHandled, isRefused }: ExecOutcome): number {
	if (isHandled !== false) return 204;
	return isRefused ? 503 : 500;
}
