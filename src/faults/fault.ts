// The one error type. A fault is made where the facts are known, passed up untouched, and shown once, by `output`.
import { FAULT_CODES, type FaultCode } from "./codes.ts";
import { EXIT_STATUSES } from "./exit-codes.ts";

/** A JSON-RPC error as the other side sent it; `name` is the contract's name for `code` (events.md 1, Errors). */
export interface WireErrorFacts {
	name: string;
	code: number;
	message: string;
	data?: unknown;
}

export interface FaultParts {
	/** What happened: one line, lower case, no full stop, naming the thing and the value. */
	what: string;
	/** The evidence. Never a guess; left out if unknown. */
	why?: string;
	/** One command or one change, ready to paste; left out, it is that of the code. */
	next?: string;
	cause?: unknown;
	/** How long the other side asked us to wait (Retry-After, data.retryAfterMs). */
	retryAfterMs?: number;
	httpStatus?: number;
	wire?: WireErrorFacts;
}

/**
 * An expected failure, told in three parts. Text of a server may stand in the parts: `output` makes it visible.
 * Never put a secret into one.
 */
export class Fault extends Error {
	override readonly name = "Fault";
	readonly code: FaultCode;
	readonly what: string;
	readonly why: string | undefined;
	readonly next: string | undefined;
	readonly retryAfterMs: number | undefined;
	readonly httpStatus: number | undefined;
	readonly wire: WireErrorFacts | undefined;

	constructor(code: FaultCode, parts: FaultParts) {
		super(parts.what, { cause: parts.cause });
		this.code = code;
		this.what = parts.what;
		this.why = parts.why;
		const row: { next?: string } = FAULT_CODES[code];
		this.next = parts.next ?? row.next;
		this.retryAfterMs = parts.retryAfterMs;
		this.httpStatus = parts.httpStatus;
		this.wire = parts.wire;
	}

	/** True where the same request may succeed later. */
	get isTransient(): boolean {
		return FAULT_CODES[this.code].transient === true;
	}

	/** The exit status that this fault ends the program with. */
	get exitStatus(): number {
		return EXIT_STATUSES[FAULT_CODES[this.code].exit].status;
	}
}
