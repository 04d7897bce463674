// How deliveries to one endpoint go: the rolling share of failures that suspends it, and what deliveryStatus tells.
import type { CallbackReason } from "../../protocol/index.ts";

export interface HealthLimits {
	/** Nearly all attempts must have failed for so long… */
	windowMs: number;
	/** …and at least so many. */
	leastAttempts: number;
}

/** Above this share of failures the endpoint counts as failing throughout (events.md 6). */
const SUSPENDING_SHARE = 0.95;
const BUCKETS = 12;

interface Bucket {
	startedAt: number;
	attempts: number;
	failures: number;
}

export class Health {
	readonly #limits: HealthLimits;
	#buckets: Bucket[] = [];
	/** When the first attempt since the (re)activation was made. */
	#watchedSince: number | undefined;
	/** Epoch milliseconds. */
	lastDeliveryAt: number | undefined;
	lastError: CallbackReason | undefined;
	/** Since when there were failures and nothing else. */
	failedSince: number | undefined;

	constructor(limits: HealthLimits) {
		this.#limits = limits;
	}

	/** `isSettled`: nothing that failed before is still to be delivered. */
	succeeded(now: number, isSettled: boolean): void {
		this.#count(now, 0);
		this.lastDeliveryAt = now;
		this.failedSince = undefined;
		if (isSettled) this.lastError = undefined;
	}

	/** The endpoint is there and does not want this one event: no reason to leave it alone. */
	refused(now: number): void {
		this.#count(now, 0);
		this.lastError = "http_4xx";
	}

	failed(now: number, reason: CallbackReason): void {
		this.#count(now, 1);
		this.lastError = reason;
		this.failedSince ??= now;
	}

	/** Whether deliveries are to be suspended. */
	isHopeless(now: number): boolean {
		const { windowMs, leastAttempts } = this.#limits;
		if (this.#watchedSince === undefined || now - this.#watchedSince < windowMs)
			return false;
		let attempts = 0;
		let failures = 0;
		for (const bucket of this.#buckets) {
			if (bucket.startedAt < now - windowMs) continue;
			attempts += bucket.attempts;
			failures += bucket.failures;
		}
		return attempts >= leastAttempts && failures > attempts * SUSPENDING_SHARE;
	}

	/** A refresh gives the endpoint a new chance: what was counted no longer counts. */
	forgive(): void {
		this.#buckets = [];
		this.#watchedSince = undefined;
	}

	#count(now: number, failures: 0 | 1): void {
		this.#watchedSince ??= now;
		const widthMs = this.#limits.windowMs / BUCKETS;
		let bucket = this.#buckets.at(-1);
		if (!bucket || now - bucket.startedAt >= widthMs) {
			bucket = { startedAt: now, attempts: 0, failures: 0 };
			this.#buckets.push(bucket);
			// One more than the window holds, for the one that it cuts.
			if (this.#buckets.length > BUCKETS + 1) this.#buckets.shift();
		}
		bucket.attempts++;
		bucket.failures += failures;
	}
}
