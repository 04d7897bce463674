// When to try again, and when to give up: exponential backoff with full jitter, and which faults are worth it.
import type { Fault, FaultCode } from "../faults/index.ts";
import type { Ended, Follow } from "./follow.ts";

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
	| { kind: "end"; ended: Ended }
	| { kind: "again" }
	| { kind: "wait"; delayMs: number };

/** Ends a loop for good. */
export const stop = (fault: Fault): Step & { kind: "end" } => ({
	kind: "end",
	ended: { kind: "over", fault },
});

/** How a loop ends with a fault that it does not bear. */
export function endedBy(
	fault: Fault,
	{ canLeave, wasReady }: Pick<Follow, "canLeave" | "wasReady">,
): Ended {
	// Before it has ever worked, what was listed a moment ago is no news.
	const isGone =
		fault.code === "event-unknown" || fault.code === "mode-not-offered";
	if (canLeave && isUnfit(fault)) return { kind: "unfit", fault };
	if (isGone && wasReady) return { kind: "changed", fault };
	return { kind: "over", fault };
}

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

/** Refusals that are about the way, not about the event or us: another way may be open. */
const UNFIT: ReadonlySet<FaultCode> = new Set([
	"mode-not-offered",
	"http-not-found",
	"http-not-allowed",
	"http-not-acceptable",
	"http-unexpected",
	"not-events",
	"not-json",
	"empty-body",
	"wrong-shape",
	"wrong-id",
	"too-large",
	"no-response",
	"rpc-error",
]);

/** Whether events may come another way. A limit of the server on streams is one of those, a limit on requests is not. */
export const isUnfit = (fault: Fault): boolean =>
	UNFIT.has(fault.code) || fault.wire?.name === "ResourceExhausted";

/** Where nothing could be reached at all, no other way would be. */
const UNREACHABLE: ReadonlySet<FaultCode> = new Set([
	"dns-failed",
	"connection-refused",
	"timed-out",
	"child-ended",
	"rate-limited",
]);

export const isUnreachable = (fault: Fault): boolean =>
	UNREACHABLE.has(fault.code);

const SHUT_OUT: ReadonlySet<FaultCode> = new Set([
	"unauthorized",
	"http-forbidden",
	"forbidden",
]);

/** Whether we are not allowed in: to be told, never to be tried again. */
export const isShutOut = (fault: Fault): boolean => SHUT_OUT.has(fault.code);
