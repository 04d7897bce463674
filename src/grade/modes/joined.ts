// The events of a window, joined: which modes brought each, and which of them owe it.
import type { DeliveryMode } from "../../protocol/index.ts";
import type { Compared } from "./compare-modes.ts";
import type { ModeLog, Sighting } from "./mode-log.ts";

export interface JoinedEvent {
	eventId: string;
	/** By the modes that brought it, the earliest first. */
	seen: readonly { mode: DeliveryMode; sighting: Sighting }[];
	/** Modes that owe it: they stood until the end, and told of no gap. */
	lacking: readonly ModeLog[];
}

export interface Joined {
	/** Modes that stood until the end. */
	logs: readonly ModeLog[];
	events: readonly JoinedEvent[];
	/** Modes that said that events may have been skipped. */
	gapped: readonly DeliveryMode[];
}

/** So few may all have happened while the one mode was open and the other was not yet. */
const FEW_EVENTS = 3;

export function joinModes(compared: Compared): Joined {
	const logs = compared.logs.filter(({ lost }) => lost === undefined);
	const events = [...compared.judged].map((eventId) => joined(eventId, logs));
	const known = events.filter(({ seen }) => seen.length > 0);
	return {
		logs,
		events: compared.isFromOnePosition ? known : fromFirstCommon(known, logs),
		gapped: logs.filter(({ hasGap }) => hasGap).map(({ mode }) => mode),
	};
}

function joined(eventId: string, logs: readonly ModeLog[]): JoinedEvent {
	const seen = logs.flatMap(({ mode, sightings }) => {
		const sighting = sightings.get(eventId);
		return sighting ? [{ mode, sighting }] : [];
	});
	return {
		eventId,
		seen: seen.sort((a, b) => a.sighting.at - b.sighting.at),
		lacking: logs.filter((log) => !log.hasGap && !log.sightings.has(eventId)),
	};
}

/** Where the modes did not begin at one position, the first event that all of them brought is where they do. */
function fromFirstCommon(
	events: readonly JoinedEvent[],
	logs: readonly ModeLog[],
): readonly JoinedEvent[] {
	const common = events.filter(({ seen }) => seen.length === logs.length);
	if (common.length === 0) return events.length < FEW_EVENTS ? [] : events;
	const begins = new Map(
		logs.map(({ mode, sightings }) => [
			mode,
			Math.min(
				...common.map(({ eventId }) => sightings.get(eventId)?.place ?? 0),
			),
		]),
	);
	return events.filter(({ seen }) =>
		seen.every(
			({ mode, sighting }) => sighting.place >= (begins.get(mode) ?? 0),
		),
	);
}
