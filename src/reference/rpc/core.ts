// The server's methods, whichever transport and era they are asked in.
import { setMaxListeners } from "node:events";
import { META, METHODS, type RequestId } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";
import {
	type ReferenceOptions,
	readSettings,
	type Settings,
} from "../settings.ts";
import type { Source } from "../source.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import type { Era } from "./envelope.ts";
import { answerLegacy, discover, serverInfo } from "./handshake.ts";
import { pollEvents } from "./poll.ts";
import { runStream, type Sink } from "./stream.ts";
import { createStreamPlaces, type StreamPlaces } from "./stream-places.ts";
import { readSubscription } from "./subscription.ts";

export interface RpcRequest {
	id: RequestId;
	method: string;
	params: Record<string, unknown>;
}

export interface Caller {
	era: Era;
	/** Whose token came with the request; undefined where the server knows no tokens. */
	principal: string | undefined;
	/** Whom limits count for: a principal, an address, or the one client of a pipe. */
	limitKey: string;
	/** Aborts when the client is gone or cancels. */
	cancelled: AbortSignal;
	/** Called once a stream is about to send its first message. */
	openSink: () => Sink;
}

/** Holds no connection: a transport asks it, one request after another or side by side. */
export class Core {
	readonly settings: Settings;
	readonly #sources: readonly Source[];
	readonly #catalogue: Catalogue;
	readonly #ending = new AbortController();
	readonly #places: StreamPlaces;

	/** Throws `wrong-use` where two sources offer the same event type. */
	constructor(options: ReferenceOptions) {
		this.settings = readSettings(options);
		this.#sources = options.sources;
		this.#catalogue = createCatalogue(options.sources, this.settings.pageSize);
		this.#places = createStreamPlaces(this.settings);
		// One listener for each open stream.
		setMaxListeners(0, this.#ending.signal);
	}

	/** Streams open now. */
	get streamCount(): number {
		return this.#places.taken;
	}

	/**
	 * The response's JSON text; undefined where a stream was cancelled, which nothing answers. A stream answers when
	 * the server ends it. Throws Refusal.
	 */
	async answer(
		request: RpcRequest,
		caller: Caller,
	): Promise<string | undefined> {
		const { id, method, params } = request;
		if (caller.era === "legacy") {
			const plain = answerLegacy(method, params, this.settings);
			if (plain) return wrap(id, membersOf(plain));
		}
		const members = await this.#run(request, caller);
		if (members === undefined) return undefined;
		const meta = metaOf(request, caller.era, this.settings);
		return wrap(id, join(members, membersOf(meta)));
	}

	/** Ends every stream. */
	endStreams(): void {
		this.#ending.abort();
	}

	async closeSources(): Promise<void> {
		for (const source of this.#sources) await source.close();
	}

	/** The members of the result as JSON text, or undefined where nothing is to be answered. */
	#run(request: RpcRequest, caller: Caller) {
		const { method, params } = request;
		switch (method) {
			case METHODS.list:
				return membersOf(this.#catalogue.page(params.cursor));
			case METHODS.poll:
				return pollEvents(params, this.#catalogue, this.settings);
			case METHODS.stream:
				return this.#stream(request, caller);
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

	async #stream({ id, params }: RpcRequest, caller: Caller) {
		const { settings } = this;
		const { cancelled, openSink, limitKey } = caller;
		const leave = this.#places.take(limitKey);
		let leaveType = () => {};
		try {
			const subscription = await readSubscription(
				params,
				"push",
				this.#catalogue,
			);
			leaveType = this.#places.takeOf(subscription.type, limitKey);
			const ends = { cancelled, ending: this.#ending.signal };
			await runStream(id, subscription, { settings, ends, openSink });
		} finally {
			leaveType();
			leave();
		}
		return cancelled.aborted ? undefined : "";
	}
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
