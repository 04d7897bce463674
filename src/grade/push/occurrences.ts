// The events of a stream: waiting for them, and telling the same one again when it comes by another way.
import { excerpt } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { textOfData } from "../text-of-data.ts";
import { fireTrigger } from "../traffic/trigger.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import { isEvent } from "./ground.ts";

export const eventsOf = ({ frames }: Pick<GradeStream, "frames">): Frame[] =>
	frames.filter(isEvent);

/** Waits until `count` events have come behind frame `from`, and no longer than for one; fires the trigger for each. */
export async function waitForEvents(
	context: GradeContext,
	stream: GradeStream,
	{ count, from = 0 }: { count: number; from?: number },
): Promise<Frame[]> {
	const { waits, now, controls, options } = context;
	const untilMs = now() + waits.occurrenceMs;
	const come = () => stream.frames.slice(from).filter(isEvent);
	while (come().length < count && !stream.end && now() < untilMs) {
		await fireTrigger(controls, options.trigger);
		const place = stream.frames.length;
		if (come().length >= count) break;
		await stream.waitFor(isEvent, untilMs - now(), place);
	}
	return come();
}

/** What is missing where too few events came. */
export const eventTraffic = (name: string) =>
	({
		kind: "traffic",
		name: `events of ${excerpt(name, 80)} while its stream is open (--trigger-tool makes them)`,
	}) as const;

/** One event of the stretch that is read twice. */
export interface Seen {
	id: unknown;
	/** The position after it; undefined where it has none. */
	cursor: string | undefined;
	frame: Frame;
}

/** The events of one stream in their order, by which those of another are told. */
export class Stretch {
	readonly events: readonly Seen[];
	readonly #byId = new Map<unknown, number>();
	readonly #byContent = new Map<string, number | undefined>();
	readonly #isTimed: boolean;

	constructor(frames: readonly Frame[]) {
		this.events = frames.map((frame) => {
			const { eventId, cursor } = frame.params;
			return {
				id: eventId,
				cursor: typeof cursor === "string" ? cursor : undefined,
				frame,
			};
		});
		const data = new Set(frames.map(({ params }) => textOfData(params.data)));
		// Data alone tells them apart where no two are the same: a time may be made anew.
		this.#isTimed = data.size < frames.length;
		for (const [at, { id, frame }] of this.events.entries()) {
			if (!this.#byId.has(id)) this.#byId.set(id, at);
			const content = this.#contentOf(frame.params);
			const isKnown = this.#byContent.has(content);
			this.#byContent.set(content, isKnown ? undefined : at);
		}
	}

	/** Where an event stands by what happened, whatever its id. */
	placeByContent(event: Record<string, unknown>): number | undefined {
		return this.#byContent.get(this.#contentOf(event));
	}

	/** Where it stands by its id, else by its content; undefined where it is another event. */
	placeOf(event: Record<string, unknown>): number | undefined {
		return this.#byId.get(event.eventId) ?? this.placeByContent(event);
	}

	/** The places of the events of a stream, in the order in which they came; others are left out. */
	placesIn(frames: readonly Frame[]): number[] {
		return frames
			.filter(isEvent)
			.map(({ params }) => this.placeOf(params))
			.filter((place) => place !== undefined);
	}

	/** Resolves when all these places have come on a stream, or after the wait. */
	async waitForPlaces(
		stream: GradeStream,
		places: readonly number[],
		waitMs: number,
	): Promise<void> {
		const open = new Set<number | undefined>(places);
		await stream.waitFor((frame) => {
			if (isEvent(frame)) open.delete(this.placeOf(frame.params));
			return open.size === 0;
		}, waitMs);
	}

	#contentOf({ data, timestamp }: Record<string, unknown>): string {
		return this.#isTimed
			? `${String(timestamp)} ${textOfData(data)}`
			: textOfData(data);
	}
}
