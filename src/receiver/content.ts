// What a signed body says, by what its route expects.
import { Fault } from "../faults/index.ts";
import {
	type DeliveryContent,
	type HeaderPair,
	headerValues,
	parseJsonBytes,
	readDeliveryContent,
	WEBHOOK_HEADERS,
} from "../protocol/index.ts";
import type { DeliveryToJudge } from "./judge.ts";

/** `message`: signed JSON of another sender than an MCP server. */
export type ReceivedContent = DeliveryContent | { kind: "message" };

/** Reads a signed body; gives the reason where it is none of those that a route expects. */
export function readContent({
	body,
	route,
	headers,
}: DeliveryToJudge): { content: ReceivedContent; notes: string[] } | string {
	const notes: string[] = [];
	try {
		const value = parseJsonBytes(body);
		if (route.expects === "events")
			return {
				content: readDeliveryContent(body, value, (note) => notes.push(note)),
				notes,
			};
		return { content: readAnything(body, value, headers), notes };
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return error.why ? `${error.what}: ${error.why}` : error.what;
	}
}

/** An occurrence, or an envelope with a subscription id, is read as such; any other JSON is a message. */
function readAnything(
	body: Buffer,
	value: unknown,
	headers: readonly HeaderPair[],
): ReceivedContent {
	const isOurs =
		headerValues(headers, WEBHOOK_HEADERS.subscriptionId).length > 0;
	try {
		const content = readDeliveryContent(body, value, () => {});
		const isPlain = content.kind === "event" || content.kind === "verification";
		return isOurs || isPlain ? content : { kind: "message" };
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		return { kind: "message" };
	}
}
