// What webhook-id says of an event, by profile: an id of the message, or the eventId (dialects.md).
import type { GradeContext } from "../context.ts";
import { broken, type Finding, holds, odd } from "../finding.ts";
import {
	type CallbackRequest,
	eventIdOf,
	webhookIdOf,
} from "../receiving/callback-request.ts";
import { noEvent, type Probe } from "./stage.ts";

export function judgeMessageIds(
	{ probes }: { probes: readonly Pick<Probe, "path">[] },
	{ profile }: Pick<GradeContext, "profile">,
): Finding {
	const series = probes.map(({ path }) =>
		path.events.filter((event) => webhookIdOf(event) && eventIdOf(event)),
	);
	const all = series.flat();
	if (all.length === 0) return noEvent();
	return (
		findChanged(series) ??
		(profile === "final" ? findShared(series) : findOther(all)) ??
		holds(
			profile === "final"
				? `${all.length} requests: kept over retries, and new for each message`
				: `the eventId on all ${all.length}`,
			...all.slice(0, 3),
		)
	);
}

/** Retries of one message under another id. */
function findChanged(
	series: readonly CallbackRequest[][],
): Finding | undefined {
	for (const events of series)
		for (const [at, event] of events.entries()) {
			const before = events
				.slice(0, at)
				.findLast((one) => eventIdOf(one) === eventIdOf(event));
			// What was taken may well come again as a message of its own.
			if (
				before &&
				!isTaken(before) &&
				webhookIdOf(before) !== webhookIdOf(event)
			)
				return broken("a retry has another webhook-id", before, event);
		}
	return undefined;
}

export const isTaken = ({ status = 0 }: CallbackRequest) =>
	status >= 200 && status < 300;

/** Two messages under one id. */
function findShared(series: readonly CallbackRequest[][]): Finding | undefined {
	const known = new Map<string, CallbackRequest>();
	for (const events of series)
		for (const event of events) {
			const id = webhookIdOf(event) ?? "";
			if (id === eventIdOf(event))
				return odd("webhook-id is the eventId, as older texts had it", event);
			const before = known.get(id);
			if (before && isTaken(before) && eventIdOf(before) !== eventIdOf(event))
				return broken("two messages have the same webhook-id", before, event);
			known.set(id, event);
		}
	return undefined;
}

const SAFE_ID = /^[\x21-\x7e]{1,256}$/;

/** Where it has to be the eventId; one that no header can carry stands for itself in another form. */
function findOther(all: readonly CallbackRequest[]): Finding | undefined {
	const other = all.find((event) => {
		const id = eventIdOf(event) ?? "";
		return SAFE_ID.test(id) && webhookIdOf(event) !== id;
	});
	return (
		other &&
		broken(
			`webhook-id is ${JSON.stringify(webhookIdOf(other))}, and the eventId ${JSON.stringify(eventIdOf(other))}`,
			other,
		)
	);
}
