// `clock.tick`: every tick of every period since 1970, reckoned and never stored. The same subscription therefore gets
// the same ids in each mode, after a reconnect and after a restart.
import type { Clock } from "../clock.ts";
import { invalidParams } from "../refusal.ts";
import {
	type EventArguments,
	makeEvent,
	type ServerEvent,
	type SourceType,
	type TypeDescriptor,
} from "../source.ts";
import { createWakers, type Wakers } from "../wakers.ts";

const DEFAULT_PERIOD_MS = 1_000;
const CURSOR = /^v1\.tick-(\d{1,7})\.(\d{1,15})$/;

const DESCRIPTOR: TypeDescriptor = {
	name: "clock.tick",
	description:
		"A tick of a clock, once every periodMs. Ticks are counted from 1970, so each has one id for ever.",
	delivery: ["poll", "push"],
	inputSchema: {
		type: "object",
		properties: {
			periodMs: {
				type: "integer",
				minimum: 10,
				maximum: 3_600_000,
				default: DEFAULT_PERIOD_MS,
				description: "Milliseconds from one tick to the next",
			},
			label: {
				type: "string",
				maxLength: 200,
				description: "A text that every tick carries",
			},
		},
		additionalProperties: false,
		examples: [{ periodMs: 1000, label: "mine" }],
	},
	payloadSchema: {
		type: "object",
		properties: {
			tick: { type: "integer", minimum: 0 },
			periodMs: { type: "integer" },
			label: { type: "string" },
		},
		required: ["tick", "periodMs"],
	},
};

/** `replayLimit`: how many ticks back a cursor may lie. */
export function createClockTick(clock: Clock, replayLimit: number): SourceType {
	const metronomes = createMetronomes(clock);
	const lastTick = (periodMs: number) => Math.floor(clock.now() / periodMs);
	return {
		descriptor: DESCRIPTOR,
		head(args) {
			const periodMs = periodOf(args);
			return cursorOf(periodMs, lastTick(periodMs));
		},
		read({ arguments: args, cursor, limit, sinceMs }) {
			const periodMs = periodOf(args);
			const last = lastTick(periodMs);
			const { tick, truncated } = resolve({
				cursor,
				periodMs,
				last,
				oldest: Math.max(
					last - replayLimit,
					sinceMs ? Math.ceil(sinceMs / periodMs) - 1 : 0,
				),
			});
			const end = Math.min(last, tick + limit);
			const events: ServerEvent[] = [];
			for (let at = tick + 1; at <= end; at++)
				events.push(makeTick(at, periodMs, args.label));
			return {
				from: cursorOf(periodMs, tick),
				events,
				cursor: cursorOf(periodMs, end),
				hasMore: end < last,
				truncated,
			};
		},
		watch: (args, wake) => metronomes.join(periodOf(args), wake),
	};
}

const periodOf = (args: EventArguments) =>
	typeof args.periodMs === "number" ? args.periodMs : DEFAULT_PERIOD_MS;

const cursorOf = (periodMs: number, tick: number) =>
	`v1.tick-${periodMs}.${tick}`;

function resolve(from: {
	cursor: string;
	periodMs: number;
	last: number;
	/** The earliest position that is served. */
	oldest: number;
}): { tick: number; truncated: boolean } {
	const parts = CURSOR.exec(from.cursor);
	if (!parts) throw invalidParams("cursor is none of this server's");
	const tick = Number(parts[2]);
	// Of another period, or of a clock that ran ahead: nothing can be said of what lies between.
	if (Number(parts[1]) !== from.periodMs || tick > from.last)
		return { tick: from.last, truncated: true };
	const oldest = Math.min(from.oldest, from.last);
	if (tick < oldest) return { tick: oldest, truncated: true };
	return { tick, truncated: false };
}

function makeTick(tick: number, periodMs: number, label: unknown): ServerEvent {
	return makeEvent({
		eventId: `tick-${periodMs}-${tick}`,
		name: DESCRIPTOR.name,
		at: tick * periodMs,
		dataText: JSON.stringify({ tick, periodMs, label }),
		cursor: cursorOf(periodMs, tick),
	});
}

/** One timer for each period in use, however many streams listen. */
function createMetronomes(clock: Clock) {
	const running = new Map<number, { wakers: Wakers; stop: () => void }>();

	function start(periodMs: number) {
		const wakers = createWakers();
		let cancel = () => {};
		const arm = () => {
			// Aimed at the boundary each time: a timer that repeats would drift away from it.
			const untilNext = periodMs - (clock.now() % periodMs);
			cancel = clock.setTimer(() => {
				arm();
				wakers.wakeAll();
			}, untilNext);
		};
		arm();
		const metronome = { wakers, stop: () => cancel() };
		running.set(periodMs, metronome);
		return metronome;
	}

	return {
		join(periodMs: number, wake: () => void): () => void {
			const metronome = running.get(periodMs) ?? start(periodMs);
			const leave = metronome.wakers.add(wake);
			return () => {
				leave();
				if (metronome.wakers.size > 0) return;
				metronome.stop();
				if (running.get(periodMs) === metronome) running.delete(periodMs);
			};
		},
	};
}
