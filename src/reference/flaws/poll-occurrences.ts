// Flaws of the events that polls bring.
import type { Flaw, Hooks, Json } from "./flaw.ts";
import { numberIn, onPoll, pollFlaw } from "./poll-flaw.ts";

/** Bends each event of a poll in place. */
const onOccurrences = (change: (event: Json) => void): Hooks =>
	onPoll(({ events }) => events.forEach(change));

export const POLL_OCCURRENCES: readonly Flaw[] = [
	pollFlaw(
		"numbered-ids",
		"occurrence-event-id",
		"writes eventId as a number",
		onOccurrences((event) => {
			event.eventId = numberIn(event.eventId);
		}),
	),
	pollFlaw(
		"bare-names",
		"occurrence-name",
		"names events by the last part of the name of their type",
		onOccurrences((event) => {
			event.name = event.name.split(".").at(-1);
		}),
	),
	pollFlaw(
		"dates-without-time",
		"occurrence-timestamp",
		"writes the date alone as the timestamp of events",
		onOccurrences((event) => {
			event.timestamp = event.timestamp.slice(0, 10);
		}),
	),
	pollFlaw(
		"payload-as-text",
		"occurrence-data",
		"writes the data of events as JSON text",
		onOccurrences((event) => {
			event.data = JSON.stringify(event.data);
		}),
	),
	pollFlaw(
		"payload-in-halves",
		"occurrence-data",
		"leaves a field out of the data of events that its schema requires",
		onOccurrences(({ data }) => {
			const [, last] = Object.keys(data);
			if (last !== undefined) delete data[last];
		}),
	),
	pollFlaw(
		"numbered-positions",
		"occurrence-cursor-optional",
		"gives events of a poll a cursor that is a number",
		onOccurrences((event) => {
			event.cursor = numberIn(event.eventId);
		}),
	),
	pollFlaw(
		"meta-as-text",
		"occurrence-meta-ungoverned",
		"gives events of a poll a _meta that is a text",
		onOccurrences((event) => {
			event._meta = "none";
		}),
	),
	pollFlaw(
		"one-id-for-all",
		"occurrence-event-id-from-upstream",
		"takes the name of the type for the eventId of all its events",
		onOccurrences((event) => {
			event.eventId = event.name;
		}),
	),
	pollFlaw(
		"other-ids-by-poll",
		"occurrence-event-id-from-upstream",
		"gives events by poll another eventId than by push",
		onOccurrences((event) => {
			event.eventId = `poll-${event.eventId}`;
		}),
	),
	pollFlaw(
		"new-ids-each-time",
		"event-id-stable",
		"makes a new eventId each time that an event is polled",
		() => {
			let count = 0;
			return onOccurrences((event) => {
				event.eventId += `-${++count}`;
			});
		},
	),
	pollFlaw(
		"newest-first",
		"events-in-order",
		"gives the events of a batch with the newest first",
		onPoll(({ events }) => events.reverse()),
	),
];
