// What a tail may be opened with beside its session: a receiver of webhooks, positions that are kept, a command.
import type { Session } from "../../session/index.ts";
import type { FollowMemory, WebhookHub } from "../../tail/index.ts";
import type { TimeLimit } from "../process/progress.ts";
import type { FollowExec } from "./exec.ts";
import type { Around, Followed, FollowOptions } from "./follow.ts";

/** The receiver of a tail that may come by webhook; without one there is none. */
export async function openHub(
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

/** What the flags of --exec say; undefined: nothing. Throws `wrong-use`. */
export async function readExec({ exec }: FollowOptions) {
	const { readExecOptions } = await import("../handlers/exec-options.ts");
	return readExecOptions(exec);
}

/** What --exec is handed to; without it there is none. */
export async function openExec(
	session: Session,
	exec: Awaited<ReturnType<typeof readExec>>,
	{
		options,
		time,
		world,
		output,
	}: Around & { options: FollowOptions; time: TimeLimit },
): Promise<AsyncDisposable & { exec: FollowExec | undefined }> {
	if (!exec) return { exec: undefined, async [Symbol.asyncDispose]() {} };
	const { openFollowExec } = await import("./exec.ts");
	const { readPrincipal } = await import("../connect/principal.ts");
	const { server, connection: flags } = options;
	const principal = await readPrincipal(server, flags, world);
	const opened = await openFollowExec(exec, {
		key: { server: session.server.label, principal },
		isResumed: options.resume !== undefined,
		ending: AbortSignal.any([world.stop, time.over, output.readerGone]),
		...{ flags, world, output },
	});
	return {
		exec: opened,
		[Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
	};
}

/** The positions of --resume; without it there are none. */
export async function openResumed(
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
		subscriptions: followed.map(({ subscription, cursor }) => ({
			subscription,
			afresh: resume.fromNow || (cursor ?? tail.cursor) !== undefined,
		})),
		steal: resume.steal,
		window: tail.dedupWindow ?? 0,
		world,
		output,
	});
	return { memories, [Symbol.asyncDispose]: close };
}
