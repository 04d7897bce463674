// What `subscribe` does: a webhook subscription whose deliveries go to somebody else's receiver.
import { randomBytes } from "node:crypto";
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { WebhookGrant } from "../../protocol/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import type { Registered, Registry } from "../../state/index.ts";
import type { Subscription } from "../../tail/index.ts";
import type { ConnectionFlags } from "../connect/connect.ts";
import { readPrincipal } from "../connect/principal.ts";
import { openWorldRegistry, type StateFlags } from "../connect/state-place.ts";
import type { EventWords } from "../flags/words.ts";
import { readSecretFile } from "../listen/known-secrets.ts";
import {
	resolveWebhookEvents,
	warnOfCallback,
} from "../listen/webhook-events.ts";
import type { World } from "../process/world.ts";
import { openEvents, ours, parseCallback } from "./own-subscriptions.ts";

export interface SubscribeOptions {
	server: ServerAddress;
	event: EventWords;
	/** The callback. */
	to: string;
	secretFile: string | undefined;
	cursor: string | undefined;
	maxAgeMs: number | undefined;
	ttlMs: number | null | undefined;
	validate: boolean;
	flags: ConnectionFlags & StateFlags;
}

interface Pieces {
	world: World;
	output: Output;
}

/** Subscribes once, or refreshes what was subscribed before; prints what was granted. */
export async function runSubscribe(
	options: SubscribeOptions,
	pieces: Pieces,
): Promise<number> {
	const { flags, to, event } = options;
	const { world, output } = pieces;
	const url = parseCallback(to);
	const given = options.secretFile
		? await readSecretFile(options.secretFile, output)
		: [];
	await using session = await openEvents(options.server, flags, pieces);
	const { validate } = options;
	const [wanted] = await resolveWebhookEvents(session, [event], {
		validate,
		world,
		output,
	});
	if (!wanted) return EXIT_STATUSES.done.status;
	warnOfCallback(url, output);
	const registry = openWorldRegistry(flags, pieces);
	const secrets = given.map(({ secret }) => secret.reveal());
	const asker = {
		server: session.server.label,
		principal: await readPrincipal(options.server, flags, world),
	};
	const registered = await findOrAdd(registry, {
		asker,
		wanted,
		url,
		secrets,
		output,
	});
	try {
		if (secrets.length > 0) await registered.keepSecrets(secrets);
		const grant = await askOnce(registered, { session, options, pieces });
		await output.lines([JSON.stringify(grantFields(grant, wanted, url))]);
	} finally {
		await registered.release();
	}
	return EXIT_STATUSES.done.status;
}

async function askOnce(
	registered: Registered,
	{
		session,
		options,
		pieces,
	}: {
		session: Session;
		options: SubscribeOptions;
		pieces: Pieces;
	},
): Promise<WebhookGrant> {
	const { world, output } = pieces;
	const { subscribeWebhook } = await import("../../session/index.ts");
	const { record } = registered;
	const grant = await subscribeWebhook(
		session,
		{
			name: record.event,
			arguments: record.arguments,
			url: record.url,
			secret: registered.secrets[0] ?? "",
			cursor: options.cursor ?? record.cursor,
			maxAgeMs: options.maxAgeMs,
			ttlMs: options.ttlMs,
		},
		{ signal: world.stop, odd: (what) => output.note(what) },
	);
	await registered.update({
		id: grant.id,
		refreshBefore: grant.refreshBefore,
		cursor: grant.cursor ?? record.cursor,
		lastSeenAt: world.now(),
		endedAt: undefined,
	});
	return grant;
}

interface Wanted {
	asker: { server: string; principal: string };
	wanted: Subscription;
	url: string;
	secrets: readonly string[];
	output: Output;
}

async function findOrAdd(
	registry: Registry,
	{ asker, wanted, url, secrets, output }: Wanted,
): Promise<Registered> {
	const { principal } = asker;
	for (const record of await ours(registry, asker, wanted)) {
		if (record.url !== url) continue;
		const claimed = await registry.claim(record.key);
		if (claimed && record.principal === undefined)
			await claimed.update({ principal });
		if (claimed) return claimed;
		throw new Fault("wrong-use", {
			what: `${wanted.label} at ${url} is looked after by another process`,
			why: "it is refreshed there already",
			next: "mcp-events subscriptions list",
		});
	}
	let own = secrets;
	if (own.length === 0) {
		const { newSecret } = await import("../../signing/index.ts");
		own = [newSecret(randomBytes).reveal()];
		output.warn(
			`the secret that the receiver must know, shown this once: ${own[0]}`,
		);
	}
	const { name: event, arguments: args } = wanted;
	const facts = { ...asker, event, arguments: args, url, paths: [] };
	return registry.add({ ...facts, receiver: "elsewhere" }, own);
}

function grantFields(
	{ id, refreshBefore, cursor, truncated, deliveryStatus }: WebhookGrant,
	{ name, arguments: args }: Subscription,
	url: string,
) {
	const time =
		typeof refreshBefore === "number"
			? new Date(refreshBefore).toISOString()
			: refreshBefore;
	return {
		id,
		event: name,
		arguments: args,
		url,
		refreshBefore: time,
		cursor: cursor ?? null,
		truncated,
		deliveryStatus,
	};
}
