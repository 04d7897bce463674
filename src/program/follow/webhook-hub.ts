// The receiver of a tail: opened once, shared by its subscriptions, each with a path and an intake of its own.
import { randomBytes } from "node:crypto";
import type { Output } from "../../output/index.ts";
import type { ServerAddress } from "../../servers/index.ts";
import type { Session } from "../../session/index.ts";
import { newSecret } from "../../signing/index.ts";
import type {
	Address,
	Intake,
	PreparedWebhook,
	Subscription,
	WebhookHub,
} from "../../tail/index.ts";
import type { ConnectionFlags } from "../connect/connect.ts";
import { readPrincipal } from "../connect/principal.ts";
import type { StateFlags } from "../connect/state-place.ts";
import { checkPublicUrl } from "../flags/public-url.ts";
import { findAddress } from "../listen/listen.ts";
import type { ListenFlags, OpenedAddress } from "../listen/options.ts";
import { type ListenReceiver, openListenReceiver } from "../listen/receiver.ts";
import { addRoutes } from "../listen/routes.ts";
import { openListenSeams } from "../listen/seams.ts";
import { prepareSubscriptions } from "../listen/subscriptions.ts";
import type { World } from "../process/world.ts";
import { shareChanges } from "./share-changes.ts";
import { sortToIntakes } from "./sort-to-intakes.ts";

/** The flags of a tail about its receiver. */
export interface HubFlags {
	host: string;
	port: number;
	"public-url"?: string | undefined;
	tunnel?: string | undefined;
}

export interface HubOptions {
	session: Session;
	server: ServerAddress;
	flags: ConnectionFlags & StateFlags & HubFlags;
	dedupWindow: number;
	world: World;
	output: Output;
}

const NO_HANDLERS = {
	"forward-unverified": false,
	"relay-status": false,
	"exec-timeout": 0,
	"exec-concurrency": 1,
	"exec-retries": 0,
};

/** Opens the receiver and finds the address at which it is reached. Throws what `listen` does. */
export async function openWebhookHub(
	options: HubOptions,
): Promise<WebhookHub & AsyncDisposable> {
	const { world, output } = options;
	const flags = listenFlags(options);
	const pieces = { world, output };
	const { seams } = await openListenSeams({ ...NO_HANDLERS, ...flags }, pieces);
	const place = await openListenReceiver(flags, seams, pieces);
	const closers = [place.close];
	const close = async () => {
		for (const one of closers.reverse()) await one();
	};
	try {
		const around = { ...pieces, seams, closers };
		const address = await findAddress(flags, place, around);
		const principal = await readPrincipal(options.server, flags, world);
		return hubOf({ ...options, flags, place, address, principal, close });
	} catch (error) {
		await close();
		throw error;
	}
}

type Opened = HubOptions & {
	flags: ListenFlags;
	place: ListenReceiver;
	address: Address & Pick<OpenedAddress, "lost">;
	principal: string;
	close(): Promise<void>;
};

function hubOf(opened: Opened): WebhookHub & AsyncDisposable {
	const { place, address, close } = opened;
	const intakes = new Map<string, Intake>();
	place.join(sortToIntakes(intakes));
	const changes = shareChanges(address.changes);
	let made = 0;
	return {
		prepare: (subscription) =>
			prepare(subscription, { ...opened, intakes, changes }),
		newSecret: () => ({
			label: `secret ${++made}`,
			secret: newSecret(randomBytes),
		}),
		lost: address.lost ?? new AbortController().signal,
		async [Symbol.asyncDispose]() {
			changes.close();
			await close();
		},
	};
}

async function prepare(
	wanted: Subscription,
	opened: Opened & {
		intakes: Map<string, Intake>;
		changes: ReturnType<typeof shareChanges>;
	},
): Promise<PreparedWebhook> {
	const { session, flags, place, principal, world, output } = opened;
	const { url } = opened.address;
	const { folder, receiver } = place;
	const prepared = await prepareSubscriptions({
		...{ session, principal, flags, folder, world, output },
		wanted: [wanted],
		address: url,
		secrets: [],
	});
	const [subscription] = prepared.subscriptions;
	if (!subscription) throw new Error("one was asked for, none was prepared");
	const { path, registration } = subscription;
	const route = {
		path,
		registration,
		address: url,
		expects: "events" as const,
	};
	const removeRoutes = addRoutes(receiver, route);
	return {
		subscription,
		address: { url, changes: opened.changes.open() },
		join: (intake) => void opened.intakes.set(wanted.label, intake),
		async close() {
			removeRoutes();
			opened.intakes.delete(wanted.label);
			await prepared.close();
		},
	};
}

/** As `listen` has them where nothing is said. */
function listenFlags({ flags, dedupWindow }: HubOptions): ListenFlags {
	checkPublicUrl(flags["public-url"]);
	return {
		...flags,
		path: "/hooks/",
		"well-known": false,
		tolerance: 300_000,
		"no-expiry": false,
		keep: false,
		"dedup-window": dedupWindow,
		"no-validate": false,
		"max-body": 256 * 1024,
		quiet: false,
		count: undefined,
		cursor: undefined,
	};
}
