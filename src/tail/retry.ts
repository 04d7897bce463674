// When to try again, and when to give up: exponential backoff with full jitter, and which faults are worth it.
import type { Fault, FaultCode } from "../faults/index.ts";

export interface RetryOptions {
	/** The first wait after a failure; doubled each time. */
	baseMs: number;
	capMs: number;
	/** No wait is shorter: what keeps a bad server from causing a tight loop. */
	floorMs: number;
	/** The spread of the wait after a connection that had been alive. */
	quickMs: number;
	/** Failures in a row before it has ever worked. */
	connectTries: number;
	/** Broken messages in a row without progress. */
	brokenTries: number;
}

export const RETRY_DEFAULTS: RetryOptions = {
	baseMs: 1_000,
	capMs: 30_000,
	floorMs: 100,
	quickMs: 250,
	connectTries: 5,
	brokenTries: 3,
};

/** A server may ask for patience, not for good-bye. */
export const LONGEST_WAIT_MS = 24 * 60 * 60 * 1000;

/** What a loop does after a failure. `again`: at once. */
export type Step =
	| { kind: "stop"; fault: Fault }
	| { kind: "again" }
	| { kind: "wait"; delayMs: number };

/** How long to wait after `failures` in a row (0: it had been alive), never less than the server asked for. */
export function retryDelayMs(
	failures: number,
	{ retry, fault }: { retry: RetryOptions; fault: Fault | undefined },
	random: () => number,
): number {
	const { baseMs, capMs, floorMs, quickMs } = retry;
	const delayMs =
		failures === 0
			? floorMs + random() * quickMs
			: random() * Math.min(capMs, baseMs * 2 ** (failures - 1));
	const askedMs = Math.min(fault?.retryAfterMs ?? 0, LONGEST_WAIT_MS);
	return Math.round(Math.max(floorMs, delayMs, askedMs));
}

/**
 * Whether a refusal may be the cursor's: InvalidParams for one that the server cannot read (events.md 7), or
 * Unsupported for one from before a change of schema (events.md 2).
 */
export function isCursorSuspect(fault: Fault): boolean {
	if (fault.code === "arguments-refused") return true;
	const data = fault.wire?.data as { reason?: unknown } | null | undefined;
	return (
		fault.wire?.name === "Unsupported" && data?.reason === "schema_changed"
	);
}

const BROKEN: ReadonlySet<FaultCode> = new Set([
	"not-json",
	"wrong-shape",
	"too-large",
	"wrong-id",
	"empty-body",
	"rpc-error",
]);

/** Whether what came could not be read, which says nothing of what would come on a new connection. */
export const isBroken = (fault: Fault): boolean => BROKEN.has(fault.code);

const SHUT_OUT: ReadonlySet<FaultCode> = new Set([
	"unauthorized",
	"http-forbidden",
	"forbidden",
]);

/** Whether we are not allowed in: to be told, never to be tried again. */
export const isShutOut = (fault: Fault): boolean => SHUT_OUT.has(fault.code);
