// Where deliveries may arrive, and whose they are.
import type { NamedPublicKey, NamedSecret } from "../signing/index.ts";

/** A subscription as the receiver knows it. Its owner may change the fields at any time: the next delivery sees it. */
export interface Registration {
	label: string;
	/** The current secret and, while a rotation lasts, the one before. */
	secrets: readonly NamedSecret[];
	publicKeys?: readonly NamedPublicKey[];
	/** What `X-MCP-Subscription-Id` must say; undefined until a handshake or the subscribe response binds it. */
	subscriptionId: string | undefined;
}

export interface Route {
	/** The whole path, without a query. */
	path: string;
	/**
	 * `events`: deliveries of MCP Events, each with its subscription id. `anything`: JSON from any sender that signs as
	 * Standard Webhooks has it.
	 */
	expects: "events" | "anything";
	registrations: Registration[];
}

const RANDOM_BYTES = 18;

/** A path under `prefix` that nobody can guess. `prefix` begins and ends with a slash. */
export function newRoutePath(
	prefix: string,
	randomBytes: (size: number) => Buffer,
): string {
	return prefix + randomBytes(RANDOM_BYTES).toString("base64url");
}
