// Flaws of the cursors of polls, and of ages and gaps.
import { METHODS } from "../../protocol/index.ts";
import type { Flaw, Hooks, Json } from "./flaw.ts";
import { refuse } from "./hooks.ts";
import {
	INVALID,
	numberIn,
	onPoll,
	pollFlaw,
	refuseWith,
} from "./poll-flaw.ts";
import { POLL_OCCURRENCES } from "./poll-occurrences.ts";

/** Puts events from before into answers that start from now; `isMeant` says into which. */
const replayInto = (isMeant: (params: Json) => boolean) => (): Hooks => {
	const before = new Map<string, Json[]>();
	return onPoll((result, params) => {
		const { name, cursor } = params;
		if (result.events.length > 0) before.set(name, result.events.slice(-2));
		const isNow = cursor === undefined || cursor === null;
		if (isNow && isMeant(params)) result.events = before.get(name) ?? [];
	});
};

const isAgedAt = ({ cursor, maxAgeMs }: Json) =>
	typeof cursor === "string" && maxAgeMs !== undefined;

export const POLL_POSITIONS: readonly Flaw[] = [
	...POLL_OCCURRENCES,
	pollFlaw(
		"resume-repeats",
		"resume-exactly-once",
		"gives the last event of a batch again with the next one",
		() => {
			const last = new Map<string, Json>();
			return onPoll(({ events, cursor: next }, { name, cursor }) => {
				const key = `${name} ${next}`;
				if (typeof cursor !== "string") return void last.delete(key);
				const own = events.at(-1);
				const before = last.get(`${name} ${cursor}`);
				if (own) last.set(key, own);
				if (before && own) events.unshift(before);
			});
		},
	),
	pollFlaw(
		"resume-skips",
		"resume-exactly-once",
		"leaves out the first event after a batch",
		() => {
			const ends = new Set<string>();
			return onPoll(({ events, cursor: next }, { name, cursor }) => {
				if (typeof cursor !== "string") return;
				const isAfter = ends.has(`${name} ${cursor}`);
				if (isAfter) events.shift();
				// Where nothing is left it was no batch: else a slow source would never show more than its first event.
				if (events.length > 0) ends.add(`${name} ${next}`);
			});
		},
	),
	pollFlaw(
		"cursor-as-number",
		"cursor-opaque",
		"writes the cursor of poll results as a number",
		onPoll((result) => {
			result.cursor = numberIn(String(result.cursor));
		}),
	),
	pollFlaw(
		"null-replays",
		"cursor-null-starts-from-now",
		"gives events from before to a poll that starts from now",
		replayInto(({ maxAgeMs }) => maxAgeMs === undefined),
	),
	pollFlaw(
		"null-gives-an-old-cursor",
		"cursor-null-starts-from-now",
		"gives every poll that starts from now the cursor that the first one had",
		() => {
			const firsts = new Map<string, unknown>();
			return onPoll((result, { name, cursor }) => {
				if (typeof cursor === "string") return;
				if (!firsts.has(name)) firsts.set(name, result.cursor);
				result.cursor = firsts.get(name);
			});
		},
	),
	pollFlaw(
		"demands-cursor",
		"cursor-absent-equals-null",
		"refuses polls without a cursor",
		refuse(
			({ method, params }) => method === METHODS.poll && !("cursor" in params),
			{ code: INVALID, message: "cursor is missing" },
		),
	),
	pollFlaw(
		"cursor-now-and-then",
		"cursor-consistency",
		"has no cursor for a poll that starts from now with maxAgeMs",
		onPoll((result, { cursor, maxAgeMs }) => {
			if (cursor === null && maxAgeMs !== undefined) result.cursor = null;
		}),
	),
	pollFlaw(
		"no-cursor-when-quiet",
		"cursor-advances-when-quiet",
		"leaves the cursor out of a poll result without events",
		onPoll((result, { cursor }) => {
			const isQuiet = result.events.length === 0 && !result.truncated;
			if (isQuiet && typeof cursor === "string") delete result.cursor;
		}),
	),
	pollFlaw(
		"ignores-max-age",
		"max-age-ms-floor",
		"takes no notice of maxAgeMs beside a cursor",
		{
			request({ method, params }) {
				if (method === METHODS.poll && isAgedAt(params)) delete params.maxAgeMs;
			},
		},
	),
	pollFlaw(
		"max-age-drops-all",
		"max-age-ms-floor",
		"gives no events at all where maxAgeMs passes the cursor",
		onPoll((result, params) => {
			if (isAgedAt(params) && result.truncated) result.events = [];
		}),
	),
	pollFlaw(
		"max-age-in-silence",
		"max-age-ms-sets-truncated",
		"says nothing of the events that maxAgeMs skips",
		onPoll((result, params) => {
			if (isAgedAt(params)) result.truncated = false;
		}),
	),
	pollFlaw(
		"max-age-replays",
		"max-age-ms-ignored-when-cursor-null",
		"gives events from before to a poll that starts from now with maxAgeMs",
		replayInto(({ maxAgeMs }) => maxAgeMs !== undefined),
	),
	pollFlaw(
		"forgets-in-silence",
		"replay-ceiling-sets-truncated",
		"says nothing of events that it keeps no more",
		onPoll((result, { maxAgeMs }) => {
			if (result.events.length > 0 && maxAgeMs === undefined)
				result.truncated = false;
		}),
	),
	pollFlaw(
		"truncated-without-cursor",
		"truncated-returns-fresh-cursor",
		"has no cursor beside truncated",
		onPoll((result) => {
			if (result.truncated) result.cursor = null;
		}),
	),
	pollFlaw(
		"gap-as-error",
		"truncated-poll-never-an-error",
		"refuses a cursor that it cannot serve from in full",
		onPoll(({ truncated }, _params, message) => {
			if (truncated) refuseWith(message, INVALID, "events were missed");
		}),
	),
	pollFlaw(
		"truncated-as-number",
		"truncated-poll-never-an-error",
		"writes truncated as 0 or 1",
		onPoll((result) => {
			result.truncated = Number(result.truncated);
		}),
	),
	pollFlaw(
		"no-replay-truncated",
		"truncated-false-when-no-replay",
		"serves types that offer poll alone without replay, and as truncated",
		() => {
			const names = new Set<unknown>();
			return {
				type(type) {
					const { delivery, name } = type.descriptor;
					if (delivery.join() !== "poll") return type;
					names.add(name);
					return { ...type, hasReplay: false };
				},
				...onPoll((result, { name }) => {
					if (names.has(name)) result.truncated = true;
				}),
			};
		},
	),
	pollFlaw(
		"takes-any-cursor",
		"cursor-unservable-is-gap",
		"starts from now, without a word, at a cursor that it cannot read",
		{
			message(message, { method, params }) {
				const { cursor, arguments: args } = Object(params);
				const isCursor = typeof cursor === "string" && Object(args) === args;
				if (method !== METHODS.poll || !isCursor) return;
				if (message.error?.code !== INVALID) return;
				delete message.error;
				message.result = {
					resultType: "complete",
					events: [],
					cursor,
					truncated: false,
					hasMore: false,
					nextPollMs: 1_000,
				};
			},
		},
	),
];
