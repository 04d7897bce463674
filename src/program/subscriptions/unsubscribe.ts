// What `unsubscribe` does: ends the webhook subscriptions of one event.
import { EXIT_STATUSES, Fault } from "../../faults/index.ts";
import type { Output } from "../../output/index.ts";
import type { Descriptor } from "../../protocol/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import { labelSubscriptions } from "../../tail/index.ts";
import type { ConnectionFlags } from "../connect/connect.ts";
import { readPrincipal } from "../connect/principal.ts";
import { openWorldRegistry, type StateFlags } from "../connect/state-place.ts";
import { readArguments } from "../flags/event-arguments.ts";
import type { EventWords } from "../flags/words.ts";
import type { World } from "../process/world.ts";
import { openEvents, ours, parseCallback } from "./own-subscriptions.ts";

interface Pieces {
	world: World;
	output: Output;
}

export interface UnsubscribeOptions {
	server: ServerAddress;
	event: EventWords;
	/** The callback; undefined: all that are ours. */
	to: string | undefined;
	flags: ConnectionFlags & StateFlags;
}

/** Ends the subscriptions of one event; that there is none is as good. */
export async function runUnsubscribe(
	options: UnsubscribeOptions,
	pieces: Pieces,
): Promise<number> {
	const { world, output } = pieces;
	const { flags, event } = options;
	const url = options.to === undefined ? undefined : parseCallback(options.to);
	await using session = await openEvents(options.server, flags, pieces);
	const schema = await schemaOf(session, event.name, pieces);
	const args = await readArguments(event, schema, { validate: false, world });
	const [wanted] = labelSubscriptions([{ name: event.name, arguments: args }]);
	if (!wanted) return EXIT_STATUSES.done.status;
	const registry = openWorldRegistry(flags, pieces);
	const asker = {
		server: session.server.label,
		principal: await readPrincipal(options.server, flags, world),
	};
	const records = await ours(registry, asker, wanted);
	const urls = url ? [url] : [...new Set(records.map((one) => one.url))];
	if (urls.length === 0)
		throw new Fault("wrong-use", {
			what: `no subscription of ours for ${wanted.label} is known here`,
			why: "the registry in the state folder has none at that server",
			next: "name the callback: --to URL",
		});
	const { unsubscribeWebhook } = await import("../../session/index.ts");
	for (const one of urls) {
		const key = { name: wanted.name, arguments: args, url: one };
		await unsubscribeWebhook(session, key, { signal: world.stop });
		output.say(`${wanted.label}: unsubscribed ${one}`);
		for (const record of records.filter((other) => other.url === one)) {
			const registered = await registry.claim(record.key);
			await registered?.update({ endedAt: world.now() });
			await registered?.release();
		}
	}
	return EXIT_STATUSES.done.status;
}

/** So that the arguments are typed as they were when it was subscribed; a type that is gone has none any more. */
async function schemaOf(
	session: Session,
	name: string,
	{ world, output }: Pieces,
): Promise<Descriptor["inputSchema"]> {
	const { findEventTypes } = await import("../../session/index.ts");
	const odd = (what: string) => output.note(what);
	try {
		const options = { signal: world.stop, odd };
		const [type] = await findEventTypes(session, [name], options);
		return type?.inputSchema;
	} catch (error) {
		if (error instanceof Fault && error.code === "event-unknown")
			return undefined;
		throw error;
	}
}
