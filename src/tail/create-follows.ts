// From the options of a tail to its subscriptions as their loops follow them.
import { POLL_FLOOR_MS } from "../protocol/index.ts";
import type { Count } from "./cut.ts";
import type { Follow, FollowMemory, Pieces } from "./follow.ts";
import { Position } from "./position.ts";
import { Reading } from "./reading.ts";
import { RETRY_DEFAULTS } from "./retry.ts";
import { defaultWindow, Seen } from "./seen.ts";
import type { TailOptions } from "./tail-options.ts";
import { tellOnce } from "./tell-once.ts";
import { Turns } from "./turns.ts";

const STALE_AFTER_MS = 60_000;
/** A longer timer of Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export function createFollows(
	options: TailOptions,
	{ count, pieces }: { count: Count; pieces: Pieces },
): Follow[] {
	const isAlone = options.subscriptions.length === 1;
	const turns = new Turns(pieces);
	const reading = new Reading();
	const window =
		options.dedupWindow ?? defaultWindow(options.subscriptions.length);
	const staleAfterMs = options.staleAfterMs ?? STALE_AFTER_MS;
	return options.subscriptions.map((one) => {
		const { subscription, via, memory, modes } = one;
		const { earlier } = memory ?? {};
		const cursor = one.cursor ?? options.cursor ?? earlier?.cursor;
		return {
			subscription,
			via,
			modes: modes ?? [via],
			isFree: modes !== undefined,
			canReceive: options.hub !== undefined,
			canLeave: false,
			probeAt: undefined,
			downAs: undefined,
			position: new Position(cursor),
			seen: seenBefore(window, memory),
			memory,
			life: {
				signAt: earlier?.savedAt,
				eventAt: undefined,
				silentSince: undefined,
			},
			turns,
			reading,
			wasReady: false,
			isUnanchored: earlier !== undefined && cursor === undefined,
			odd: tellOnce(subscription.label, pieces),
			maxAgeMs: options.maxAgeMs,
			maxEvents: options.maxEvents,
			intervalFloorMs: options.intervalFloorMs ?? POLL_FLOOR_MS,
			intervalCeilingMs: options.intervalCeilingMs ?? Number.POSITIVE_INFINITY,
			maxPages: options.maxPages ?? Number.POSITIVE_INFINITY,
			staleAfterMs: Math.min(staleAfterMs, LONGEST_TIMER_MS),
			giveUpAfterMs: options.giveUpAfterMs ?? Number.POSITIVE_INFINITY,
			once: options.once ?? false,
			heartbeats: options.heartbeats ?? false,
			retry: { ...RETRY_DEFAULTS, ...options.retry },
			wanted: () => (isAlone ? count.left : undefined),
		};
	});
}

function seenBefore(window: number, memory: FollowMemory | undefined): Seen {
	const seen = new Seen(window);
	for (const id of memory?.seen ?? []) seen.isNew(id);
	seen.repeated = 0;
	return seen;
}
