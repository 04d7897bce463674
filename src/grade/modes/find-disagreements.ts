// The events about which the modes do not agree, each with words for it and what shows it.
import type { DeliveryMode } from "../../protocol/index.ts";
import { excerpt } from "../../protocol/index.ts";
import type { Citable } from "../wire/record.ts";
import type { Disagreement } from "./disagreement.ts";
import type { Joined, JoinedEvent } from "./joined.ts";
import { differingMember } from "./occurrence-print.ts";
import { listWords } from "./tell-modes.ts";

export interface Told {
	disagreement: Disagreement;
	words: string;
	cites: readonly Citable[];
}

const ID_CHARACTERS = 80;

/** Brought by one of three modes, and by no other: nobody knows of it. */
const isAlone = ({ seen, lacking }: JoinedEvent) =>
	seen.length === 1 && lacking.length > 1;

export function findMissing({ events }: Joined): Told[] {
	return events
		.filter((event) => event.lacking.length > 0 && !isAlone(event))
		.map(({ eventId, seen, lacking }) => {
			const cites = [
				...lacking.flatMap(({ opening }) => opening),
				...seen.map(({ sighting }) => sighting.cite),
			];
			const modes = lacking.map(({ mode }) => mode);
			return told({ eventId, modes }, `by ${listWords(modes)}`, cites);
		});
}

export function findExtra({ events }: Joined): Told[] {
	return events.filter(isAlone).map(({ eventId, seen }) => {
		const modes = seen.map(({ mode }) => mode);
		const cites = seen.map(({ sighting }) => sighting.cite);
		return told({ eventId, modes }, `by ${listWords(modes)}`, cites);
	});
}

/** By different modes, and by one mode that brought it again. */
export function findDifferent({ events, logs }: Joined): Told[] {
	const known = new Set(events.map(({ eventId }) => eventId));
	const again = logs.flatMap(({ mode, altered }) =>
		altered
			.filter(({ eventId }) => known.has(eventId))
			.map(({ eventId, member, cites }) => {
				const about = { eventId, modes: [mode], member };
				return told(
					about,
					`differs in its ${member} when it comes by ${mode} again`,
					cites,
				);
			}),
	);
	return [...events.flatMap(differencesOf), ...again];
}

function differencesOf({ eventId, seen }: JoinedEvent): Told[] {
	const [first, ...others] = seen;
	if (!first) return [];
	return others.flatMap(({ mode, sighting }) => {
		const member = differingMember(first.sighting.print, sighting.print);
		if (member === undefined) return [];
		const shown = [first.sighting, sighting].map(
			({ print }) => print.get(member)?.shown ?? "nothing",
		);
		const modes = [first.mode, mode];
		const words = `${member} is ${shown[0]} by ${first.mode} and ${shown[1]} by ${mode}`;
		const cites = [first.sighting.cite, sighting.cite];
		return [told({ eventId, modes, member }, words, cites)];
	});
}

export function findLate({ events }: Joined, lateMs: number): Told[] {
	return events.flatMap(({ eventId, seen }) => {
		const [first, ...others] = seen;
		if (!first) return [];
		return others.flatMap(({ mode, sighting }) => {
			const laterMs = Math.round(sighting.at - first.sighting.at);
			if (laterMs <= lateMs) return [];
			const words = `by ${mode} ${laterMs} ms after ${first.mode}`;
			const cites = [first.sighting.cite, sighting.cite];
			return [told({ eventId, modes: [mode], laterMs }, words, cites)];
		});
	});
}

/** How much later than the first mode each brought the events that several brought: the median and the most, in ms. */
export function delaysOf({
	events,
	logs,
}: Joined): { mode: DeliveryMode; medianMs: number; mostMs: number }[] {
	return logs.flatMap(({ mode }) => {
		const delays = events
			.filter(({ seen }) => seen.length > 1)
			.flatMap(({ seen }) =>
				seen
					.filter((each) => each.mode === mode)
					.map(({ sighting: { at } }) => at - (seen[0]?.sighting.at ?? at)),
			)
			.sort((a, b) => a - b);
		const mostMs = delays.at(-1);
		if (mostMs === undefined) return [];
		const medianMs = delays[Math.floor(delays.length / 2)] ?? mostMs;
		return [{ mode, medianMs, mostMs }];
	});
}

function told(
	disagreement: Disagreement,
	words: string,
	cites: readonly Citable[],
): Told {
	const id = excerpt(disagreement.eventId, ID_CHARACTERS);
	return { disagreement, words: `${id} ${words}`, cites };
}
