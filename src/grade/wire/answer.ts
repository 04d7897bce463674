// What became of one request, and how it is told. No answer is a fault here: a grader looks at all of them.
import type { Fault } from "../../faults/index.ts";
import { excerpt } from "../../protocol/index.ts";
import type { Frame, FrameError } from "./frame.ts";
import type { WireMessage } from "./record.ts";

/** Why a request has no response that could be read. */
export type NoAnswer =
	| "unreachable"
	| "cut"
	| "timed-out"
	| "too-large"
	| "redirected"
	| "refused"
	| "empty"
	| "not-json"
	| "wrong-shape"
	| "wrong-id"
	| "endless";

export type Outcome =
	| { kind: "result"; result: Record<string, unknown> }
	| { kind: "error"; error: FrameError }
	/** `fault`: where the connection is what failed. */
	| { kind: "none"; reason: NoAnswer; told: string; fault?: Fault };

export interface Answer {
	method: string;
	/** The id that was sent. */
	id: unknown;
	/** HTTP only. */
	status: number | undefined;
	/** HTTP only; lower-case names, several of one name joined by ", ". */
	headers: Readonly<Record<string, string>>;
	outcome: Outcome;
	/** What came, in order, the response too; bounded. */
	frames: readonly Frame[];
	/** The request and what came, as evidence. */
	record: readonly WireMessage[];
	sentAtMs: number;
	endedAtMs: number;
	bodyBytes: number;
}

/** The result of an answer; undefined where it has none. */
export function resultOf({
	outcome,
}: Answer): Record<string, unknown> | undefined {
	return outcome.kind === "result" ? outcome.result : undefined;
}

export function errorOf({ outcome }: Answer): FrameError | undefined {
	return outcome.kind === "error" ? outcome.error : undefined;
}

/** One line that says what came: `error -32602 "…" (HTTP 400)`, `a result {…}`, or why there is none. */
export function tellAnswer(answer: Answer): string {
	const http = answer.status === undefined ? "" : ` (HTTP ${answer.status})`;
	const { outcome } = answer;
	if (outcome.kind === "error") return tellError(outcome.error) + http;
	if (outcome.kind === "result")
		return `a result ${excerpt(outcome.result, 160)}${http}`;
	return `${outcome.told}${http}`;
}

/** `error -32023 (NotFound) "no such event"` */
export function tellError({ code, name, message }: FrameError): string {
	const known = name === "Unknown" ? "" : ` (${name})`;
	return `error ${excerpt(code, 40)}${known} ${excerpt(message, 120)}`;
}
