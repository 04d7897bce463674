// events/poll: one look at one subscription. Nothing of it is remembered.
import type { ServerEvent } from "../source.ts";
import { type Checks, readSubscription, readWhole } from "./subscription.ts";

const MAX_EVENTS = 1_000;
/** Far below the size at which clients refuse a message. */
const MAX_TEXT_LENGTH = 4 * 1024 * 1024;

/** The JSON text of the result's members; the events stand in it as their source wrote them. */
export async function pollEvents(
	params: Record<string, unknown>,
	checks: Checks,
): Promise<string> {
	const subscription = await readSubscription(params, "poll", checks);
	const { type, arguments: args, cursor, maxAgeMs } = subscription;
	const maxEvents = readWhole(params.maxEvents, "maxEvents", 1) ?? MAX_EVENTS;
	const { pollIntervalMs: nextPollMs, clock } = checks.settings;
	if (cursor === undefined) {
		const head = await type.head(args);
		return resultMembers([], {
			cursor: type.hasReplay === false ? null : head,
			truncated: false,
			hasMore: false,
			nextPollMs,
		});
	}
	const batch = await type.read({
		arguments: args,
		cursor,
		limit: Math.min(maxEvents, MAX_EVENTS),
		sinceMs: maxAgeMs === undefined ? undefined : clock.now() - maxAgeMs,
	});
	const events = whatFits(batch.events);
	const isCut = events.length < batch.events.length;
	return resultMembers(events, {
		cursor: isCut ? events.at(-1)?.cursor : batch.cursor,
		truncated: batch.truncated,
		hasMore: isCut || batch.hasMore,
		nextPollMs,
	});
}

function resultMembers(
	events: ServerEvent[],
	rest: Record<string, unknown>,
): string {
	// The result has the cursor; the occurrences of a poll have none (events.md 3).
	const list = events.map(({ head }) => `${head}}`).join(",");
	return `"events":[${list}],${JSON.stringify(rest).slice(1, -1)}`;
}

/** As many as the message can carry, one at least. */
function whatFits(events: ServerEvent[]): ServerEvent[] {
	let length = 0;
	const end = events.findIndex(({ head }, index) => {
		length += head.length;
		return length > MAX_TEXT_LENGTH && index > 0;
	});
	return end < 0 ? events : events.slice(0, end);
}
