// Joins what webhook delivery stands on: the guarded way out, the store, and the document with the public key.
import type { KeyObject } from "node:crypto";
import { JWKS_PATH } from "../../protocol/index.ts";
import { jwksText } from "../../signing/index.ts";
import {
	type CallbackOptions,
	type Callbacks,
	type HandshakeManners,
	openCallbacks,
} from "../callbacks/index.ts";
import type { ReferenceOptions } from "../settings.ts";
import {
	openStore,
	openWebhooks,
	type StorePlace,
	type WebhookChoices,
} from "../webhooks/index.ts";
import type { HttpRoute, RouteReply } from "./routes.ts";

export interface DeliveryOptions {
	/** For jitter: from 0 up to 1. */
	random(): number;
	/** A cryptographic source. */
	randomBytes(size: number): Buffer;
	callbacks?: Omit<CallbackOptions, "clock" | "randomBytes"> | undefined;
	choices?: WebhookChoices | undefined;
	/** Without it a restart loses every subscription. */
	store?: StorePlace | undefined;
	/** Signs `v1a` beside `v1`; its public half is served. */
	signingKey?: KeyObject | undefined;
}

export interface Delivery {
	/** What the core is to be told. */
	options: Required<
		Pick<ReferenceOptions, "openWebhooks" | "allowCallbackOrigin">
	>;
	routes: HttpRoute[];
	/** After the core is closed. */
	close(): Promise<void>;
}

/** Throws `file-failed` for a store that cannot be used, `wrong-use` for callback options that cannot be read. */
export async function openDelivery(
	{ random, randomBytes, choices, signingKey, ...options }: DeliveryOptions,
	{ clock, note = () => {} }: Pick<ReferenceOptions, "clock" | "note">,
): Promise<Delivery> {
	const base = { clock, note, randomBytes };
	const callbacks = openCallbacks({ ...options.callbacks, ...base });
	try {
		const store = options.store && (await openStore(options.store, base));
		let isInUse = false;
		return {
			options: {
				openWebhooks(parts) {
					isInUse = true;
					return openWebhooks({
						...parts,
						...given(choices ?? {}),
						...{ random, randomBytes, store, signingKey },
						callbacks: withManners(callbacks, parts.manners?.handshake),
					});
				},
				allowCallbackOrigin: callbacks.allowOrigin,
			},
			routes: signingKey ? [serveJwks(signingKey)] : [],
			async close() {
				// Whoever uses the store closes it too.
				if (!isInUse) await store?.close();
				await callbacks.close();
			},
		};
	} catch (fault) {
		await callbacks.close();
		throw fault;
	}
}

function withManners(
	callbacks: Callbacks,
	manners: HandshakeManners | undefined,
): Callbacks {
	if (!manners) return callbacks;
	return {
		...callbacks,
		verify: (request) => callbacks.verify({ ...request, manners }),
	};
}

/** Without the members that say nothing: they must not hide what the profile says. */
const given = (choices: WebhookChoices): WebhookChoices =>
	Object.fromEntries(
		Object.entries(choices).filter(([, value]) => value !== undefined),
	);

function serveJwks(signingKey: KeyObject): HttpRoute {
	const body = jwksText(signingKey);
	return {
		matches: (_method, path) => path === JWKS_PATH,
		maxBodyBytes: 0,
		handle: async ({ method }): Promise<RouteReply> =>
			method === "GET" || method === "HEAD"
				? {
						status: 200,
						headers: {
							"content-type": "application/jwk-set+json",
							"cache-control": "public, max-age=300",
						},
						body,
					}
				: { status: 405, headers: { allow: "GET, HEAD" }, body: "" },
	};
}
