// What a grader speaks through: requests in every right and wrong form, and all that comes back, whatever it is.
import type { Answer } from "./answer.ts";
import type { GradeStream } from "./stream.ts";
import type { Trail } from "./trail.ts";

/** Who asks: with the credentials that were given, with those of the second principal, or with none. */
export type Caller = "first" | "second" | "nobody";

export interface AskOptions {
	/** HTTP: in place of ours; undefined takes a header away. Lower-case names. */
	headers?: Record<string, string | undefined>;
	/** In place of the id that would be made. */
	id?: unknown;
	/** In place of our `_meta`; null sends none. */
	meta?: Record<string, unknown> | null;
	/** In place of the whole message. A response is then taken whatever its id. */
	raw?: string | Buffer;
	caller?: Caller;
	timeoutMs?: number;
	/** HTTP: POST where absent. A GET or DELETE has no body. */
	verb?: "POST" | "GET" | "DELETE";
}

export interface Wire {
	readonly kind: "http" | "stdio";
	/** Undefined until the server answered one of the two handshakes. */
	readonly era: "modern" | "legacy" | undefined;
	/** For messages: the URL without credentials or query, or the command. */
	readonly label: string;
	/** Sends one request and reads its whole answer, within bounds. Rejects only when the run ends. */
	ask(
		method: string,
		params: Record<string, unknown>,
		options?: AskOptions,
	): Promise<Answer>;
	/** Sends one request whose answer is read as it comes. The caller closes it; nothing of it rejects. */
	openStream(
		method: string,
		params: Record<string, unknown>,
		options?: Omit<AskOptions, "timeoutMs">,
	): GradeStream;
	notify(method: string, params: Record<string, unknown>): Promise<void>;
	/** The same server, with what is said from here on written into another trail. */
	withTrail(trail: Trail): Wire;
	/** Shakes hands again, as after a restart of the server; false where that is not answered. */
	renew(): Promise<boolean>;
	close(): Promise<void>;
}

/** The clock that is handed in: real in a run, whatever a test wants in a test. */
export interface WireClock {
	/** Epoch milliseconds. */
	now(): number;
	/** Calls `act` once after `ms`; returns the way to call it off. */
	setTimer(act: () => void, ms: number): () => void;
}
