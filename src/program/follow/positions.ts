// The positions of a run with --resume: opened from the state folder before it begins, watched while it goes on.
import { randomBytes } from "node:crypto";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { canonicalJson } from "../../protocol/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import {
	openPosition,
	type SavedPosition,
	takenOver,
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
	subscriptions: readonly Subscription[];
	steal: boolean;
	/** What --cursor or --from-now say goes before what is saved. */
	afresh: boolean;
	/** How many event ids are kept. */
	window: number;
	world: World;
	output: Output;
}

export interface Positions {
	/** In the order of the subscriptions. */
	memories: FollowMemory[];
	/** Lets go of them. Never throws. */
	close(): Promise<void>;
}

/** How soon one that was taken over ends. */
const WATCH_MS = 1_000;

/** Opens one for each subscription. Throws `in-use`, `file-failed`, or `wrong-use` where one is named twice. */
export async function openPositions(
	options: PositionsOptions,
): Promise<Positions> {
	const { world, flags, subscriptions, output } = options;
	refuseTwins(subscriptions);
	const principal = await readPrincipal(options.server, flags, world);
	const held: Held[] = [];
	const watch = new AbortController();
	const close = async () => {
		watch.abort();
		await Promise.all(held.map(({ position }) => position.release()));
	};
	try {
		for (const subscription of subscriptions) {
			const { name: event, arguments: args } = subscription;
			const position = await openPosition(
				{ server: options.label, event, arguments: args, principal },
				{
					folder: stateFolder(flags, world),
					owner: ownerOf(world),
					now: world.now,
					randomBytes,
					damaged: (text) => output.warn(text),
					window: options.window,
					steal: options.steal,
					afresh: options.afresh,
				},
			);
			held.push({ subscription, position, lost: new AbortController() });
			tellStart(subscription, position, output);
		}
	} catch (error) {
		await close();
		throw error;
	}
	void watchAll(held, watch.signal, world);
	return { memories: held.map(memoryOf), close };
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

/** Until it is told to stop. One in quiet times saves nothing, and would not find out by itself. */
async function watchAll(
	held: readonly Held[],
	signal: AbortSignal,
	world: World,
): Promise<void> {
	while (!signal.aborted) {
		for (const { subscription, position, lost } of held)
			if (!lost.signal.aborted && !(await position.isOurs()))
				lost.abort(takenOver({ event: subscription.name }));
		await world.sleep(WATCH_MS, signal).catch(() => {});
	}
}

function tellStart(
	{ label }: Subscription,
	{ earlier, passedOver }: SavedPosition,
	output: Output,
): void {
	const iso = (ms: number) => new Date(ms).toISOString();
	if (earlier) output.say(`${label}: goes on from ${iso(earlier.savedAt)}`);
	else if (passedOver === undefined)
		output.say(`${label}: no position is saved yet: it starts from now`);
	else
		output.say(
			`${label}: the position of ${iso(passedOver)} is passed over, as asked`,
		);
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
