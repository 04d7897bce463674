// Who has consented to what: remembered for (principal, url), for a bounded time and a bounded number of them.
import type { Clock } from "../clock.ts";
import type { Verification } from "./callbacks.ts";

const MOST = 10_000;

export class Consents {
	readonly #clock: Clock;
	readonly #lifetimeMs: number;
	/** The one that was given first stands first. */
	readonly #byKey = new Map<string, Verification>();

	constructor(clock: Clock, lifetimeMs: number) {
		this.#clock = clock;
		this.#lifetimeMs = lifetimeMs;
	}

	has(principal: string, url: string): boolean {
		const found = this.#byKey.get(consentKey(principal, url));
		return found !== undefined && this.#isInForce(found);
	}

	add(principal: string, url: string): void {
		const untilMs = this.#clock.now() + this.#lifetimeMs;
		this.#put({ principal, url, untilMs });
	}

	inForce(): Verification[] {
		return [...this.#byKey.values()].filter((one) => this.#isInForce(one));
	}

	restore(verifications: readonly Verification[]): void {
		for (const one of verifications) if (this.#isInForce(one)) this.#put(one);
	}

	#put(verification: Verification): void {
		const key = consentKey(verification.principal, verification.url);
		this.#byKey.delete(key);
		const [oldest] = this.#byKey.keys();
		if (this.#byKey.size >= MOST && oldest !== undefined)
			this.#byKey.delete(oldest);
		this.#byKey.set(key, verification);
	}

	#isInForce({ untilMs }: Verification): boolean {
		return untilMs > this.#clock.now();
	}
}

/** The text by which a consent is told from every other. */
export function consentKey(principal: string, url: string): string {
	return JSON.stringify([principal, url]);
}
