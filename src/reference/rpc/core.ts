// The server's methods, whichever transport and era they are asked in.
import { METHODS, type RequestId } from "../../protocol/index.ts";
import { Controls } from "../controls/controls.ts";
import { Refusal } from "../refusal.ts";
import {
	type ReferenceOptions,
	readSettings,
	type Settings,
} from "../settings.ts";
import type { Source, SourceType } from "../source.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { type Catalogue, createCatalogue } from "./catalogue.ts";
import type { Era } from "./envelope.ts";
import { answerLegacy, discover, tellsListChanges } from "./handshake.ts";
import { runListen, tellUnasked } from "./list-changes.ts";
import { LiveStreams, type OpenStream } from "./live-streams.ts";
import { offeredType } from "./offered-type.ts";
import { pollEvents } from "./poll.ts";
import { membersOf, plainResultText, resultText } from "./result.ts";
import { runStream, type Sink } from "./stream.ts";
import { forbidden, readSubscription } from "./subscription.ts";
import { webhookParts } from "./webhook-parts.ts";

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
	readonly live: LiveStreams;
	readonly catalogue: Catalogue;
	readonly webhooks: Webhooks | undefined;
	readonly #options: ReferenceOptions;
	readonly #controls: Controls | undefined;
	readonly #restarted = new Set<() => void>();
	#sources: readonly Source[];

	/** Throws `wrong-use` where two sources offer the same event type. */
	constructor(options: ReferenceOptions) {
		this.#options = options;
		this.settings = readSettings(options);
		this.live = new LiveStreams(this.settings, forbidden);
		if (options.conformanceControls)
			this.#controls = new Controls(this, options);
		this.#sources = options.sources;
		this.catalogue = createCatalogue(this.#allSources(), {
			pageSize: this.settings.pageSize,
			offer: (type) => this.#offer(type),
		});
		this.webhooks = options.openWebhooks?.(
			webhookParts(this.settings, this.catalogue),
		);
		this.settings.access.onRevoked(() => {
			this.live.checkAccess();
			void this.webhooks?.checkAccess();
		});
	}

	/** Streams open now. */
	get streamCount(): number {
		return this.live.count;
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
			const plain =
				answerLegacy(method, params, this.settings) ??
				(await this.#controls?.answerLegacy(method, params));
			if (plain) return plainResultText(id, plain);
		}
		const members = await this.#run(request, caller);
		if (members === undefined) return undefined;
		const { era } = caller;
		return resultText(request, members, { era, settings: this.settings });
	}

	/** Whether clients of an era are told of list changes on the channel that belongs to no request. */
	tellsUnasked(era: Era): boolean {
		return (
			this.settings.profile.listChanges === "ordinary" &&
			tellsListChanges(era, this.settings)
		);
	}

	/** Tells a client of list changes until it is gone, or the server ends its streams. */
	async tellUnasked(caller: Caller): Promise<void> {
		await this.#withStream(caller, (stream) =>
			tellUnasked(this.#noticeWorld(caller, stream)),
		);
	}

	/** Ends every stream for good, and what flaws hold back with it. */
	endStreams(): void {
		this.settings.flaws.close();
		this.live.endAll();
	}

	/** Calls back when the server begins anew, as `events_conformance_restart` has it: sessions are over. */
	onRestarted(end: () => void): void {
		this.#restarted.add(end);
	}

	/** As a new process would: streams end, sources and registry begin anew over the same store. */
	async restart(): Promise<void> {
		this.live.endAll();
		for (const end of this.#restarted) end();
		const { reopenSources } = this.#options;
		if (reopenSources) {
			for (const source of this.#sources) await source.close();
			this.#sources = await reopenSources();
		}
		this.catalogue.reset(this.#allSources());
		await this.webhooks?.restart();
	}

	async closeSources(): Promise<void> {
		this.settings.flaws.close();
		await this.webhooks?.close();
		await this.#controls?.close();
		for (const source of this.#sources) await source.close();
	}

	/** The members of the result as JSON text, or undefined where nothing is to be answered. */
	async #run(request: RpcRequest, caller: Caller): Promise<string | undefined> {
		const { method, params } = request;
		const { principal, era } = caller;
		const { catalogue, settings, webhooks } = this;
		switch (method) {
			case METHODS.list:
				return membersOf(catalogue.page(params.cursor));
			case METHODS.poll:
				return pollEvents(params, { catalogue, settings, principal });
			case METHODS.stream:
				return await this.#stream(request, caller);
			case METHODS.subscribe:
				if (!webhooks) throw noPrincipals();
				return membersOf(await webhooks.subscribe(params, caller));
			case METHODS.unsubscribe:
				if (!webhooks) throw noPrincipals();
				return membersOf(await webhooks.unsubscribe(params, caller));
		}
		if (era === "modern") {
			if (method === METHODS.discover) return membersOf(discover(settings));
			if (method === METHODS.listen) return await this.#listen(request, caller);
			const answer = await this.#controls?.answer(method, params);
			if (answer) return membersOf(answer);
		}
		throw new Refusal("MethodNotFound", "there is no such method");
	}

	async #stream({ id, method, params }: RpcRequest, caller: Caller) {
		const { catalogue, settings } = this;
		const { cancelled, principal, era } = caller;
		await this.#withStream(caller, async (stream) => {
			const checks = { catalogue, settings, principal };
			const subscription = await readSubscription(params, "push", checks);
			stream.admit(subscription);
			const about = { era, method, params, scope: stream };
			await runStream(id, subscription, {
				settings,
				ends: { cancelled, ending: stream.ending },
				openSink: () =>
					settings.flaws.sink(caller.openSink(), about, stream.end),
				onHeartbeat: stream.checkAccess,
			});
		});
		return cancelled.aborted ? undefined : "";
	}

	async #listen({ id, method, params }: RpcRequest, caller: Caller) {
		const { flaws } = this.settings;
		await this.#withStream(caller, async (stream) => {
			const about = { era: caller.era, method, params, scope: stream };
			const world = this.#noticeWorld(caller, stream);
			await runListen(id, params, {
				...world,
				openSink: () => flaws.sink(caller.openSink(), about, stream.end),
			});
		});
		return caller.cancelled.aborted ? undefined : "";
	}

	async #withStream(
		caller: Caller,
		run: (stream: OpenStream) => Promise<void>,
	): Promise<void> {
		const stream = this.live.open(caller);
		try {
			await run(stream);
		} finally {
			stream.close();
		}
	}

	#noticeWorld({ era, cancelled, openSink }: Caller, { ending }: OpenStream) {
		const isTold = tellsListChanges(era, this.settings);
		const { onChanged } = this.catalogue;
		return {
			ends: { cancelled, ending },
			openSink,
			onChanged: isTold ? onChanged : undefined,
		};
	}

	#allSources(): readonly Source[] {
		return this.#controls?.around(this.#sources) ?? this.#sources;
	}

	#offer(type: SourceType) {
		return offeredType(this.#controls?.stage(type) ?? type, {
			settings: this.settings,
			hasWebhooks: this.#options.openWebhooks !== undefined,
		});
	}
}

const noPrincipals = () =>
	new Refusal(
		"Forbidden",
		"webhooks need an authenticated principal, and this server knows none",
	);
