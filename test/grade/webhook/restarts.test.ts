// What outlives a restart, by a server that is bent in what it grants and in what its controls say.
import { describe, expect, it } from "vitest";
import {
	type Bend,
	both,
	controls,
	FULL,
	gradeBent,
	onSubscribe,
	PUBLIC,
	success,
} from "./bent-double.ts";

const waits = { restartMs: 400, gcMs: 100, occurrenceMs: 50 };
const LONG = "ttl-long-grant-retained";
const ENDLESS = "ttl-no-expiry-persisted";
const GIVEN_UP = "ttl-no-expiry-gc-terminated";

/** Answers with the generation, once more after each restart. */
function restarting(state: string | undefined) {
	let generation = 1;
	return controls({
		generation: () => String(generation),
		restart: () => String(++generation),
		subscription_state: () => state,
	});
}

/** Grants a day and an endless lease as they are asked for, or says something else of either. */
const granting = (long?: unknown, endless?: unknown) =>
	onSubscribe(({ params }, answer) => {
		const { result } = answer();
		const { ttlMs = 0 } = params;
		const end = ttlMs && new Date(Date.now() + ttlMs).toISOString();
		const told = ttlMs === null ? endless : long;
		return told ?? success({ ...result, refreshBefore: end });
	});
const until = (refreshBefore: unknown) => success({ id: "a", refreshBefore });
const inAnHour = () => until(new Date(Date.now() + 3_600_000).toISOString());

const grade = (row: string, bend: Bend) =>
	gradeBent(row, bend, { ...PUBLIC, waits });

describe("a lease of a day", () => {
	it.concurrent.each<[string, Bend, RegExp]>([
		["is there", both(restarting("active"), granting()), /^SUCCESS .*active/],
		["is suspended", both(restarting("suspended"), granting()), /^SUCCESS /],
		["is lost", both(restarting("absent"), granting()), /^FAILURE .*absent/],
		[
			"is in a state of another name",
			both(restarting("well"), granting()),
			/^UNTESTABLE .*well/,
		],
		["is not told of", both(restarting(undefined), granting()), /^UNTESTABLE /],
		[
			"was none",
			both(restarting("active"), granting(inAnHour())),
			/^UNTESTABLE .*longer than an hour/,
		],
		[
			"was no time",
			both(restarting("active"), granting(until("soon"))),
			/^UNTESTABLE .*longer than an hour/,
		],
		[
			"was endless",
			both(restarting("active"), granting(until(null))),
			/^SUCCESS /,
		],
		[
			"was refused",
			both(restarting("active"), granting(FULL)),
			/^UNTESTABLE .*room/,
		],
	])("%s after a restart", async (_what, bend, told) => {
		expect(await grade(LONG, bend)).toMatch(told);
	});
});

describe("an endless lease", () => {
	it.concurrent.each<[string, string, Bend, RegExp]>([
		["is there", ENDLESS, both(restarting("active"), granting()), /^SUCCESS /],
		["is lost", ENDLESS, both(restarting("absent"), granting()), /^FAILURE /],
		[
			"is lost before it can be given up",
			GIVEN_UP,
			both(restarting("absent"), granting()),
			/^UNTESTABLE .*lost in the restart already/,
		],
		[
			"was none",
			ENDLESS,
			both(restarting("active"), granting(undefined, inAnHour())),
			/^UNTESTABLE .*without expiry/,
		],
		[
			"was none that could be given up",
			GIVEN_UP,
			both(restarting("active"), granting(undefined, inAnHour())),
			/^UNTESTABLE .*without expiry/,
		],
		[
			"was refused",
			ENDLESS,
			both(restarting("active"), granting(undefined, FULL)),
			/^UNTESTABLE .*room/,
		],
		[
			"is never called",
			GIVEN_UP,
			both(restarting("active"), granting()),
			/^UNTESTABLE .*nothing came that could be failed/,
		],
	])("%s after a restart", async (_what, row, bend, told) => {
		expect(await grade(row, bend)).toMatch(told);
	});
});

describe("a restart", () => {
	const to = (generation: string | undefined, restart: string | undefined) =>
		controls({
			generation: () => generation,
			restart: () => restart,
			subscription_state: "active",
		});
	it.concurrent.each<[string, Bend, RegExp]>([
		[
			"that does not come",
			to("1", "2"),
			/^UNTESTABLE .*still is 1 after 400 ms/,
		],
		[
			"that cannot be told",
			to(undefined, "2"),
			/^UNTESTABLE .*events_conformance_generation: it is listed/,
		],
		[
			"that fails",
			to("1", undefined),
			/^UNTESTABLE .*events_conformance_restart: it is listed/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await grade(LONG, both(bend, granting()))).toMatch(told);
	});
});

describe("an id", () => {
	const ROW = "subscribe-id-derived";
	const ids = (...own: unknown[]) => {
		let nth = 0;
		return onSubscribe((_asked, answer) => {
			const { result } = answer();
			return success({ ...result, id: own[Math.min(nth++, own.length - 1)] });
		});
	};
	it.concurrent.each<[string, () => Bend, RegExp]>([
		[
			"lasts",
			() => restarting("active"),
			/^SUCCESS .*before and after a restart/,
		],
		[
			"changes",
			() => both(restarting("active"), ids("a", "b", "c", "d")),
			/^FAILURE .*was b, and is d/,
		],
		[
			"is empty",
			() => both(restarting("active"), ids("")),
			/^FAILURE .*no text/,
		],
		[
			"is a number",
			() => both(restarting("active"), ids(7)),
			/^FAILURE .*no text/,
		],
		["is empty where nothing restarts", () => ids(""), /^FAILURE .*no text/],
		[
			"is there where nothing restarts",
			() => ids("a"),
			/^SUCCESS .*was not tried/,
		],
	])("%s", async (_what, bend, told) => {
		expect(await grade(ROW, bend())).toMatch(told);
	});
});
