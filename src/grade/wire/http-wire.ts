// The wire over Streamable HTTP, in both eras: each request on a connection of its own.
import { METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { Answer } from "./answer.ts";
import {
	type Agreement,
	bendHeaders,
	MODERN,
	messageText,
	routingHeaders,
} from "./envelope.ts";
import type { Frame } from "./frame.ts";
import { type Shaken, shakeHands } from "./handshake.ts";
import { type ExchangePieces, exchangeHttp } from "./http-exchange.ts";
import type { HttpRequest } from "./http-send.ts";
import { openHttpStream } from "./http-stream.ts";
import type { GradeStream } from "./stream.ts";
import type { Trail } from "./trail.ts";
import type { AskOptions, Caller, Wire } from "./wire.ts";

export interface HttpWireParts extends ExchangePieces {
	label: string;
	/** Of each caller, lower-case names. */
	credentials: Record<Caller, Record<string, string>>;
	clientInfo: object;
	timeoutMs: number;
	prefer: "modern" | "legacy";
	newId(): string;
}

/** What all wires to one server share. */
interface Link {
	agreement: Agreement | undefined;
	/** With the second principal, for sessions belong to one; once it was needed. */
	second?: Agreement | undefined;
}

/** How long a notice or the end of a session may take: nothing depends on it. */
const ERRAND_MS = 2_000;

export class HttpWire implements Wire {
	readonly kind = "http";
	readonly #parts: HttpWireParts;
	readonly #trail: Trail;
	readonly #link: Link;

	constructor(
		parts: HttpWireParts,
		trail: Trail,
		link: Link = { agreement: undefined },
	) {
		this.#parts = parts;
		this.#trail = trail;
		this.#link = link;
	}

	get label(): string {
		return this.#parts.label;
	}

	get era(): "modern" | "legacy" | undefined {
		return this.#link.agreement?.era;
	}

	withTrail(trail: Trail): Wire {
		return new HttpWire(this.#parts, trail, this.#link);
	}

	async shake(): Promise<Shaken> {
		const shaken = await this.#shakeAs("first");
		this.#link.agreement = shaken.agreement;
		this.#link.second = undefined;
		return shaken;
	}

	#shakeAs(caller: Caller): Promise<Shaken> {
		const { clientInfo, prefer } = this.#parts;
		return shakeHands({
			askUnder: (agreement, method, params) =>
				this.#ask({ method, params }, { caller }, agreement),
			notifyInitialized: (agreement) =>
				this.#notify(NOTIFICATIONS.initialized, {}, agreement, caller),
			clientInfo,
			prefer,
		});
	}

	async renew(): Promise<boolean> {
		if (this.era === "modern") {
			const answer = await this.ask(METHODS.discover, {});
			return answer.outcome.kind !== "none";
		}
		return (await this.shake()).agreement !== undefined;
	}

	async ask(
		method: string,
		params: Record<string, unknown>,
		options: AskOptions = {},
	): Promise<Answer> {
		if (options.caller === "second") await this.#meetSecond();
		const agreement = this.#agreementWith(options.caller);
		return await this.#ask({ method, params }, options, agreement);
	}

	/** A session of its own, where there are sessions. */
	async #meetSecond(): Promise<void> {
		const { agreement, second } = this.#link;
		if (agreement?.sessionId === undefined || second) return;
		this.#link.second = (await this.#shakeAs("second")).agreement;
	}

	/** A stream of the second principal has its session only where it was asked something before. */
	#agreementWith(caller: Caller = "first"): Agreement {
		return (caller === "second" && this.#link.second) || this.#agreement;
	}

	openStream(
		method: string,
		params: Record<string, unknown>,
		options: AskOptions = {},
	): GradeStream {
		const { id, request } = this.#build(
			{ method, params },
			options,
			this.#agreementWith(options.caller),
		);
		const onFrame = (frame: Frame) => {
			this.#trail.addFrame(frame, method);
			if (frame.kind === "request") this.#respond(frame);
		};
		const onCancel = async () => {
			if (this.era === "legacy")
				await this.notify(NOTIFICATIONS.cancelled, { requestId: id });
		};
		return openHttpStream(
			{ ...request, method, id, onFrame, onCancel },
			this.#parts,
		);
	}

	notify(method: string, params: Record<string, unknown>): Promise<void> {
		return this.#notify(method, params, this.#agreement);
	}

	async close(): Promise<void> {
		const { agreement, second } = this.#link;
		if (second?.sessionId !== undefined)
			await this.#errand({ verb: "DELETE", caller: "second" });
		if (agreement?.sessionId !== undefined)
			await this.#errand({ verb: "DELETE" });
	}

	get #agreement(): Agreement {
		return this.#link.agreement ?? MODERN;
	}

	async #ask(
		call: { method: string; params: Record<string, unknown> },
		options: AskOptions,
		agreement: Agreement,
	): Promise<Answer> {
		const { id, request } = this.#build(call, options, agreement);
		const answer = await exchangeHttp(
			{
				...request,
				method: call.method,
				id,
				isAnyId: options.raw !== undefined,
				timeoutMs: options.timeoutMs ?? this.#parts.timeoutMs,
			},
			this.#parts,
		);
		for (const frame of answer.frames) this.#trail.addFrame(frame, call.method);
		this.#trail.addAnswer(answer);
		return answer;
	}

	#build(
		call: { method: string; params: Record<string, unknown> },
		options: AskOptions,
		agreement: Agreement,
	): { id: unknown; request: HttpRequest } {
		const { verb = "POST", caller = "first", raw, meta } = options;
		const { credentials, clientInfo, newId } = this.#parts;
		const id = "id" in options ? options.id : newId();
		const text =
			raw ?? messageText({ ...call, id }, agreement, { clientInfo, meta });
		const body = verb === "POST" ? Buffer.from(text) : undefined;
		const headers = bendHeaders(
			{
				...routingHeaders(call.method, call.params, agreement),
				...credentials[caller],
				...(body && { "content-length": String(body.length) }),
			},
			options.headers,
		);
		return { id, request: { verb, headers, body } };
	}

	async #notify(
		method: string,
		params: Record<string, unknown>,
		agreement: Agreement,
		caller: Caller = "first",
	): Promise<void> {
		await this.#ask(
			{ method, params },
			{ id: undefined, timeoutMs: ERRAND_MS, caller },
			agreement,
		).catch(() => {});
	}

	/** Only the legacy era asks something of us: ping must be answered, the rest we do not know. */
	#respond({ id, method }: Frame): void {
		const answer =
			method === METHODS.ping
				? { result: {} }
				: { error: { code: -32601, message: "Method not found" } };
		this.#errand({ raw: JSON.stringify({ jsonrpc: "2.0", id, ...answer }) });
	}

	async #errand(options: AskOptions): Promise<void> {
		await this.#ask(
			{ method: "", params: {} },
			{ ...options, timeoutMs: ERRAND_MS },
			this.#agreementWith(options.caller),
		).catch(() => {});
	}
}
