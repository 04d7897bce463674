// The positions of a run with --resume: opened from the state folder before it begins, watched while it goes on.
import { randomBytes } from "node:crypto";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { canonicalJson } from "../../protocol/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import {
	openPosition,
	Places,
	prunePositions,
	readStealMark,
	type SavedPosition,
	takenOver,
	UNUSED_DAYS,
} from "../../state/index.ts";
import type { FollowMemory, Subscription } from "../../tail/index.ts";
import type { ConnectionFlags } from "../connect/connect.ts";
import { ownerOf } from "../connect/owner.ts";
import { readPrincipal } from "../connect/principal.ts";
import { type StateFlags, stateFolder } from "../connect/state-place.ts";
import type { World } from "../process/world.ts";

export interface PositionsOptions {
	server: ServerAddress;
	/** As records name it. */
	label: string;
	flags: ConnectionFlags & StateFlags;
	subscriptions: readonly Wanted[];
	steal: boolean;
	/** How many event ids are kept. */
	window: number;
	world: World;
	output: Output;
}

interface Wanted {
	subscription: Subscription;
	/** What --cursor or --from-now say goes before what is saved. */
	afresh: boolean;
}

export interface Positions {
	/** In the order of the subscriptions. */
	memories: FollowMemory[];
	/** Lets go of them. Never throws. */
	close(): Promise<void>;
}

/** How soon one that was taken over ends. */
const WATCH_MS = 1_000;
/** How many locks are looked at each time, whatever is told. */
const LOOKED_AT = 20;
/** Each is an open file. */
const MOST_AT_ONCE = 16;

/** Opens one for each subscription. Throws `in-use`, `file-failed`, or `wrong-use` where one is named twice. */
export async function openPositions(
	options: PositionsOptions,
): Promise<Positions> {
	const { world, flags, subscriptions, output } = options;
	refuseTwins(subscriptions.map(({ subscription }) => subscription));
	const principal = await readPrincipal(options.server, flags, world);
	const folder = stateFolder(flags, world);
	const places = new Places(MOST_AT_ONCE);
	const open = async (one: Wanted): Promise<Held> => {
		const { subscription, afresh } = one;
		const { name: event, arguments: args } = subscription;
		const position = await openPosition(
			{ server: options.label, event, arguments: args, principal },
			{
				folder,
				owner: ownerOf(world),
				now: world.now,
				randomBytes,
				damaged: (text) => output.warn(text),
				window: options.window,
				steal: options.steal,
				afresh,
			},
		);
		return { subscription, position, lost: new AbortController() };
	};
	const opened = await Promise.allSettled(
		subscriptions.map((one) => places.run(() => open(one))),
	);
	const held = opened.flatMap((one) =>
		one.status === "fulfilled" ? [one.value] : [],
	);
	const watch = new AbortController();
	const close = async () => {
		watch.abort();
		const release = ({ position }: Held) => places.run(position.release);
		await Promise.all(held.map(release));
	};
	const failure = opened.find((one) => one.status === "rejected");
	if (failure) {
		await close();
		throw failure.reason;
	}
	tellStarts(held, output);
	await tidyUp(folder, options);
	void watchAll(held, { folder, signal: watch.signal, world });
	return { memories: held.map(memoryOf), close };
}

/** Those of this run are ours by now, and stay. */
async function tidyUp(
	folder: string,
	{ world, output }: Pick<PositionsOptions, "world" | "output">,
): Promise<void> {
	const removed = await prunePositions({
		...{ folder, owner: ownerOf(world), now: world.now, randomBytes },
	});
	if (removed > 0)
		output.say(
			`saved positions that nobody used for ${UNUSED_DAYS} days: ${removed} removed`,
		);
}

interface Held {
	subscription: Subscription;
	position: SavedPosition;
	lost: AbortController;
}

function memoryOf({ subscription, position, lost }: Held): FollowMemory {
	return {
		earlier: position.earlier,
		seen: position.seen,
		async save(cursor, atMs) {
			try {
				await position.save(cursor, atMs);
			} catch (error) {
				if (error instanceof Fault && error.code === "taken-over")
					lost.abort(takenOver({ event: subscription.name }));
				throw error;
			}
		},
		addSeen: (eventIds) => position.addSeen(eventIds),
		lost: lost.signal,
	};
}

/**
 * Until it is told to stop. One in quiet times saves nothing, and would not find out by itself. All are looked at where
 * the mark tells of a change, and in between some of them in turn: whoever removes a lock leaves no mark.
 */
async function watchAll(
	held: readonly Held[],
	{
		folder,
		signal,
		world,
	}: { folder: string; signal: AbortSignal; world: World },
): Promise<void> {
	let mark = await readStealMark(folder);
	let at = 0;
	while (!signal.aborted) {
		const now = await readStealMark(folder);
		const isAll = now !== mark;
		mark = now;
		const some = isAll ? held : held.slice(at, at + LOOKED_AT);
		at = at + LOOKED_AT < held.length ? at + LOOKED_AT : 0;
		for (const { subscription, position, lost } of some)
			if (!lost.signal.aborted && !(await position.isOurs()))
				lost.abort(takenOver({ event: subscription.name }));
		await world.sleep(WATCH_MS, signal).catch(() => {});
	}
}

/** Beyond so many they are told together. */
const TOLD_EACH = 20;

function tellStarts(held: readonly Held[], output: Output): void {
	const isEach = held.length <= TOLD_EACH;
	const counts = new Map<string, number>();
	for (const { subscription, position } of held) {
		const { kind, text } = wordStart(position);
		if (isEach) output.say(`${subscription.label}: ${text}`);
		else output.note(`${subscription.label}: ${text}`);
		counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	if (isEach) return;
	for (const [kind, count] of counts)
		output.say(`${count} subscriptions: ${kind}`);
}

function wordStart({ earlier, passedOver }: SavedPosition) {
	const iso = (ms: number) => new Date(ms).toISOString();
	if (earlier && earlier.cursor === undefined)
		return {
			kind: "there is no cursor to go on from: they start from now",
			text: `there is no cursor of ${iso(earlier.savedAt)}: it starts from now`,
		};
	if (earlier)
		return {
			kind: "they go on where the last run stopped",
			text: `goes on from ${iso(earlier.savedAt)}`,
		};
	if (passedOver === undefined)
		return {
			kind: "no position is saved yet: they start from now",
			text: "no position is saved yet: it starts from now",
		};
	return {
		kind: "their positions are passed over, as asked",
		text: `the position of ${iso(passedOver)} is passed over, as asked`,
	};
}

/** Two of the same would keep one position between them. */
function refuseTwins(subscriptions: readonly Subscription[]): void {
	const known = new Set<string>();
	for (const { name, arguments: args } of subscriptions) {
		const key = canonicalJson([name, args]);
		if (known.has(key))
			throw new Fault("wrong-use", {
				what: `${name} with the same arguments is named twice`,
				why: "--resume keeps one position for each event with its arguments",
				next: "name it once",
			});
		known.add(key);
	}
}
