// What poll, stream and tail do alike: connect, find the events, check their arguments, follow them, say how it ended.
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import type {
	CheckArguments,
	Item,
	Mode,
	TailOptions,
	WebhookHub,
} from "../../tail/index.ts";
import { type ConnectionFlags, connect } from "../connect/connect.ts";
import type { StateFlags } from "../connect/state-place.ts";
import type { ExecFlags } from "../flags/handler-flags.ts";
import type { EventWords } from "../flags/words.ts";
import {
	Progress,
	startTimeLimit,
	type TimeLimit,
} from "../process/progress.ts";
import { openReaderLimit } from "../process/slow-reader.ts";
import type { World } from "../process/world.ts";
import { openCrowd } from "./crowd.ts";
import type { FollowExec } from "./exec.ts";
import { openExec, openHub, openResumed, readExec } from "./open-parts.ts";
import { resolveEvents } from "./resolve-events.ts";
import type { HubFlags } from "./webhook-hub.ts";

export interface FollowOptions {
	server: ServerAddress;
	connection: ConnectionFlags & StateFlags;
	events: EventWords[];
	/** The file that names more of them; `-` is stdin. */
	from: string | undefined;
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
	/** What events are handed to. */
	exec: ExecFlags;
	tail: Omit<TailOptions, "subscriptions" | "count">;
}

export type Followed = TailOptions["subscriptions"];
export type Around = { world: World; output: Output };

/** Follows the events until the count, the time, the reader, a signal or the server ends it; returns the exit status. */
export async function follow(
	words: FollowOptions,
	world: World,
	output: Output,
): Promise<number> {
	const given = await withLines(words, world);
	refuseSharedCursor(given);
	const execOptions = await readExec(given);
	const time = startTimeLimit(given, world);
	try {
		// Until the events can flow, the end of --for is a failure like any other.
		const stop = AbortSignal.any([world.stop, time.over]);
		const around = { world: { ...world, stop }, output };
		await using session = await connect(given.server, given.connection, {
			...around,
			// One more for notices of changes of the catalogue.
			streams: given.events.length + 1,
		});
		const { requireEvents } = await import("../../session/index.ts");
		requireEvents(session, given.connection.force);
		const { followed, unfit } = await resolveEvents(
			session,
			{ ...given, canReceive: given.hub !== undefined },
			around,
		);
		const options = await withWindow(given);
		await using hub = await openHub(session, options, { world, output });
		await using positions = await openResumed(session, followed, options, {
			world,
			output,
		});
		await using execution = await openExec(session, execOptions, {
			...{ options, world, output, time },
		});
		const { exec } = execution;
		const remembered = followed.map((one, at) => {
			const memory = positions.memories[at];
			const { label } = one.subscription;
			return {
				...one,
				memory: memory && (exec?.guard(label, memory) ?? memory),
			};
		});
		// Awaited here: leaving this function closes the session.
		return await followAll(session, remembered, options, {
			...{ world, output, time, hub: hub.hub, exec, unfit },
		});
	} finally {
		time.end();
	}
}

/** With the events that --from names. */
async function withLines(
	options: FollowOptions,
	world: World,
): Promise<FollowOptions> {
	const { from: file, events } = options;
	if (file === undefined) return options;
	const { readTextFile, readStdin } = await import("../flags/files.ts");
	const { parseSubscriptions } = await import("./subscription-lines.ts");
	const text =
		file === "-"
			? (await readStdin(world)).toString("utf8")
			: await readTextFile(file, "--from");
	const canReceive = options.hub !== undefined;
	const lines = parseSubscriptions(text, { file, canReceive });
	return { ...options, events: [...events, ...lines] };
}

async function withWindow(options: FollowOptions): Promise<FollowOptions> {
	const { defaultWindow } = await import("../../tail/index.ts");
	const { tail, events } = options;
	const dedupWindow = tail.dedupWindow ?? defaultWindow(events.length);
	return { ...options, tail: { ...tail, dedupWindow } };
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
		exec,
		unfit,
	}: Around & {
		time: TimeLimit;
		hub: WebhookHub | undefined;
		exec: FollowExec | undefined;
		unfit: Item[];
	},
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
	const limit = openReaderLimit(world, output);
	const crowd = openCrowd({
		subscriptions: followed.length,
		...{ output, world },
	});
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
				setTimer: world.setTimer,
				random: world.random,
				note: (text) => output.note(text),
				warn: (text) => output.warn(text),
				signal: AbortSignal.any([world.stop, time.over, output.readerGone]),
				refused: limit.over,
			},
		);
		const take = async (batch: Item[]) => {
			if (exec) await exec.take(batch);
			else if (!(await limit.isTaken(output.items(crowd.sift(batch))))) return;
			await progress.observe(batch);
		};
		if (unfit.length > 0) await take(unfit);
		for await (const batch of items) await take(batch);
	} finally {
		crowd.close();
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
