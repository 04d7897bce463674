// What every way of serving shares: the sources, the clock, and the limits.
import { SEP_CODES } from "../protocol/index.ts";
import type { Clock } from "./clock.ts";
import type { ErrorNumbers } from "./refusal.ts";
import type { Source } from "./source.ts";

export type ServedEras = "modern" | "legacy" | "both";

export interface ReferenceOptions {
	/** Closed by the server when it closes. */
	sources: readonly Source[];
	clock: Clock;
	/** Told in serverInfo; for display. */
	version: string;
	/** For what the operator should know. */
	note?: ((text: string) => void) | undefined;
	era?: ServedEras | undefined;
	heartbeatMs?: number | undefined;
	/** The wait that poll results ask for. */
	pollIntervalMs?: number | undefined;
	/** Streams open at once, over all connections. */
	maxStreams?: number | undefined;
	/** …and by one principal, or one address where nobody has a token. */
	maxStreamsPerCaller?: number | undefined;
	/** One message of a client. */
	maxRequestBytes?: number | undefined;
	/** Event types on one page of events/list. */
	pageSize?: number | undefined;
}

export interface Settings {
	clock: Clock;
	version: string;
	note(text: string): void;
	era: ServedEras;
	heartbeatMs: number;
	pollIntervalMs: number;
	maxStreams: number;
	maxStreamsPerCaller: number;
	maxRequestBytes: number;
	pageSize: number;
	numbers: ErrorNumbers;
}

export function readSettings(options: ReferenceOptions): Settings {
	return {
		clock: options.clock,
		version: options.version,
		note: options.note ?? (() => {}),
		era: options.era ?? "both",
		heartbeatMs: options.heartbeatMs ?? 25_000,
		pollIntervalMs: options.pollIntervalMs ?? 1_000,
		maxStreams: options.maxStreams ?? 4_000,
		maxStreamsPerCaller: options.maxStreamsPerCaller ?? 1_000,
		maxRequestBytes: options.maxRequestBytes ?? 1024 * 1024,
		pageSize: options.pageSize ?? 50,
		numbers: SEP_CODES,
	};
}
