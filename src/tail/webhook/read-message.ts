// A signed message of any Standard Webhooks sender, shown as the event that it is to our user.
import {
	isRecord,
	type Occurrence,
	oneLine,
	parseJsonBytes,
} from "../../protocol/index.ts";

/** Its name is the message's own `type`; its id is the one in the headers. The bytes stay as they came. */
export function readMessage(body: Buffer, id: string): Occurrence {
	const value = parseJsonBytes(body);
	const { type, timestamp } = isRecord(value) ? value : {};
	return {
		raw: oneLine(body, { start: 0, end: body.length }),
		eventId: id,
		name: typeof type === "string" && type !== "" ? type : "message",
		timestamp: typeof timestamp === "string" ? timestamp : "",
		cursor: undefined,
	};
}
