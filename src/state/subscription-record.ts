// What is remembered of one webhook subscription of ours. Its secrets are not in here.
import { isRecord } from "../protocol/index.ts";

/** What a subscription is made with. */
export interface SubscriptionFacts {
	/** The server, without credentials. */
	server: string;
	/** Who we are there (principal.ts); undefined in a record of before it was kept: then it may be anybody's. */
	principal: string | undefined;
	event: string;
	arguments: Record<string, unknown>;
	/** The callback. */
	url: string;
	/** `listen`: a receiver of ours stands at the callback; `elsewhere`: somebody else's does. */
	receiver: "listen" | "elsewhere";
	/** The receiver's paths that it has ever had, the present one last; empty for `elsewhere`. */
	paths: string[];
}

/** Times are epoch milliseconds. */
export interface SubscriptionRecord extends SubscriptionFacts {
	/** Ours, for file names; says nothing to the server. */
	key: string;
	/** The server's; undefined while it has never answered. */
	id: string | undefined;
	/** null: it never expires; undefined: not known. */
	refreshBefore: number | null | undefined;
	cursor: string | undefined;
	createdAt: number;
	/** When the server last confirmed it. */
	lastSeenAt: number | undefined;
	/** When it was unsubscribed, or the server ended it. */
	endedAt: number | undefined;
}

export interface ListedSubscription {
	record: SubscriptionRecord;
	/** Whether a process that may be alive looks after it. */
	isHeld: boolean;
}

/** Whether a record is that of this principal at this server. */
export function isRecordOf(
	record: Pick<SubscriptionRecord, "server" | "principal">,
	asker: { server: string; principal: string },
): boolean {
	const { server, principal } = record;
	if (server !== asker.server) return false;
	return principal === undefined || principal === asker.principal;
}

/** Reads the JSON of a record; undefined where it is none. */
export function readRecord(value: unknown): SubscriptionRecord | undefined {
	if (!isRecord(value)) return undefined;
	const { key, server, event, url, receiver, createdAt } = value;
	const texts = [key, server, event, url];
	if (!texts.every((text) => typeof text === "string")) return undefined;
	if (receiver !== "listen" && receiver !== "elsewhere") return undefined;
	if (!isRecord(value.arguments) || !isTexts(value.paths)) return undefined;
	if (typeof createdAt !== "number" || !URL.canParse(String(url)))
		return undefined;
	const { refreshBefore } = value;
	return {
		key: String(key),
		server: String(server),
		principal: textOf(value.principal),
		event: String(event),
		arguments: value.arguments,
		url: String(url),
		receiver,
		paths: value.paths,
		id: textOf(value.id),
		refreshBefore: refreshBefore === null ? null : numberOf(refreshBefore),
		cursor: textOf(value.cursor),
		createdAt,
		lastSeenAt: numberOf(value.lastSeenAt),
		endedAt: numberOf(value.endedAt),
	};
}

const isTexts = (value: unknown): value is string[] =>
	Array.isArray(value) && value.every((one) => typeof one === "string");
const textOf = (value: unknown) =>
	typeof value === "string" ? value : undefined;
const numberOf = (value: unknown) =>
	typeof value === "number" ? value : undefined;
