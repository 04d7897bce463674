// Listening without a server: whoever knows the secret may send.
import { createHash, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Output } from "../../output/index.ts";
import { newRoutePath } from "../../receiver/index.ts";
import { newSecret } from "../../signing/index.ts";
import { type ClaimsKey, takeLock } from "../../state/index.ts";
import type { OwnSecret, WebhookSubscription } from "../../tail/index.ts";
import { ownerOf } from "../connect/owner.ts";
import { stateFolder } from "../connect/state-place.ts";
import { openShownMark } from "../follow/shown-mark.ts";
import { rememberShown } from "../follow/webhook-memory.ts";
import type { World } from "../process/world.ts";
import { type Earlier, readEarlier, tellDoubt } from "./earlier-deliveries.ts";
import type { Closers } from "./listen.ts";
import type { ListenFlags } from "./options.ts";

/** What comes to a path that nobody has twice need not be remembered. */
export function anybodyKey({ path }: ListenFlags): ClaimsKey | undefined {
	if (path.endsWith("/")) return undefined;
	return { server: `listen ${path}`, principal: "anybody" };
}

/** A route for any sender that knows the secret. A --path without a slash at its end is the whole path. */
export async function describeAnybody(options: {
	flags: ListenFlags;
	secrets: readonly OwnSecret[];
	folder: string;
	world: World;
	output: Output;
	closers: Closers;
}): Promise<WebhookSubscription> {
	const { flags, folder, world, output, closers } = options;
	const isWhole = !flags.path.endsWith("/");
	const path = isWhole ? flags.path : newRoutePath(flags.path, randomBytes);
	let { secrets } = options;
	if (secrets.length === 0) {
		const made = makeSecret();
		const text = `the secret of this receiver, shown this once: ${made.secret.reveal()}`;
		// Without it nobody can send.
		if (flags.quiet) output.warn(text);
		else output.say(text);
		secrets = [made];
	}
	const label = "deliveries";
	const name = createHash("sha256").update(path).digest("hex").slice(0, 16);
	// What comes to a path that nobody has twice need not be remembered.
	const markPath = join(stateFolder(flags, world), "shown", `${name}.shown`);
	const mark = isWhole
		? openShownMark(markPath, (why) =>
				output.note(`how far it was shown cannot be kept: ${why}`),
			)
		: undefined;
	if (mark) {
		closers.push(async () => mark.close());
		await tellOfOthers(path, `${markPath}.lock`, options);
	}
	const earlier: Earlier = mark
		? await readEarlier({
				folder,
				paths: [path],
				sinceMs: 0,
				mark: mark.first,
				label,
				expects: "anything",
			})
		: { known: [], backlog: [], shown: undefined, doubtful: [] };
	tellDoubt(label, earlier.doubtful, output);
	return {
		subscription: { label, name: "", arguments: {} },
		path,
		registration: { label, secrets, subscriptionId: undefined },
		memory: rememberShown(mark),
		cursor: undefined,
		known: earlier.known,
		shown: earlier.shown,
		// Without a mark, whatever is there was captured by runs that showed it or were not asked to.
		backlog: mark?.first === undefined ? [] : earlier.backlog,
	};
}

/** Two at one path have one memory of what was shown. */
async function tellOfOthers(
	path: string,
	lockPath: string,
	{
		world,
		output,
		closers,
	}: { world: World; output: Output; closers: Closers },
): Promise<void> {
	const unique = randomBytes(4).toString("hex");
	const lock = await takeLock(lockPath, ownerOf(world), { unique });
	if (lock) closers.push(() => lock.release());
	else
		output.warn(
			`another listener receives at ${path} and shares the memory of what was shown: a restart may show deliveries twice, or leave some to captures list; --state DIR keeps the two apart`,
		);
}

function makeSecret(): OwnSecret {
	return { label: "made here", secret: newSecret(randomBytes) };
}
