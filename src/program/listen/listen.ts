// What `listen` does: receives deliveries, keeps every one, and shows what they bring; with a SERVER it subscribes too.
import { randomBytes } from "node:crypto";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import type { ClaimsKey } from "../../state/index.ts";
import type {
	Address,
	WebhookOptions,
	WebhookSubscription,
} from "../../tail/index.ts";
import { connect } from "../connect/connect.ts";
import { readPublicKeys } from "../flags/public-keys.ts";
import { Progress, startTimeLimit } from "../process/progress.ts";
import type { World } from "../process/world.ts";
import { readSecretFile } from "./known-secrets.ts";
import type {
	ListenFlags,
	ListenOptions,
	ListenSeams,
	OpenedAddress,
} from "./options.ts";
import { type ListenReceiver, openListenReceiver } from "./receiver.ts";
import { addRoutes } from "./routes.ts";

interface Pieces {
	world: World;
	output: Output;
}

/** What is closed at the end, in reverse. */
export type Closers = (() => Promise<void>)[];

/** Listens until the count, the time, the reader, a signal or the server ends it; returns the exit status. */
export async function runListen(
	options: ListenOptions,
	pieces: Pieces,
	seams: ListenSeams = {},
): Promise<number> {
	const closers: Closers = [];
	try {
		return await listen(options, { ...pieces, seams, closers });
	} finally {
		await closeAll(closers);
	}
}

/** All of them, even if one fails; the first failure is told afterwards. */
async function closeAll(closers: Closers): Promise<void> {
	const failures: unknown[] = [];
	for (const close of closers.reverse())
		await close().catch((error: unknown) => failures.push(error));
	if (failures.length > 0) throw failures[0];
}

type Around = Pieces & { seams: ListenSeams; closers: Closers };

async function listen(
	{ source, flags }: ListenOptions,
	around: Around,
): Promise<number> {
	const { world, output, seams, closers } = around;
	const secretFile = flags["secret-file"];
	const secrets =
		secretFile === undefined ? [] : await readSecretFile(secretFile, output);
	const publicKeys = await readPublicKeys(flags["public-key"] ?? []);
	let session: Session | undefined;
	let wanted: Awaited<ReturnType<typeof resolve>> | undefined;
	if (source) {
		const own = serverFlags(source.server, flags, seams);
		session = await connect(source.server, own, { world, output });
		closers.push(() => session?.close() ?? Promise.resolve());
		wanted = await resolve(session, source.events, { flags, ...around });
	}
	const place = await openListenReceiver(flags, seams, { world, output });
	const closeReceiver = once(place.close);
	closers.push(closeReceiver);
	const address = await findAddress(flags, place, around);
	const { folder } = place;
	let subscriptions: WebhookSubscription[];
	let key: ClaimsKey | undefined;
	if (source && session && wanted) {
		const { prepareSubscriptions } = await import("./subscriptions.ts");
		const { readPrincipal } = await import("../connect/principal.ts");
		const principal = await readPrincipal(source.server, flags, world);
		key = { server: session.server.label, principal };
		const prepared = await prepareSubscriptions({
			session,
			principal,
			wanted,
			flags,
			address: address.url,
			folder,
			secrets,
			world,
			output,
		});
		closers.push(prepared.close);
		({ subscriptions } = prepared);
	} else {
		const { anybodyKey, describeAnybody } = await import("./anybody.ts");
		key = anybodyKey(flags);
		subscriptions = [
			await describeAnybody({ flags, secrets, folder, ...around }),
		];
	}
	for (const { registration } of subscriptions)
		registration.publicKeys = publicKeys;
	return followDeliveries(
		{ session, subscriptions, address, flags, place, closeReceiver, key },
		around,
	);
}

/** Over stdio there is no TLS: then --ca and --insecure are about the URLs that deliveries go on to. */
function serverFlags(
	server: ServerAddress,
	flags: ListenFlags,
	{ handlers }: ListenSeams,
): ListenFlags {
	const isAboutHandlers = handlers !== undefined && server.kind === "stdio";
	return isAboutHandlers ? { ...flags, ca: undefined, insecure: false } : flags;
}

async function resolve(
	session: Session,
	events: NonNullable<ListenOptions["source"]>["events"],
	{ flags, world, output }: Pieces & { flags: ListenFlags },
) {
	const { requireEvents } = await import("../../session/index.ts");
	requireEvents(session, flags.force);
	const { resolveWebhookEvents } = await import("./webhook-events.ts");
	const validate = !flags["no-validate"];
	return resolveWebhookEvents(session, events, { validate, world, output });
}

/** Where the receiver is reached from outside, and tells where it listens. */
export async function findAddress(
	flags: ListenFlags,
	{ receiver }: ListenReceiver,
	{ seams, output, closers }: Around,
): Promise<Address & Pick<OpenedAddress, "lost">> {
	output.say(`receives at ${receiver.origin}`);
	if (flags["public-url"] !== undefined) return { url: flags["public-url"] };
	if (!seams.openAddress) return { url: receiver.origin };
	const opened = await seams.openAddress(receiver.port);
	closers.push(async () => opened[Symbol.asyncDispose]());
	output.say(`reached at ${opened.url}`);
	return opened;
}

interface Following {
	session: Session | undefined;
	subscriptions: WebhookSubscription[];
	address: Address & Pick<OpenedAddress, "lost">;
	flags: ListenFlags;
	place: ListenReceiver;
	closeReceiver: () => Promise<void>;
	/** Whose events they are. */
	key: ClaimsKey | undefined;
}

async function followDeliveries(
	following: Following,
	{ world, output, seams }: Around,
): Promise<number> {
	const { session, flags, place, address, subscriptions } = following;
	const { callbackUrl, openWebhookTail } = await import("../../tail/index.ts");
	const { newSecret } = await import("../../signing/index.ts");
	const time = startTimeLimit({ forMs: flags.for, count: flags.count }, world);
	const { lost = new AbortController().signal } = address;
	const { count, for: forMs, "ready-file": readyFile } = flags;
	const progress = new Progress({ count, forMs, readyFile, world }, () => ({
		url: address.url,
		subscriptions: subscriptions.map(({ subscription, path }) => ({
			subscription: subscription.label,
			event: subscription.name,
			arguments: subscription.arguments,
			via: "webhook",
			url: callbackUrl(address.url, path),
		})),
	}));
	let made = 0;
	const options: WebhookOptions = {
		subscriptions,
		address,
		count,
		ttlMs: flags["no-expiry"] ? null : flags.ttl,
		maxAgeMs: flags["max-age"],
		dedupWindow: flags["dedup-window"],
		rotateEveryMs: flags["rotate-every"],
		keep: flags.keep,
		newSecret: () => ({
			label: `rotation ${++made}`,
			secret: newSecret(randomBytes),
		}),
		closeReceiver: following.closeReceiver,
	};
	const tail = openWebhookTail(session, options, {
		now: world.now,
		sleep: world.sleep,
		random: world.random,
		note: (text) => output.note(text),
		warn: (text) => output.warn(text),
		signal: AbortSignal.any([world.stop, time.over, output.readerGone, lost]),
	});
	await seams.handlers?.begin({
		key: following.key,
		backlog: subscriptions.flatMap(({ backlog }) => backlog),
		show: async (items) => tail.intake.put(items),
	});
	joinRoutes(following);
	place.join(tail.intake);
	try {
		for await (const batch of tail) {
			await output.items(batch, tail.marks);
			await progress.observe(batch);
		}
	} finally {
		time.end();
	}
	if (!world.stop.aborted) lost.throwIfAborted();
	return progress.exitStatus(time.over.aborted);
}

function joinRoutes({
	session,
	place,
	address,
	subscriptions,
}: Following): void {
	const expects = session ? "events" : "anything";
	for (const { path, registration } of subscriptions)
		addRoutes(place.receiver, {
			path,
			registration,
			address: address.url,
			expects,
		});
}

function once(act: () => Promise<void>): () => Promise<void> {
	let done: Promise<void> | undefined;
	return () => {
		done ??= act();
		return done;
	};
}
