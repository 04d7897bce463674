// One message of a server as a grader reads it: nothing is refused, so that what is wrong with it can be told.
import {
	isRecord,
	META,
	nameWireError,
	parseJsonBytes,
	type WireErrorName,
} from "../../protocol/index.ts";
import type { WireMessage } from "./record.ts";

export interface FrameError {
	code: unknown;
	name: WireErrorName;
	message: unknown;
	data: unknown;
}

export interface Frame {
	/** Epoch milliseconds of its arrival. */
	at: number;
	/** `stray`: JSON that is no JSON-RPC message, or no JSON at all. */
	kind: "result" | "error" | "notification" | "request" | "stray";
	/** Of a response or a request; anything that stood there, undefined where nothing did. */
	id: unknown;
	/** "" for a response. */
	method: string;
	/** {} where there are none, or what stands there is no object. */
	params: Record<string, unknown>;
	/** undefined where it is no object, or this is no result. */
	result: Record<string, unknown> | undefined;
	error: FrameError | undefined;
	/** The JSON value; undefined where it is no JSON. */
	value: unknown;
	record: readonly [WireMessage];
}

/** Reads a message from its bytes; `record` is its evidence. */
export function readFrame(
	bytes: Buffer,
	at: number,
	record: WireMessage,
): Frame {
	let value: unknown;
	try {
		value = parseJsonBytes(bytes);
	} catch {
		return { ...EMPTY, at, value: undefined, record: [record] };
	}
	return frameOf(value, at, record);
}

const EMPTY: Omit<Frame, "at" | "value" | "record"> = {
	kind: "stray",
	id: undefined,
	method: "",
	params: {},
	result: undefined,
	error: undefined,
};

export function frameOf(
	value: unknown,
	at: number,
	record: WireMessage,
): Frame {
	const base = { ...EMPTY, at, value, record: [record] as const };
	if (!isRecord(value)) return base;
	const { id, method, params } = value;
	if (typeof method === "string")
		return {
			...base,
			kind: id === undefined ? "notification" : "request",
			id,
			method,
			params: isRecord(params) ? params : {},
		};
	if (value.error !== undefined)
		return { ...base, kind: "error", id, error: readError(value.error) };
	if (value.result === undefined) return base;
	const result = isRecord(value.result) ? value.result : undefined;
	return { ...base, kind: "result", id, result };
}

/** The error of a response, of a notification or of an envelope; undefined where no object stands there. */
export function readError(value: unknown): FrameError | undefined {
	if (!isRecord(value)) return undefined;
	const { code, message, data } = value;
	const name =
		typeof code === "number" && Number.isInteger(code)
			? nameWireError(code)
			: "Unknown";
	return { code, name, message, data };
}

/** `params._meta["io.modelcontextprotocol/subscriptionId"]` of a notification; undefined where it is not there. */
export function subscriptionOf({ params }: Frame): unknown {
	const meta = params._meta;
	return isRecord(meta) ? meta[META.subscriptionId] : undefined;
}
