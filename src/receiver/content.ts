// What a signed body says, by what its route expects.
import { isUtf8 } from "node:buffer";
import { Fault } from "../faults/index.ts";
import {
	type DeliveryContent,
	type HeaderPair,
	headerValues,
	layOut,
	type Occurrence,
	parseJsonBytes,
	readDeliveryContent,
	scanOccurrence,
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
	const occurrence = scanEvent(body);
	if (occurrence) return { content: { kind: "event", occurrence }, notes };
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

/** What has a type somewhere may be an envelope, and is left to JSON.parse like all that is not plainly an occurrence. */
function scanEvent(body: Buffer): Occurrence | undefined {
	if (!isUtf8(body) || body.includes(TYPE)) return undefined;
	const scanned = scanOccurrence(layOut(body), 0);
	return scanned?.end === body.length ? scanned : undefined;
}

const TYPE = Buffer.from('"type"');

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
