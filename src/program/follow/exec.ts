// --exec of poll, stream and tail: each event is claimed, shown, and handed to the command, in its order; all else is
// shown as it comes. However many wait, the source waits with them.
import type { Output } from "../../output/index.ts";
import { readOccurrence } from "../../protocol/index.ts";
import type { ClaimsKey } from "../../state/index.ts";
import type { FollowMemory, Item } from "../../tail/index.ts";
import type { StateFlags } from "../connect/state-place.ts";
import type { ExecEvent } from "../handlers/exec-event.ts";
import type { ExecOptions } from "../handlers/exec-options.ts";
import {
	type OpenedExecutor,
	openExecutor,
} from "../handlers/open-executor.ts";
import { openReaderLimit } from "../process/slow-reader.ts";
import type { World } from "../process/world.ts";
import { ExecLedger } from "./exec-ledger.ts";

export interface FollowExecPlace {
	key: ClaimsKey;
	flags: StateFlags;
	/** Events that are not handled come again in the next run. */
	isResumed: boolean;
	/** Aborted when the run is to end. */
	ending: AbortSignal;
	world: World;
	output: Output;
}

export interface FollowExec extends AsyncDisposable {
	guard(label: string, memory: FollowMemory): FollowMemory;
	/** Shows what is no event, and hands on what is; waits for room. Rejects where nothing can be shown. */
	take(batch: readonly Item[]): Promise<void>;
}

/** How long a command may still run at the end: all clean-up has five seconds, and a command two to die in. */
const FINISH_MS = 2_500;

/** Opens it, and deals with what an earlier run has left. Throws `file-failed`. */
export async function openFollowExec(
	options: ExecOptions,
	place: FollowExecPlace,
): Promise<FollowExec> {
	const { world, output, ending, isResumed } = place;
	const limit = openReaderLimit(world, output);
	let failure: { error: unknown } | undefined;
	const show = async (items: readonly Item[]): Promise<boolean> => {
		try {
			return await limit.isTaken(output.items(items));
		} catch (error) {
			failure ??= { error };
			return false;
		}
	};
	const opened = await openExecutor(options, {
		...place,
		noun: "the run",
		show: async (items) => void (await show(items)),
		begun: (events) => show(events.map(itemOf)),
		isLeft: (event, why) =>
			why === "end" && isResumed && event.capture === undefined,
	});
	const { executor } = opened;
	const ended = new AbortController();
	const hurry = () => {
		const callOff = world.setTimer(() => executor.giveUp(), FINISH_MS);
		ended.signal.addEventListener("abort", callOff);
	};
	if (ending.aborted) hurry();
	else ending.addEventListener("abort", hurry, { signal: ended.signal });
	await executor.takeOver();
	const { ledger, take } = taking(opened, show);
	return {
		guard: (label, memory) => ledger.guard(label, memory),
		async take(batch) {
			await take(batch);
			if (failure) throw failure.error;
		},
		async [Symbol.asyncDispose]() {
			await opened.close();
			ended.abort();
			limit.end();
		},
	};
}

function taking(
	{ executor }: OpenedExecutor,
	show: (items: readonly Item[]) => Promise<boolean>,
) {
	const ledger = new ExecLedger();
	const take = async (batch: readonly Item[]) => {
		let plain: Item[] = [];
		const flush = async () => {
			if (plain.length > 0) await show(plain);
			plain = [];
		};
		for (const item of batch) {
			if (item.kind !== "event") {
				// The last word on a subscription comes after the last of its events.
				if (item.kind === "stopped") await executor.settle();
				plain.push(item);
				continue;
			}
			await flush();
			await executor.room();
			const event = eventOf(item);
			ledger.enter(item.subscription, event.id, executor.add(event));
		}
		await flush();
	};
	return { ledger, take };
}

function eventOf(item: Item & { kind: "event" }): ExecEvent {
	const { occurrence, subscription, via, receivedAt, capture } = item;
	const { eventId: id, name, raw: line } = occurrence;
	return { id, subscription, via, name, line, capture, at: receivedAt, item };
}

/** One of an earlier run has no item any more. */
function itemOf(event: ExecEvent): Item {
	const { item, line, subscription, via, at, capture } = event;
	if (item) return item;
	const value: unknown = JSON.parse(line.toString("utf8"));
	const span = { start: 0, end: line.length };
	const occurrence = readOccurrence(line, span, value, () => {});
	return {
		...{ kind: "event", subscription, via, receivedAt: at },
		...{ occurrence, capture },
	};
}
