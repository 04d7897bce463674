// What makes two subscriptions one: principal, callback URL, event name and canonical arguments (events.md 6).
import { createHash } from "node:crypto";
import { canonicalJson } from "../../protocol/index.ts";
import type { EventArguments } from "../source.ts";

export interface SubscriptionKey {
	principal: string;
	url: string;
	name: string;
	arguments: EventArguments;
}

/** The subscription's id: the same for one key in every run, and different for two. It authorizes nothing. */
export function idOf(key: SubscriptionKey): string {
	// As one JSON array, so that no part can reach into the next.
	const parts = [key.principal, key.url, key.name, key.arguments];
	const digest = createHash("sha256").update(canonicalJson(parts));
	return `sub_${digest.digest("base64url")}`;
}
