// One signal for one exchange, whoever ends it: the caller, the clock, or the transport that is closed. Its reason says who.
import { onAbort } from "./on-abort.ts";

export interface ExchangeLimit {
	readonly signal: AbortSignal;
	/** Rejects with the signal's reason as soon as there is one, else settles as the promise does. */
	race<T>(promise: Promise<T>): Promise<T>;
	/** Takes all listeners and timers away. */
	end(): void;
}

export interface LimitOptions {
	/** Signals that end the exchange with their own reasons. */
	signals: (AbortSignal | undefined)[];
	timeoutMs: number | undefined;
	/** The reason where the time is over. */
	onTimeout: () => Error;
}

/**
 * Opens the limit of one exchange. AbortSignal.any is not used: Node 20 keeps what it makes for as long as the
 * caller's signal lives, and a poller's signal lives for days.
 */
export function openLimit(options: LimitOptions): ExchangeLimit {
	const { signals, timeoutMs, onTimeout } = options;
	const controller = new AbortController();
	const undo: (() => void)[] = [];
	for (const signal of signals) {
		if (!signal) continue;
		const abort = () => controller.abort(signal.reason);
		if (signal.aborted) abort();
		else undo.push(onAbort(signal, abort));
	}
	if (timeoutMs !== undefined) {
		const timer = setTimeout(() => controller.abort(onTimeout()), timeoutMs);
		undo.push(() => clearTimeout(timer));
	}
	return {
		signal: controller.signal,
		race: (promise) => race(promise, controller.signal),
		end: () => {
			for (const step of undo) step();
		},
	};
}

function race<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
	return new Promise((resolve, reject) => {
		const abort = () => reject(signal.reason);
		if (signal.aborted) abort();
		signal.addEventListener("abort", abort);
		promise
			.then(resolve, reject)
			.finally(() => signal.removeEventListener("abort", abort));
	});
}
