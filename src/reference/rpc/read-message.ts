// One message of a client, read as strictly as JSON-RPC and MCP have it.
import { Fault } from "../../faults/index.ts";
import {
	isRecord,
	isRequestId,
	type Message,
	messageFrom,
	parseJsonBytes,
} from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";

/** Refuses what is no JSON (ParseError) and what is no single JSON-RPC message (InvalidRequest). */
export function readMessage(bytes: Buffer): Message {
	const value = orRefuse("ParseError", "the message is not JSON", () =>
		parseJsonBytes(bytes),
	);
	if (Array.isArray(value))
		throw new Refusal("InvalidRequest", "batches are not taken");
	// null in particular: it would read as a notification, and the client would wait for ever.
	if (isRecord(value) && value.id !== undefined && !isRequestId(value.id))
		throw new Refusal("InvalidRequest", "id must be a string or an integer");
	return orRefuse("InvalidRequest", "this is no JSON-RPC 2.0 message", () =>
		messageFrom(bytes, value),
	);
}

function orRefuse<Value>(
	error: "ParseError" | "InvalidRequest",
	message: string,
	read: () => Value,
): Value {
	try {
		return read();
	} catch (fault) {
		if (fault instanceof Fault) throw new Refusal(error, message);
		throw fault;
	}
}
