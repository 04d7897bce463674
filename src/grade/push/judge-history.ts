// What two readings of one stretch say: each event by its content where its id is another, so that one fault turns one row.
import { excerpt, isRecord } from "../../protocol/index.ts";
import {
	broken,
	type Finding,
	holds,
	skipped,
	untestable,
} from "../finding.ts";
import { type PushGround, whyAsideOf } from "./ground.ts";
import type { Reading } from "./history.ts";
import { eventsOf } from "./occurrences.ts";

const NOTHING_SHARED = {
	kind: "traffic",
	name: "the same events on two streams",
} as const;

/** The events that both streams have, in the order of each. */
export function judgeOrder({ stretch, stream }: Reading): Finding {
	const places = [...new Set(stretch.placesIn(stream.frames))];
	if (places.length < 2)
		return untestable(
			NOTHING_SHARED,
			`${places.length} were seen on both, and two are needed`,
			stream,
		);
	const at = places.findIndex(
		(place, index) => place < (places[index - 1] ?? 0),
	);
	if (at < 0)
		return holds(`${places.length} events came in one order on both`, stream);
	const [before, after] = [places[at - 1], places[at]].map((place) =>
		excerpt(stretch.events[place ?? 0]?.id, 60),
	);
	return broken(
		`one stream has ${after} before ${before}, the other behind it`,
		stretch.events[places[at] ?? 0]?.frame ?? stream,
		stream,
	);
}

/** Events of the same content must have the same id, on another stream and by poll. */
export function judgeIds({ stretch, stream, polled }: Reading): Finding {
	const again = [
		...eventsOf(stream).map(({ params }) => ({ event: params, by: "stream" })),
		...polled.filter(isRecord).map((event) => ({ event, by: "poll" })),
	];
	let same = 0;
	for (const { event, by } of again) {
		const place = stretch.placeByContent(event);
		const known = place === undefined ? undefined : stretch.events[place];
		if (!known) continue;
		if (known.id !== event.eventId)
			return broken(
				`an event has the eventId ${excerpt(known.id, 60)}, and ${excerpt(event.eventId, 60)} when it is read again by ${by}`,
				known.frame,
				stream,
			);
		same++;
	}
	const byPoll = polled.length > 0 ? ", by stream and by poll" : "";
	return same > 0
		? holds(`${same} events had the same id when read again${byPoll}`, stream)
		: untestable(
				NOTHING_SHARED,
				"no event of the first came on the second",
				stream,
			);
}

/** What lies behind the cursor, all of it and each once. */
export function judgeResume(reading: Reading, ground: PushGround): Finding {
	const { stretch, from, stream, opening } = reading;
	const first = ground.opening;
	if (from === undefined)
		return first.kind === "active" && first.cursor === null
			? skipped("the event type has no replay")
			: untestable(
					{ kind: "feature", name: "occurrences with a cursor on streams" },
					"none of the events that came has one, but for the last",
					stream,
				);
	const begin = stretch.events[from];
	if (!begin) throw new Error("the place to begin lies outside the stretch");
	const cites = [begin.frame, stream];
	if (opening.kind !== "active")
		return (
			whyAsideOf(opening, stream, ground) ??
			broken(`a stream with the cursor of an event: ${opening.told}`, ...cites)
		);
	if (opening.truncated === true)
		return untestable(
			{ kind: "traffic", name: "history that reaches back to the last events" },
			"the stream begins with truncated: they are no longer kept",
			...cites,
		);
	const places = stretch.placesIn(stream.frames);
	const wanted = [...stretch.events.keys()].slice(from + 1);
	const told = whatIsWrong(places, wanted);
	if (told === undefined)
		return holds(
			`behind event ${from + 1} of the stretch came the ${wanted.length} that follow it, each once`,
			...cites,
		);
	const isStrange = places.length === 0 && eventsOf(stream).length > 0;
	return isStrange
		? untestable(NOTHING_SHARED, "not one event can be told again", ...cites)
		: broken(told, ...cites);
}

function whatIsWrong(
	places: readonly number[],
	wanted: readonly number[],
): string | undefined {
	const again = places.find((place) => !wanted.includes(place));
	if (again !== undefined) return "an event from before the cursor came again";
	const twice = places.length - new Set(places).size;
	if (twice > 0) return `${twice} events came twice`;
	const missing = wanted.filter((place) => !places.includes(place));
	return missing.length > 0
		? `of ${wanted.length} events behind the cursor ${missing.length} did not come`
		: undefined;
}
