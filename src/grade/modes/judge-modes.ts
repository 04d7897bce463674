// What the modes brought as findings of the four rows: missing, extra, different, late.
import { type Finding, holds, skipped, untestable } from "../finding.ts";
import type { Citable } from "../wire/record.ts";
import type { Compared } from "./compare-modes.ts";
import {
	delaysOf,
	findDifferent,
	findExtra,
	findLate,
	findMissing,
	type Told,
} from "./find-disagreements.ts";
import { type Joined, joinModes } from "./joined.ts";
import { listWords, tellFollowed, tellLeftOut } from "./tell-modes.ts";

export const MODES_ROWS = [
	"modes-none-missing",
	"modes-none-extra",
	"modes-same-occurrence",
	"modes-none-late",
] as const;

export type ModesFindings = Record<(typeof MODES_ROWS)[number], Finding>;

const MOST_TOLD = 100;
const MOST_IN_WORDS = 3;
const MOST_CITED = 3;

/** `lateMs`: what is later than this is remarked upon. */
export function judgeModes(compared: Compared, lateMs: number): ModesFindings {
	const joined = joinModes(compared);
	const nothing = whyNothing(compared, joined);
	if (nothing) return sameForAll(nothing);
	const about = { compared, joined };
	return {
		"modes-none-missing": judgeMissing(about),
		"modes-none-extra": judgeExtra(about),
		"modes-same-occurrence": judgeShared(about, findDifferent(joined), {
			bad: "are not the same",
			good: "the same, but for cursor and _meta",
		}),
		"modes-none-late": judgeShared(about, findLate(joined, lateMs), {
			bad: `came by a mode more than ${lateMs} ms after the first`,
			good: tellDelays(joined),
		}),
	};
}

export const sameForAll = (finding: Finding): ModesFindings => ({
	"modes-none-missing": finding,
	"modes-none-extra": finding,
	"modes-same-occurrence": finding,
	"modes-none-late": finding,
});

interface About {
	compared: Compared;
	joined: Joined;
}

/** Undefined where there is something to compare. */
function whyNothing(
	compared: Compared,
	{ logs, events }: Joined,
): Finding | undefined {
	if (logs.length < 2) return tooFewModes(compared);
	if (events.length > 0) return undefined;
	if (compared.triggerFailure) return compared.triggerFailure;
	const cites = logs.flatMap(({ opening }) => opening);
	if (logs.some(({ nameless }) => nameless > 0))
		return namelessOnes(compared, ...cites);
	const name = `events of ${tellFollowed(compared, logs)} while it is followed (--trigger-tool makes them)`;
	const why = `no event came; ${tellLeftOut(compared)}`;
	return untestable({ kind: "traffic", name }, why, ...cites);
}

const namelessOnes = (compared: Compared, ...cites: Citable[]) =>
	untestable(
		{ kind: "feature", name: "an eventId on every occurrence" },
		`there is nothing to join them by; ${tellLeftOut(compared)}`,
		...cites,
	);

function tooFewModes(compared: Compared): Finding {
	const need = neededFor(compared) ?? untriedOf(compared)[0];
	return untestable(
		need?.missing ?? { kind: "feature", name: "two modes that stand" },
		`it takes two modes to compare; ${tellLeftOut(compared)}`,
		...(need?.cites ?? []),
	);
}

const untriedOf = ({ leftOut }: Compared) =>
	[...leftOut.values()].flatMap((finding) =>
		finding.kind === "untestable" ? [finding] : [],
	);

/** Of a mode that is offered and was left out: a flag that would bring it, where one would. */
function neededFor(compared: Compared) {
	const wanted = untriedOf(compared).filter(
		({ missing }) => missing.kind !== "feature",
	);
	return wanted.find(({ missing }) => missing.kind === "flag") ?? wanted[0];
}

function judgeMissing({ compared, joined }: About): Finding {
	const { logs, events, gapped } = joined;
	const told = findMissing(joined);
	const isNameless = logs.some(({ nameless }) => nameless > 0);
	if (isNameless) return namelessOnes(compared);
	if (told.length > 0)
		return disagree({ compared, joined }, told, "are missing");
	const excused = events.filter(
		({ seen, lacking }) => seen.length < logs.length && lacking.length === 0,
	);
	if (excused.length > 0)
		return untestable(
			{ kind: "traffic", name: "a window in which no mode tells of a gap" },
			`${excused.length} of ${events.length} events are missing by ${listWords(gapped)}, which said that events may have been skipped`,
		);
	return agree({ compared, joined }, "none missing");
}

function judgeExtra({ compared, joined }: About): Finding {
	if (joined.logs.length < 3) return cannotTellExtra(compared);
	if (joined.logs.some(({ nameless }) => nameless > 0))
		return namelessOnes(compared);
	const told = findExtra(joined);
	return told.length > 0
		? disagree({ compared, joined }, told, "came by one mode alone")
		: agree({ compared, joined }, "none by one mode alone");
}

/** Two modes cannot tell an event too much from one that is missing; said aloud where a third could be had. */
function cannotTellExtra(compared: Compared): Finding {
	const why = `it takes three modes; ${tellLeftOut(compared)}`;
	const need = neededFor(compared);
	if (need) return untestable(need.missing, why, ...need.cites);
	const isLost = compared.logs.some(({ lost }) => lost !== undefined);
	return isLost
		? untestable({ kind: "answer", name: "each mode until the end" }, why)
		: skipped(why);
}

/** A row about the events that several modes brought. */
function judgeShared(
	about: About,
	told: readonly Told[],
	{ bad, good }: { bad: string; good: string },
): Finding {
	const { events } = about.joined;
	const isJoined = events.some(({ seen }) => seen.length > 1);
	if (told.length > 0) return disagree(about, told, bad);
	if (isJoined) return agree(about, good);
	return untestable(
		{ kind: "traffic", name: "an event that two modes bring" },
		`none of ${events.length} came by more than one; ${tellLeftOut(about.compared)}`,
	);
}

function disagree(
	{ compared, joined: { events, logs } }: About,
	told: readonly Told[],
	how: string,
): Finding {
	const count = new Set(told.map(({ disagreement }) => disagreement.eventId));
	const all = [...new Set(told.map((each) => each.words))];
	const words = all.slice(0, MOST_IN_WORDS);
	const more = all.length - words.length;
	const list = [...words, ...(more > 0 ? [`${more} more`] : [])].join("; ");
	const cites = told.slice(0, MOST_CITED).flatMap((each) => each.cites);
	return {
		kind: "broken",
		found: `of ${events.length} events of ${tellFollowed(compared, logs)}, ${count.size} ${how}: ${list}; ${tellLeftOut(compared)}`,
		cites,
		disagreements: told
			.slice(0, MOST_TOLD)
			.map(({ disagreement }) => disagreement),
	};
}

function agree({ compared, joined }: About, good: string): Finding {
	const { events, logs } = joined;
	const shown = events.find(({ seen }) => seen.length === logs.length);
	return holds(
		`${events.length} events of ${tellFollowed(compared, logs)}: ${good}; ${tellLeftOut(compared)}`,
		...(shown?.seen ?? []).map(({ sighting }) => sighting.cite),
	);
}

function tellDelays(joined: Joined): string {
	const told = delaysOf(joined).map(
		({ mode, medianMs, mostMs }) =>
			`${mode} ${Math.round(medianMs)} and ${Math.round(mostMs)} ms`,
	);
	return `behind the first to bring an event, median and most: ${told.join(", ")}`;
}
