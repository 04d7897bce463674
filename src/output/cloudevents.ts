// --output cloudevents: CloudEvents 1.0, JSON format, structured mode.
import { isInstant, memberSpans, type Occurrence } from "../protocol/index.ts";

// RFC 3339 is stricter than the ISO 8601 of the wire: seconds, and a colon in the zone.
const RFC_3339 =
	/^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * One event as a CloudEvent; `source` is a URI-reference already. `type` is the event's own name, without a prefix:
 * with `source`, the server, it is unique, and it is what a consumer of that server looks for. Names of extension
 * attributes must be lower-case letters and digits: `mcpcursor`, `mcpsubscription`. `data` is spliced in as the bytes
 * that came; for what else the occurrence has, CloudEvents has no place.
 */
export function cloudEvent(
	occurrence: Occurrence,
	about: { source: string; subscription: string },
): Buffer[] {
	const { eventId, name, timestamp, cursor, raw } = occurrence;
	const hasTime = RFC_3339.test(timestamp) && isInstant(timestamp);
	const attributes = JSON.stringify({
		specversion: "1.0",
		id: eventId,
		source: about.source,
		type: name,
		time: hasTime ? timestamp : undefined,
		mcpcursor: cursor,
		mcpsubscription: about.subscription,
		datacontenttype: "application/json",
	}).slice(0, -1);
	const data = memberSpans(raw).get("data");
	if (!data) return [Buffer.from(`${attributes}}`)];
	return [
		Buffer.from(`${attributes},"data":`),
		raw.subarray(data.start, data.end),
		Buffer.from("}"),
	];
}

/** The server as the URI-reference that `source` must be: a URL as it is, a command as an escaped path. */
export function uriReference(source: string): string {
	// A lone surrogate has no percent-encoding; a round trip through UTF-8 replaces it.
	const text = Buffer.from(source || "unknown").toString("utf8");
	if (/^https?:/i.test(text) && URL.canParse(text)) return new URL(text).href;
	return text.split("/").map(encodeURIComponent).join("/");
}
