// The secrets of one webhook subscription: when a new one is due, and how long the one before is still accepted.
import type { Registration } from "../../receiver/index.ts";

export type OwnSecret = Registration["secrets"][number];

export interface RotationOptions {
	newSecret(): OwnSecret;
	/** undefined: never. */
	everyMs: number | undefined;
	/** How long the old secret is accepted after the server took the new one. */
	graceMs: number;
}

/** So that a rotation which is faster than its grace time costs a bounded number of checks. */
const MOST_SECRETS = 4;

export class Rotation {
	readonly #registration: Registration;
	readonly #options: RotationOptions;
	readonly #save: (secrets: readonly OwnSecret[]) => Promise<void>;
	#nextAt: number | undefined;
	/** When each of the old ones is forgotten. */
	readonly #ends = new Map<OwnSecret, number>();

	constructor(
		registration: Registration,
		options: RotationOptions,
		save: (secrets: readonly OwnSecret[]) => Promise<void>,
	) {
		this.#registration = registration;
		this.#options = options;
		this.#save = save;
	}

	/** The one that the server is to sign with. For the wire alone. */
	reveal(): string {
		const [current] = this.#registration.secrets;
		if (!current) throw new Error("a subscription has no secret");
		return current.secret.reveal();
	}

	/**
	 * To be called before a subscribe: registers a new secret where one is due, beside those that the server may sign
	 * with still. Durable when it resolves: what is signed with it may arrive during the call.
	 */
	async begin(nowMs: number): Promise<void> {
		if (this.#nextAt === undefined || nowMs < this.#nextAt) return;
		this.#nextAt = undefined;
		const secrets = [
			this.#options.newSecret(),
			...this.#registration.secrets,
		].slice(0, MOST_SECRETS);
		await this.#save(secrets);
		this.#registration.secrets = secrets;
	}

	/** To be called after a subscribe that succeeded: the server has our current secret now. */
	settle(nowMs: number): void {
		const { everyMs, graceMs } = this.#options;
		if (everyMs !== undefined) this.#nextAt ??= nowMs + everyMs;
		for (const old of this.#registration.secrets.slice(1))
			if (!this.#ends.has(old)) this.#ends.set(old, nowMs + graceMs);
	}

	/** Forgets the secrets whose time is over: here even where it cannot be made durable, so that it is due no more. */
	async expire(nowMs: number): Promise<void> {
		const isOver = (secret: OwnSecret) =>
			(this.#ends.get(secret) ?? Infinity) <= nowMs;
		const before = this.#registration.secrets;
		const secrets = before.filter((one) => !isOver(one));
		// Those that gave way to newer ones have nothing left to end.
		for (const old of this.#ends.keys())
			if (!secrets.includes(old)) this.#ends.delete(old);
		if (secrets.length === before.length) return;
		this.#registration.secrets = secrets;
		await this.#save(secrets);
	}

	/** Whether a new secret is due. */
	isDue(nowMs: number): boolean {
		return this.#nextAt !== undefined && nowMs >= this.#nextAt;
	}

	/** How long until there is something to do here; Infinity where there is nothing. */
	waitMs(nowMs: number): number {
		const times = [this.#nextAt ?? Infinity, ...this.#ends.values()];
		return Math.max(0, Math.min(...times) - nowMs);
	}
}
