// Makes an outcome of what came in answer to one request over HTTP: the right response, or in words what stood there.
import { isRecord } from "../../protocol/index.ts";
import type { NoAnswer, Outcome } from "./answer.ts";
import { type Frame, frameOf, readFrame } from "./frame.ts";
import type { WireMessage } from "./record.ts";

/** What is known of the request: without an id, any response is its own. */
export interface Asked {
	id: unknown;
	isAnyId: boolean;
}

export const none = (reason: NoAnswer, told: string): Outcome => ({
	kind: "none",
	reason,
	told,
});

/** Whether a frame ends the answer: a response to this request, or an error that names none. */
export function endsAnswer(frame: Frame, { id, isAnyId }: Asked): boolean {
	if (frame.kind === "result") return isAnyId || frame.id === id;
	if (frame.kind !== "error") return false;
	return isAnyId || frame.id === id || frame.id == null;
}

/** The outcome of the frames of an answer that has ended. */
export function judgeFrames(frames: readonly Frame[], asked: Asked): Outcome {
	const own = frames.find((frame) => endsAnswer(frame, asked));
	if (own) return judgeResponse(own);
	const other = frames.find(
		({ kind }) => kind === "result" || kind === "error",
	);
	if (other)
		return none(
			"wrong-id",
			`a response with the id ${JSON.stringify(other.id)?.slice(0, 80)} to a request with the id ${JSON.stringify(asked.id)?.slice(0, 80)}`,
		);
	const stray = frames.find(({ kind }) => kind === "stray");
	if (stray) return none("wrong-shape", "JSON that is no JSON-RPC response");
	return none("empty", "an answer that ended without a response");
}

function judgeResponse(frame: Frame): Outcome {
	if (!isRecord(frame.value) || frame.value.jsonrpc !== "2.0")
		return none("wrong-shape", 'a response without "jsonrpc": "2.0"');
	if (frame.kind === "error") {
		if (frame.error) return { kind: "error", error: frame.error };
		return none("wrong-shape", "an error that is no object");
	}
	if (frame.result) return { kind: "result", result: frame.result };
	return none("wrong-shape", "a result that is no object");
}

/** The frames of a whole body that is no event stream; a batch holds several. Undefined where it is no JSON. */
export function framesOfBody(
	body: Buffer,
	at: number,
	record: WireMessage,
): Frame[] | undefined {
	const frame = readFrame(body, at, record);
	if (frame.value === undefined) return undefined;
	if (!Array.isArray(frame.value)) return [frame];
	return frame.value.slice(0, 100).map((value) => frameOf(value, at, record));
}

/** Why a body that is no JSON is no answer. */
export function judgeNoJson(
	status: number,
	headers: Readonly<Record<string, string>>,
	body: Buffer,
): Outcome {
	const type = headers["content-type"]?.slice(0, 80) ?? "no content type";
	if (status >= 300 && status < 400)
		return none("redirected", "a redirect, which is never followed");
	const start = body.toString("latin1", 0, 200).trimStart();
	if (start === "")
		return status >= 400
			? none("refused", "a refusal without a body")
			: none("empty", "nothing: the body is empty");
	if (/html/i.test(type) || start.startsWith("<"))
		return none("not-json", `a web page (${type})`);
	if (status >= 400) return none("refused", `a refusal with ${type}`);
	return none("not-json", `something that is not JSON (${type})`);
}
