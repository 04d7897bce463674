// How often one caller may call: a bucket for each, which fills again at a steady rate.
import { isIPv6 } from "node:net";
import type { Clock } from "../clock.ts";

export interface RateLimit {
	/** Takes one call of a caller: 0 where it may go on, else the milliseconds after which it may. */
	take(caller: string): number;
	/** Buckets that are remembered. */
	readonly size: number;
}

export interface RateLimitOptions {
	clock: Clock;
	/** Calls a second, in the long run. */
	perSecond: number;
	/** Calls at once after a quiet time. */
	burst: number;
	/** So that strangers cannot fill the memory: who has been quiet longest is forgotten first. */
	maxCallers?: number;
}

interface Bucket {
	calls: number;
	filledAt: number;
}

export function createRateLimit(options: RateLimitOptions): RateLimit {
	const { clock, perSecond, burst, maxCallers = 10_000 } = options;
	// In the order of the last call.
	const buckets = new Map<string, Bucket>();
	return {
		take(caller) {
			const now = clock.now();
			const { calls, filledAt } = buckets.get(caller) ?? {
				calls: burst,
				filledAt: now,
			};
			const filled = calls + (Math.max(0, now - filledAt) * perSecond) / 1_000;
			const left = Math.min(burst, filled);
			const isAllowed = left >= 1;
			buckets.delete(caller);
			buckets.set(caller, {
				calls: isAllowed ? left - 1 : left,
				filledAt: now,
			});
			if (buckets.size > maxCallers)
				for (const oldest of buckets.keys()) {
					buckets.delete(oldest);
					break;
				}
			return isAllowed ? 0 : Math.ceil(((1 - left) * 1_000) / perSecond);
		},
		get size() {
			return buckets.size;
		},
	};
}

/** Whom an address stands for: one of IPv6 changes at will below its first 64 bits. */
export function callerAt(address: string | undefined): string {
	if (address === undefined) return "unknown";
	const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
	if (mapped !== undefined) return mapped;
	if (!isIPv6(address)) return address;
	const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
	const front = head === "" ? [] : head.split(":");
	const back = tail ? tail.split(":") : [];
	const zeros = tail === undefined ? 0 : 8 - front.length - back.length;
	const groups = [...front, ...Array<string>(zeros).fill("0"), ...back];
	return `${groups.slice(0, 4).join(":")}::/64`;
}
