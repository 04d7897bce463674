// Connections that stay open between calls. Each new one is judged before it is dialled, and none outlives its judgement.
import { Agent, type ClientRequestArgs } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { CallFailure } from "./call-failure.ts";
import { type DialOptions, dial } from "./dial.ts";
import type { Guard } from "./guard.ts";

/** A request names whom it calls, so that the connection it may need can be judged. */
export interface GuardedRequest extends ClientRequestArgs {
	call: { url: URL; signal: AbortSignal };
}

export interface ConnectionOptions extends DialOptions {
	guard: Guard;
}

/** Nobody calls again that soon after: the endpoint may have hung up meanwhile. */
const IDLE_MS = 15_000;
/** An address that was judged is believed for this long at most. */
const MOST_AGE_MS = 60_000;
/** Many subscriptions may end at one gateway, and a TLS handshake costs as much as ten deliveries. */
const MOST_IDLE_PER_ORIGIN = 256;

export class Connections extends Agent {
	readonly #options: ConnectionOptions;
	readonly #bornMs = new WeakMap<Duplex, number>();

	constructor(options: ConnectionOptions) {
		super({
			keepAlive: true,
			timeout: IDLE_MS,
			maxFreeSockets: MOST_IDLE_PER_ORIGIN,
		});
		this.#options = options;
	}

	override createConnection(
		{ call }: GuardedRequest,
		// On a failure there is no second argument, whatever the type says.
		done: (error: Error | null, socket?: Duplex) => void,
	): undefined {
		this.#open(call).then(
			(socket) => {
				this.#bornMs.set(socket, this.#options.clock.now());
				done(null, socket);
			},
			(error) => done(error),
		);
	}

	override keepSocketAlive(socket: Duplex): boolean {
		super.keepSocketAlive(socket);
		const { clock } = this.#options;
		return clock.now() - (this.#bornMs.get(socket) ?? 0) < MOST_AGE_MS;
	}

	async #open({ url, signal }: GuardedRequest["call"]): Promise<Socket> {
		const judgement = await this.#options.guard.judge(url);
		signal.throwIfAborted();
		if (judgement.kind === "failed") throw new CallFailure(judgement.reason);
		// Forbidden and unknown are told alike: a client learns nothing of what lies inside.
		if (judgement.kind !== "allowed")
			throw new CallFailure("connection_refused");
		const { addresses } = judgement;
		return await dial(this.#options, { url, addresses, signal });
	}
}
