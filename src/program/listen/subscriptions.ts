// The subscriptions of a listener: which events, with which paths and secrets, and where an earlier run stopped.
import { randomBytes } from "node:crypto";
import { Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import { newRoutePath, type Registration } from "../../receiver/index.ts";
import { type Session, unsubscribeWebhook } from "../../session/index.ts";
import { newSecret, parseSecret } from "../../signing/index.ts";
import {
	isRecordOf,
	type Registered,
	type Registry,
} from "../../state/index.ts";
import {
	callbackUrl,
	labelSubscriptions,
	type OwnSecret,
	type Subscription,
	type WebhookSubscription,
} from "../../tail/index.ts";
import { openWorldRegistry } from "../connect/state-place.ts";
import { openShownMark, type ShownMark } from "../follow/shown-mark.ts";
import { rememberIn } from "../follow/webhook-memory.ts";
import type { World } from "../process/world.ts";
import { readEarlier, tellDoubt } from "./earlier-deliveries.ts";
import type { ListenFlags } from "./options.ts";
import { warnOfCallback } from "./webhook-events.ts";

/** What a listener is to follow, and what lets go of its records again. */
export interface Prepared {
	subscriptions: WebhookSubscription[];
	close(): Promise<void>;
}

export interface PrepareOptions {
	session: Session;
	/** Who we are there. */
	principal: string;
	wanted: Subscription[];
	flags: ListenFlags;
	/** The public address. */
	address: string;
	/** Where deliveries are captured. */
	folder: string;
	/** Those of --secret-file, the current one first. */
	secrets: readonly OwnSecret[];
	world: World;
	output: Output;
}

/** Registers each subscription, or takes over what a listener that crashed has left. */
export async function prepareSubscriptions(
	options: PrepareOptions,
): Promise<Prepared> {
	const registry = openWorldRegistry(options.flags, options);
	const held: { registered: Registered; mark: ShownMark }[] = [];
	const close = async () => {
		for (const { registered, mark } of held) {
			mark.close();
			await registered.release();
		}
	};
	try {
		const subscriptions: WebhookSubscription[] = [];
		for (const subscription of options.wanted) {
			const registered =
				(await adopt(subscription, registry, options)) ??
				(await register(subscription, registry, options));
			const mark = openShownMark(registered.markPath, (why) =>
				options.output.note(
					`${subscription.label}: how far it was shown cannot be kept: ${why}`,
				),
			);
			held.push({ registered, mark });
			subscriptions.push(
				await describe(subscription, { registered, mark }, options),
			);
		}
		const [first] = subscriptions;
		if (first)
			warnOfCallback(callbackUrl(options.address, first.path), options.output);
		return { subscriptions, close };
	} catch (error) {
		await close();
		throw error;
	}
}

/** A record of the same event at the same server, which nobody looks after and which has not ended. */
async function adopt(
	subscription: Subscription,
	registry: Registry,
	options: PrepareOptions,
): Promise<Registered | undefined> {
	const { session, principal, output, flags } = options;
	const asker = { server: session.server.label, principal };
	const key = identityOf(subscription.name, subscription.arguments);
	for (const { record, isHeld } of (await registry.list()).reverse()) {
		if (isHeld || record.receiver !== "listen") continue;
		if (record.endedAt !== undefined) continue;
		if (!isRecordOf(record, asker)) continue;
		if (identityOf(record.event, record.arguments) !== key) continue;
		const registered = await registry.claim(record.key);
		if (!registered) continue;
		output.say(
			`${subscription.label}: goes on where an earlier listener stopped`,
		);
		if (record.principal === undefined) await registered.update({ principal });
		await moveAdopted(registered, subscription, options);
		if (flags["secret-file"] !== undefined)
			await registered.keepSecrets(reveal(options.secrets));
		return registered;
	}
	return undefined;
}

/** Its callback may be another one now: then the old subscription ends, and the path goes with us. */
async function moveAdopted(
	registered: Registered,
	{ label }: Subscription,
	{ session, flags, address, world, output }: PrepareOptions,
): Promise<void> {
	const { record } = registered;
	let { paths } = record;
	if (!paths.at(-1)?.startsWith(flags.path))
		paths = [...paths, newRoutePath(flags.path, randomBytes)];
	const url = callbackUrl(address, paths.at(-1) ?? "");
	if (url === record.url) return;
	const old = {
		name: record.event,
		arguments: record.arguments,
		url: record.url,
	};
	try {
		await unsubscribeWebhook(session, old, { signal: world.stop });
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		output.warn(
			`${label}: the old callback ${record.url} could not be unsubscribed: ${error.what}`,
		);
	}
	await registered.update({ paths, url, id: undefined });
}

function register(
	subscription: Subscription,
	registry: Registry,
	{ session, principal, flags, address, secrets }: PrepareOptions,
): Promise<Registered> {
	const path = newRoutePath(flags.path, randomBytes);
	const own =
		secrets.length > 0 ? reveal(secrets) : [newSecret(randomBytes).reveal()];
	return registry.add(
		{
			server: session.server.label,
			principal,
			event: subscription.name,
			arguments: subscription.arguments,
			url: callbackUrl(address, path),
			receiver: "listen",
			paths: [path],
		},
		own,
	);
}

async function describe(
	subscription: Subscription,
	{ registered, mark }: { registered: Registered; mark: ShownMark },
	{ flags, folder, world, output }: PrepareOptions,
): Promise<WebhookSubscription> {
	const { record } = registered;
	const { label } = subscription;
	const registration: Registration = {
		label,
		secrets: registered.secrets.map((text, at) =>
			nameSecret(at === 0 ? "current" : `old ${at}`, text),
		),
		subscriptionId: record.id,
	};
	const earlier = await readEarlier({
		folder,
		paths: record.paths,
		sinceMs: record.createdAt,
		mark: mark.first,
		label,
		expects: "events",
	});
	tellDoubt(label, earlier.doubtful, output);
	return {
		subscription,
		path: record.paths.at(-1) ?? "",
		registration,
		memory: rememberIn(registered, mark, world.now),
		cursor: flags.cursor ?? record.cursor,
		...earlier,
	};
}

const reveal = (secrets: readonly OwnSecret[]) =>
	secrets.map(({ secret }) => secret.reveal());

const nameSecret = (label: string, text: string): OwnSecret => ({
	label,
	secret: parseSecret(text),
});

/** Equal for equal events with equal arguments, whatever the order of their keys. */
function identityOf(name: string, args: Record<string, unknown>): string {
	const [labelled] = labelSubscriptions([{ name, arguments: args }]);
	return labelled?.label ?? name;
}
