// The documents by which receivers say which of their paths take deliveries (events.md 6, Consent), kept for a while.
import { isRecord, WELL_KNOWN_PATH } from "../../protocol/index.ts";
import type { Clock } from "../clock.ts";
import { CallFailure } from "./call-failure.ts";
import type { Answer, GuardedPath } from "./exchange.ts";
import { freshForMs } from "./freshness.ts";
import { isBelow } from "./path-prefix.ts";
import { shareByKey } from "./share-by-key.ts";

export interface ReceiverDocuments {
	/** Whether the origin's document has a prefix for this URL. Asked over https only. */
	cover(url: URL): Promise<boolean>;
}

interface Known {
	prefixes: readonly string[];
	etag: string | undefined;
	freshUntilMs: number;
}

const DOCUMENT_LIMIT_BYTES = 16 * 1024;
const MOST_PREFIXES = 100;
const MOST_ORIGINS = 1_000;
const SILENCE_MS = 10_000;

export function openReceiverDocuments(world: {
	path: GuardedPath;
	clock: Clock;
	/** Throws where the origin was asked too often. */
	countFetch: (url: URL) => Promise<void>;
}): ReceiverDocuments {
	const { path, clock, countFetch } = world;
	const known = new Map<string, Known>();
	const share = shareByKey<Known>();

	function read(answer: Answer, before: Known | undefined): Known {
		const isUnchanged = answer.status === 304 && before !== undefined;
		return {
			prefixes: isUnchanged ? before.prefixes : prefixesOf(answer),
			etag: etagOf(answer) ?? (isUnchanged ? before.etag : undefined),
			freshUntilMs: clock.now() + freshForMs(answer.headers, clock.now()),
		};
	}

	async function refresh(origin: string): Promise<Known> {
		await countFetch(new URL(origin));
		const before = known.get(origin);
		known.delete(origin);
		const answer = await ask(path, origin, before?.etag);
		const now = answer ? read(answer, before) : silence(clock.now());
		const [oldest] = known.keys();
		if (known.size >= MOST_ORIGINS && oldest !== undefined)
			known.delete(oldest);
		known.set(origin, now);
		return now;
	}

	return {
		async cover(url) {
			// Over http anyone on the way could write it.
			if (url.protocol !== "https:") return false;
			const kept = known.get(url.origin);
			const document =
				kept && kept.freshUntilMs > clock.now()
					? kept
					: await share(url.origin, () => refresh(url.origin));
			return document.prefixes.some((prefix) => isBelow(url, prefix));
		},
	};
}

/** Nobody answered: the origin is left alone for a moment, or clients could have it asked as often as they like. */
const silence = (now: number): Known => ({
	prefixes: [],
	etag: undefined,
	freshUntilMs: now + SILENCE_MS,
});

/** Undefined where nobody answered: the handshake will tell why. */
async function ask(
	path: GuardedPath,
	origin: string,
	etag: string | undefined,
): Promise<Answer | undefined> {
	try {
		return await path.exchange({
			url: new URL(WELL_KNOWN_PATH, origin),
			method: "GET",
			headers: {
				accept: "application/json",
				...(etag && { "if-none-match": etag }),
			},
			bodyLimitBytes: DOCUMENT_LIMIT_BYTES,
		});
	} catch (error) {
		if (error instanceof CallFailure) return undefined;
		throw error;
	}
}

/** Goes back to where it came from, so it must be no more than a tag. */
function etagOf({ headers }: Answer): string | undefined {
	const { etag } = headers;
	return etag && /^(W\/)?"[\x21\x23-\x7e]{1,200}"$/.test(etag)
		? etag
		: undefined;
}

function prefixesOf({ status, body }: Answer): string[] {
	if (status !== 200 || !body) return [];
	const document = parseOrNothing(body);
	if (!isRecord(document) || !Array.isArray(document.receivers)) return [];
	return document.receivers
		.slice(0, MOST_PREFIXES)
		.filter(
			(prefix): prefix is string =>
				typeof prefix === "string" && prefix.startsWith("/"),
		);
}

function parseOrNothing(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString("utf8"));
	} catch {
		return undefined;
	}
}
