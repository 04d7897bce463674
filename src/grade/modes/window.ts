// The stretch of time over which modes are compared: which events are judged, and when there is nothing more to wait for.
import { createHash } from "node:crypto";
import type { DeliveryMode } from "../../protocol/index.ts";
import { ModeLog, type Occurrence } from "./mode-log.ts";

export interface WindowOptions {
	modes: readonly DeliveryMode[];
	/** For a first event, and for more after it. */
	windowMs: number;
	/** After it, for the modes to bring what one of them has brought. */
	settleMs: number;
	now(): number;
}

/** As soon as these have come, no further one is let in. */
const ENOUGH_EVENTS = 20;
/** A single batch may bring more than enough; what is beyond is not looked at. */
const MOST_EVENTS = 50;
/** Of a longer eventId, a digest stands for what is behind its beginning. */
const ID_CHARACTERS = 200;

export class ComparedWindow {
	readonly logs: readonly ModeLog[];
	/** The ids of the events that are judged: those that came by any mode while the window was open. */
	readonly judged = new Set<string>();
	readonly #options: WindowOptions;
	#endsAtMs: number;
	#closedAtMs: number | undefined;

	constructor(options: WindowOptions) {
		this.#options = options;
		this.logs = options.modes.map((mode) => new ModeLog(mode));
		this.#endsAtMs = options.now() + options.windowMs;
	}

	take(log: ModeLog, occurrence: Occurrence): void {
		const eventId = idOf(occurrence.event);
		const isOpen = this.#closedAtMs === undefined;
		if (eventId === undefined) {
			if (isOpen) log.nameless++;
			return;
		}
		if (!this.judged.has(eventId)) {
			if (!isOpen || this.judged.size >= MOST_EVENTS) return;
			if (this.judged.size === 0)
				this.#endsAtMs = this.#options.now() + this.#options.windowMs;
			this.judged.add(eventId);
		}
		log.add(eventId, occurrence);
	}

	/** Looks at the clock; true once nothing more is to be waited for. */
	isOver(): boolean {
		const now = this.#options.now();
		const standing = this.logs.filter(({ lost }) => lost === undefined);
		const isFull = this.judged.size >= ENOUGH_EVENTS;
		const isDone = isFull || now >= this.#endsAtMs || standing.length < 2;
		if (isDone) this.#closedAtMs ??= now;
		if (this.#closedAtMs === undefined) return false;
		if (standing.length < 2) return true;
		const isWhole = standing.every(
			({ sightings }) => sightings.size === this.judged.size,
		);
		return isWhole || now >= this.#closedAtMs + this.#options.settleMs;
	}
}

/** What events are joined by; undefined where there is nothing. */
function idOf({ eventId }: Record<string, unknown>): string | undefined {
	if (typeof eventId !== "string" || eventId === "") return undefined;
	if (eventId.length <= ID_CHARACTERS) return eventId;
	const digest = createHash("sha256").update(eventId).digest("base64url");
	return `${eventId.slice(0, 60)}… (${eventId.length} characters, ${digest})`;
}
