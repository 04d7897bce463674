// What the first subscription is worth: whether callbacks come back to this machine, and why a subscription is missed.
import { describe, expect, it } from "vitest";
import {
	type Bend,
	both,
	controls,
	FORBIDDEN,
	FULL,
	failure,
	gradeBent,
	INVALID,
	onSubscribe,
	PUBLIC,
} from "./bent-double.ts";

const right: Bend = (_asked, answer) => answer();
const refused = (answer: unknown) => onSubscribe(() => answer);

/** Callbacks to this machine as well, though no control says so. */
const takesAll = onSubscribe(({ params }, answer) => {
	const url = params.delivery.url.replace(/^http:/, "https:");
	return answer({ ...params, delivery: { ...params.delivery, url } });
});

const notFirst = (answer: unknown) => {
	let hasOne = false;
	return onSubscribe((_asked, next) => {
		if (hasOne) return answer;
		const message = next();
		hasOne = message.result !== undefined;
		return message;
	});
};

describe("a first subscribe", () => {
	const ROW = "subscribe-webhook-only";
	it.concurrent.each<[string, unknown, string]>([
		["is taken", undefined, "SUCCESS"],
		["has no method", failure(-32601), "FAILURE"],
		["is forbidden", FORBIDDEN, "WARNING"],
		["is called wrong", INVALID, "WARNING"],
		["is answered by nothing", { status: 500 }, "FAILURE"],
	])("%s at a public address", async (_what, answer, verdict) => {
		const found = await gradeBent(ROW, refused(answer), PUBLIC);
		expect(found).toMatch(new RegExp(`^${verdict} `));
	});

	it.concurrent.each<[string, unknown, RegExp]>([
		["is forbidden", FORBIDDEN, /^UNTESTABLE .*--bearer-env/],
		["is called wrong", INVALID, /^WARNING /],
	])("%s without a credential", async (_what, answer, told) => {
		const nobody = { ...PUBLIC, headers: [] };
		expect(await gradeBent(ROW, refused(answer), nobody)).toMatch(told);
	});

	it.concurrent.each<[string, unknown, RegExp]>([
		["has no method", failure(-32601), /^FAILURE /],
		["is called wrong", INVALID, /^UNTESTABLE .*--public-url/],
		["is forbidden", FORBIDDEN, /^UNTESTABLE .*--public-url/],
	])("%s without an address", async (_what, answer, told) => {
		expect(await gradeBent(ROW, refused(answer))).toMatch(told);
	});
});

describe("a further subscription", () => {
	const ROW = "ttl-refresh-regrants";
	const ROOM = "room for one more subscription";
	const FORM = "a well-formed events/subscribe";
	it.concurrent.each<[string, () => Bend, object, string]>([
		["full, at a public address", () => notFirst(FULL), PUBLIC, ROOM],
		["refused, at a public address", () => notFirst(INVALID), PUBLIC, FORM],
		["full, without an address", () => notFirst(FULL), {}, "--public-url"],
		[
			"full, although it needs none",
			() => both(notFirst(FULL), takesAll),
			{},
			ROOM,
		],
	])("%s", async (_what, bend, place, told) => {
		const found = await gradeBent(ROW, bend(), place);
		expect(found).toMatch(/^UNTESTABLE /);
		expect(found).toContain(told);
	});
});

describe("a restart that cannot be asked for", () => {
	const ROW = "ttl-no-expiry-gc-terminated";
	it.concurrent.each<[string, Bend, object, string]>([
		["at a public address", right, PUBLIC, "events_conformance_restart"],
		["without an address", right, {}, "--public-url"],
		["where none is needed", takesAll, {}, "events_conformance_restart"],
		[
			"and nothing but it is lacking",
			controls({ generation: "1" }),
			PUBLIC,
			"events_conformance_restart",
		],
	])("%s", async (_what, bend, place, told) => {
		expect(await gradeBent(ROW, bend, place)).toContain(told);
	});
});

describe("deliveries that do not come", () => {
	const ROW = "subscribe-refresh-replaces-secret";
	const waits = { occurrenceMs: 50 };
	it.concurrent.each<[string, Bend, object, string]>([
		["to a public address", right, PUBLIC, "events of orders.made"],
		["without an address", right, {}, "--public-url"],
		["where none is needed", takesAll, {}, "events of orders.made"],
	])("%s", async (_what, bend, place, told) => {
		expect(await gradeBent(ROW, bend, { waits, ...place })).toContain(told);
	});
});
