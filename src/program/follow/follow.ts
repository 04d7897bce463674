// What poll, stream and tail do alike: connect, find the events, check their arguments, follow them, say how it ended.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import type {
	CheckArguments,
	FollowMemory,
	Mode,
	Subscription,
	TailOptions,
	WebhookHub,
} from "../../tail/index.ts";
import { type ConnectionFlags, connect } from "../connect/connect.ts";
import type { StateFlags } from "../connect/state-place.ts";
import { readArguments } from "../flags/event-arguments.ts";
import type { EventWords } from "../flags/words.ts";
import {
	Progress,
	startTimeLimit,
	type TimeLimit,
} from "../process/progress.ts";
import { isTaken, openReaderLimit } from "../process/slow-reader.ts";
import type { World } from "../process/world.ts";
import type { HubFlags } from "./webhook-hub.ts";

export interface FollowOptions {
	server: ServerAddress;
	connection: ConnectionFlags & StateFlags;
	events: EventWords[];
	/** undefined: the best mode that both sides have. */
	via: Mode | undefined;
	/** What receives webhooks; undefined: nothing does. */
	hub: HubFlags | undefined;
	validate: boolean;
	count: number | undefined;
	forMs: number | undefined;
	readyFile: string | undefined;
	/** undefined: positions are not kept. */
	resume: { steal: boolean; fromNow: boolean } | undefined;
	tail: Omit<TailOptions, "subscriptions" | "count">;
}

type Followed = TailOptions["subscriptions"];
type Around = { world: World; output: Output };

/** Follows the events until the count, the time, the reader, a signal or the server ends it; returns the exit status. */
export async function follow(
	options: FollowOptions,
	world: World,
	output: Output,
): Promise<number> {
	refuseSharedCursor(options);
	const time = startTimeLimit(options, world);
	try {
		// Until the events can flow, the end of --for is a failure like any other.
		const stop = AbortSignal.any([world.stop, time.over]);
		const around = { world: { ...world, stop }, output };
		await using session = await connect(options.server, options.connection, {
			...around,
			// One more for notices of changes of the catalogue.
			streams: options.events.length + 1,
		});
		const { requireEvents } = await import("../../session/index.ts");
		requireEvents(session, options.connection.force);
		const followed = await resolveEvents(session, options, around);
		await using hub = await openHub(session, options, { world, output });
		await using positions = await openResumed(session, followed, options, {
			world,
			output,
		});
		const remembered = followed.map((one, at) => ({
			...one,
			memory: positions.memories[at],
		}));
		// Awaited here: leaving this function closes the session.
		return await followAll(session, remembered, options, {
			...{ world, output, time, hub: hub.hub },
		});
	} finally {
		time.end();
	}
}

/** The receiver of a tail that may come by webhook; without one there is none. */
async function openHub(
	session: Session,
	options: FollowOptions,
	{ world, output }: Around,
): Promise<AsyncDisposable & { hub: WebhookHub | undefined }> {
	const { hub: own, connection, server, tail } = options;
	if (!own) return { hub: undefined, async [Symbol.asyncDispose]() {} };
	const { openWebhookHub } = await import("./webhook-hub.ts");
	const hub = await openWebhookHub({
		...{ session, server, world, output },
		flags: { ...connection, ...own },
		dedupWindow: tail.dedupWindow ?? 0,
	});
	return { hub, [Symbol.asyncDispose]: () => hub[Symbol.asyncDispose]() };
}

/** The positions of --resume; without it there are none. */
async function openResumed(
	session: Session,
	followed: Followed,
	options: FollowOptions,
	{ world, output }: Around,
): Promise<AsyncDisposable & { memories: FollowMemory[] }> {
	const { resume, tail } = options;
	if (!resume) return { memories: [], async [Symbol.asyncDispose]() {} };
	const { openPositions } = await import("./positions.ts");
	const { memories, close } = await openPositions({
		server: options.server,
		label: session.server.label,
		flags: options.connection,
		subscriptions: followed.map(({ subscription }) => subscription),
		steal: resume.steal,
		afresh: resume.fromNow || tail.cursor !== undefined,
		window: tail.dedupWindow ?? 0,
		world,
		output,
	});
	return { memories, [Symbol.asyncDispose]: close };
}

async function resolveEvents(
	session: Session,
	options: FollowOptions,
	{ world, output }: Around,
): Promise<Followed> {
	const { findEventTypes } = await import("../../session/index.ts");
	const { chooseMode, labelSubscriptions } = await import(
		"../../tail/index.ts"
	);
	const types = await findEventTypes(
		session,
		options.events.map((event) => event.name),
		{ signal: world.stop, odd: (what) => output.note(what) },
	);
	const chosen: Omit<Subscription, "label">[] = [];
	const ways: Omit<Followed[number], "subscription">[] = [];
	for (const [at, type] of types.entries()) {
		const words = options.events[at] as EventWords;
		const args = await readArguments(words, type.inputSchema, {
			validate: options.validate,
			world,
		});
		const { why, ...way } = chooseMode(type, {
			via: options.via,
			transport: session.server.transport,
			canReceive: options.hub !== undefined,
		});
		if (options.via === undefined)
			output.say(`${type.name}: by ${way.via}, ${why}`);
		chosen.push({ name: type.name, arguments: args });
		ways.push(way);
	}
	return labelSubscriptions(chosen).map((subscription, at) => ({
		subscription,
		...(ways[at] as (typeof ways)[number]),
	}));
}

async function followAll(
	session: Session,
	followed: Followed,
	options: FollowOptions,
	{
		world,
		output,
		time,
		hub,
	}: Around & { time: TimeLimit; hub: WebhookHub | undefined },
): Promise<number> {
	const { tailEvents } = await import("../../tail/index.ts");
	const { count, forMs, readyFile } = options;
	const progress = new Progress({ count, forMs, readyFile, world }, () => ({
		url: session.server.label,
		subscriptions: followed.map(({ subscription, via }) => ({
			subscription: subscription.label,
			event: subscription.name,
			arguments: subscription.arguments,
			via,
		})),
	}));
	const limit = openReaderLimit(world);
	try {
		const items = tailEvents(
			session,
			{
				...options.tail,
				subscriptions: followed,
				count: options.count,
				hub,
				checkArguments: options.validate ? checkArguments : undefined,
			},
			{
				now: world.now,
				sleep: world.sleep,
				random: world.random,
				note: (text) => output.note(text),
				warn: (text) => output.warn(text),
				signal: AbortSignal.any([world.stop, time.over, output.readerGone]),
				refused: limit.over,
			},
		);
		for await (const batch of items)
			if (await isTaken(output.items(batch), limit.over))
				await progress.observe(batch);
	} finally {
		limit.end();
	}
	return progress.exitStatus(time.over.aborted);
}

/** Against the schema of now, which may not be that of the start. */
const checkArguments: CheckArguments = async (
	{ inputSchema },
	{ arguments: args },
) => {
	const { validateArguments } = await import("../../arguments/index.ts");
	await validateArguments(args, inputSchema);
};

function refuseSharedCursor(options: FollowOptions): void {
	if (options.tail.cursor === undefined || options.events.length < 2) return;
	throw new Fault("wrong-use", {
		what: `--cursor was given for ${options.events.length} events`,
		why: "a cursor belongs to one event type with its arguments",
		next: "follow each event in a command of its own, with its own --cursor",
	});
}
