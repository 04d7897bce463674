// The server's methods, whichever transport and era they are asked in.
import { setMaxListeners } from "node:events";
import {
	EXTENSION_ID,
	LEGACY_VERSIONS,
	META,
	METHODS,
	MODERN_VERSION,
	type RequestId,
} from "../../protocol/index.ts";
import { invalidParams, Refusal } from "../refusal.ts";
import {
	type ReferenceOptions,
	readSettings,
	type Settings,
} from "../settings.ts";
import { createCatalogue } from "./catalogue.ts";
import type { Era } from "./envelope.ts";
import { pollEvents } from "./poll.ts";
import { runStream, type Sink } from "./stream.ts";
import { readSubscription } from "./subscription.ts";

export interface RpcRequest {
	id: RequestId;
	method: string;
	params: Record<string, unknown>;
}

export interface Caller {
	era: Era;
	/** Aborts when the client is gone or cancels. */
	cancelled: AbortSignal;
	/** Called once a stream is about to send its first message. */
	openSink: () => Sink;
}

export interface Core {
	readonly settings: Settings;
	/**
	 * The response's JSON text; undefined where a stream was cancelled, which nothing answers. A stream answers when
	 * the server ends it. Throws Refusal.
	 */
	answer(request: RpcRequest, caller: Caller): Promise<string | undefined>;
	/** Streams open now. */
	readonly streamCount: number;
	/** Ends every stream. */
	endStreams(): void;
	closeSources(): Promise<void>;
}

/** Throws `wrong-use` where two sources offer the same event type. */
export function createCore(options: ReferenceOptions): Core {
	const settings = readSettings(options);
	const catalogue = createCatalogue(options.sources, settings.pageSize);
	const ending = new AbortController();
	setMaxListeners(0, ending.signal);
	let streamCount = 0;

	async function stream({ id, params }: RpcRequest, caller: Caller) {
		if (streamCount >= settings.maxStreams)
			throw new Refusal("ResourceExhausted", "too many streams are open", {
				data: { limit: "streams", max: settings.maxStreams },
			});
		streamCount++;
		try {
			const subscription = await readSubscription(params, "push", catalogue);
			const ends = { cancelled: caller.cancelled, ending: ending.signal };
			const { openSink } = caller;
			await runStream(id, subscription, { settings, ends, openSink });
		} finally {
			streamCount--;
		}
		return caller.cancelled.aborted ? undefined : "";
	}

	/** The members of the result as JSON text, or undefined where nothing is to be answered. */
	function run(request: RpcRequest, caller: Caller) {
		const { method, params } = request;
		switch (method) {
			case METHODS.list:
				return membersOf(catalogue.page(params.cursor));
			case METHODS.poll:
				return pollEvents(params, catalogue, settings);
			case METHODS.stream:
				return stream(request, caller);
			case METHODS.subscribe:
			case METHODS.unsubscribe:
				throw new Refusal(
					"Forbidden",
					"webhooks need an authenticated principal, and this server knows none",
				);
			default:
				if (method === METHODS.discover && caller.era === "modern")
					return membersOf(discover());
				throw new Refusal("MethodNotFound", "there is no such method");
		}
	}

	return {
		settings,
		get streamCount() {
			return streamCount;
		},
		async answer(request, caller) {
			const { method, params } = request;
			if (caller.era === "legacy") {
				const plain = answerLegacy(method, params, settings);
				if (plain) return wrap(request.id, membersOf(plain));
			}
			const members = await run(request, caller);
			if (members === undefined) return undefined;
			const meta = metaOf(request, caller.era, settings);
			return wrap(request.id, join(members, membersOf(meta)));
		},
		endStreams: () => ending.abort(),
		async closeSources() {
			for (const source of options.sources) await source.close();
		},
	};
}

const capabilities = { extensions: { [EXTENSION_ID]: {} } };

const serverInfo = ({ version }: Settings) => ({ name: "mcp-events", version });

function discover() {
	return {
		supportedVersions: [MODERN_VERSION],
		capabilities,
		ttlMs: 60_000,
		cacheScope: "private",
	};
}

/** Results of the core protocol alone: an `initialize` client may refuse a member that it does not know in them. */
function answerLegacy(
	method: string,
	params: Record<string, unknown>,
	settings: Settings,
) {
	if (method === METHODS.ping) return {};
	if (method !== METHODS.initialize) return undefined;
	return {
		protocolVersion: agreeOn(params.protocolVersion),
		capabilities,
		serverInfo: serverInfo(settings),
	};
}

/** The revision asked for, or else the newest that we know of that era. */
function agreeOn(asked: unknown): string {
	if (typeof asked !== "string")
		throw invalidParams("protocolVersion must be a string");
	return LEGACY_VERSIONS.find((known) => known === asked) ?? LEGACY_VERSIONS[0];
}

/** What stands beside the members of every result. */
function metaOf({ id, method }: RpcRequest, era: Era, settings: Settings) {
	const meta = {
		...(method === METHODS.stream && { [META.subscriptionId]: id }),
		...(era === "modern" && { [META.serverInfo]: serverInfo(settings) }),
	};
	const isEmpty = Object.keys(meta).length === 0;
	return { resultType: "complete", ...(!isEmpty && { _meta: meta }) };
}

const membersOf = (value: object) => JSON.stringify(value).slice(1, -1);

const join = (left: string, right: string) =>
	left === "" ? right : `${left},${right}`;

const wrap = (id: RequestId, members: string) =>
	`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}}}`;
