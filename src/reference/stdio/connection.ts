// One client on stdio: its requests side by side, each answered once or cancelled.
import type { Readable } from "node:stream";
import {
	isRecord,
	META,
	METHODS,
	NOTIFICATIONS,
	type RequestId,
} from "../../protocol/index.ts";
import type { About } from "../flaws/flaw.ts";
import { Refusal } from "../refusal.ts";
import type { Caller, Core, RpcRequest } from "../rpc/core.ts";
import { type Era, errorText } from "../rpc/envelope.ts";
import { checkModernMeta, versionUnsupported } from "../rpc/modern-meta.ts";
import { readMessage } from "../rpc/read-message.ts";
import type { LineWriter } from "./line-writer.ts";

/** Unanswered requests, streams apart, at which no more are read. */
const MAX_CALLS = 64;

export class Connection {
	readonly #core: Core;
	readonly #writer: LineWriter;
	readonly #input: Readable;
	readonly #calls = new Map<RequestId, AbortController>();
	readonly #open = new Set<Promise<void>>();
	#isInitialized = false;
	/** The answer to initialize: what comes behind it in one piece waits for it. */
	#handshake: Promise<void> = Promise.resolve();

	constructor(core: Core, writer: LineWriter, input: Readable) {
		this.#core = core;
		this.#writer = writer;
		this.#input = input;
		core.onRestarted(() => {
			this.#isInitialized = false;
		});
	}

	/** Takes one line of the client. */
	take(line: Buffer): void {
		if (line.length === 0) return;
		try {
			const message = readMessage(line);
			if (message.kind === "request") {
				this.#core.settings.flaws.request(message, {});
				this.#start(message);
			}
			if (message.kind !== "notification") return;
			if (message.method === NOTIFICATIONS.cancelled)
				this.#cancel(message.params.requestId);
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			this.#refuse(undefined, error);
		}
	}

	refuseTooLong(): void {
		const { maxRequestBytes } = this.#core.settings;
		this.#refuse(
			undefined,
			new Refusal(
				"InvalidRequest",
				`a message is at most ${maxRequestBytes} bytes`,
			),
		);
	}

	/** Waits until all is answered, no longer than `ms`; then what is left is cancelled. */
	async settle(ms: number): Promise<void> {
		const timer = setTimeout(() => {
			for (const call of this.#calls.values()) call.abort();
		}, ms);
		await Promise.all(this.#open);
		clearTimeout(timer);
	}

	#start(request: RpcRequest): void {
		const { id } = request;
		if (this.#calls.has(id)) {
			const taken = "a request with this id is open";
			this.#refuse(id, new Refusal("InvalidRequest", taken));
			return;
		}
		const cancel = new AbortController();
		this.#calls.set(id, cancel);
		const work = this.#answer(request, cancel.signal).finally(() => {
			this.#calls.delete(id);
			this.#open.delete(work);
			this.#input.resume();
		});
		this.#open.add(work);
		if (request.method === METHODS.initialize) this.#handshake = work;
		if (this.#isFull) this.#input.pause();
	}

	get #isFull(): boolean {
		return this.#calls.size - this.#core.streamCount >= MAX_CALLS;
	}

	async #answer(request: RpcRequest, cancelled: AbortSignal): Promise<void> {
		const { settings } = this.#core;
		let era: Era = "modern";
		const say = (text: string) =>
			this.#say(text, cancelled, { ...request, era, scope: request });
		try {
			if (request.method !== METHODS.initialize) await this.#handshake;
			era = this.#eraOf(request);
			const text = await this.#core.answer(
				request,
				this.#callerOf(era, cancelled),
			);
			if (request.method === METHODS.initialize) this.#beginSession();
			if (text !== undefined) await say(text);
		} catch (error) {
			if (!(error instanceof Refusal))
				settings.note(`a request failed: ${error}`);
			const refusal =
				error instanceof Refusal
					? error
					: new Refusal("InternalError", "the server failed");
			await say(errorText(request.id, refusal, settings.numbers));
		}
	}

	#callerOf(era: Era, cancelled: AbortSignal): Caller {
		return {
			era,
			// Nobody can be authenticated on a pipe.
			principal: undefined,
			limitKey: "stdio",
			cancelled,
			openSink: () => {
				// It is a stream from now on, and no longer one of the calls that keep others waiting.
				if (!this.#isFull) this.#input.resume();
				return {
					frame,
					write: (lines) => this.#writer.write(lines, cancelled),
				};
			},
		};
	}

	/** An `initialize` client may be told of things without asking, from then on. */
	#beginSession(): void {
		const isFirst = !this.#isInitialized;
		this.#isInitialized = true;
		if (!isFirst || !this.#core.tellsUnasked("legacy")) return;
		const over = new AbortController();
		const work = this.#core
			.tellUnasked(this.#callerOf("legacy", over.signal))
			.catch((error) => this.#core.settings.note(`no list changes: ${error}`))
			.finally(() => this.#open.delete(work));
		this.#open.add(work);
	}

	/** Which era a request belongs to; refuses what fits none that is served. */
	#eraOf({ method, params }: RpcRequest): Era {
		const served = this.#core.settings.era;
		if (served === "legacy") return "legacy";
		const meta = isRecord(params._meta) ? params._meta : {};
		const isModern = META.protocolVersion in meta;
		const isInitialize = method === METHODS.initialize && !isModern;
		if (served === "both" && !isModern)
			if (isInitialize || this.#isInitialized) return "legacy";
		if (isInitialize) throw versionUnsupported(params.protocolVersion);
		checkModernMeta(params);
		return "modern";
	}

	/** A cancelled request is answered no more, whatever came of it. */
	async #say(
		text: string,
		cancelled: AbortSignal,
		about: About,
	): Promise<void> {
		const { flaws } = this.#core.settings;
		const { texts } = await flaws.answer(text, about);
		const lines = texts.map((one) => flaws.frame(frame(one), about)).join("");
		if (!cancelled.aborted) await this.#writer.write(lines, cancelled);
	}

	#cancel(requestId: unknown): void {
		if (typeof requestId === "string" || typeof requestId === "number")
			this.#calls.get(requestId)?.abort();
	}

	#refuse(id: RequestId | undefined, refusal: Refusal): void {
		const { numbers } = this.#core.settings;
		void this.#writer.write(frame(errorText(id, refusal, numbers)));
	}
}

const frame = (message: string) => `${message}\n`;
