// What a server refuses to call, and the name by which it calls, by hand.
import { describe, expect, it } from "vitest";
import { guardChecks } from "../../../src/grade/delivery/guards.ts";
import type { Stage } from "../../../src/grade/delivery/stage.ts";
import type { GuardTrial } from "../../../src/grade/receiving/guard-trials.ts";
import {
	answerOf,
	challengeOf,
	contextOf,
	eventOf,
	judge,
	NOT_LIFTED,
	placeOf,
	probeOf,
	REFUSED,
	type Sent,
	stageOf,
	subOf,
} from "./by-hand.ts";

const INVALID = -32602;
const UNREACHED = -32019;

/** One URL that was tried: answered so, and called so often. */
const trial = (
	kind: GuardTrial["kind"],
	answer: Parameters<typeof answerOf>[0],
	dials?: number,
): GuardTrial => ({
	...{ url: "https://127.0.0.1/callback", about: "loopback", kind, dials },
	subscribed: subOf(answerOf(answer)),
});
const guarded = (guards: GuardTrial[], more: Partial<Stage["place"]> = {}) =>
	stageOf({ place: placeOf({ guards, ...more }) });

describe("a URL that its text rules out", () => {
	const url = (...rest: [Parameters<typeof answerOf>[0], number?]) =>
		trial("url", ...rest);
	it.each<[string, GuardTrial[], string]>([
		["refused", [url(INVALID, 0)], "holds"],
		["refused as an endpoint", [url(-32027)], "holds"],
		["taken", [url({}, 0)], "WARNING"],
		["called", [url(INVALID, 1)], "broken"],
		["refused as all else", [url(-32012)], "untestable answer"],
		["not answered", [url("none")], "untestable answer"],
		[
			"beside an address that is taken",
			[url(INVALID), trial("address", {}, 1)],
			"holds",
		],
	])("is %s", async (_about, trials, word) => {
		const stage = guarded(trials);
		expect(
			await judge(guardChecks, "ssrf-validate-callback-url", { stage }),
		).toBe(word);
	});
});

describe("an address that leads nowhere", () => {
	const address = (...rest: [Parameters<typeof answerOf>[0], number?]) =>
		trial("address", ...rest);
	it.each<[string, GuardTrial[], boolean, string]>([
		["refused", [address(INVALID, 0)], false, "holds"],
		[
			"refused as an endpoint and not called",
			[address(-32027, 0)],
			false,
			"holds",
		],
		["refused as an endpoint elsewhere", [address(-32027)], false, "broken"],
		[
			"refused as an endpoint of a public place",
			[address(-32027, 0)],
			true,
			"broken",
		],
		["refused elsewhere", [address(INVALID)], true, "holds"],
		["taken", [address({}, 0)], false, "broken"],
		["called", [address(INVALID, 1)], false, "FAILURE"],
		["refused as all else", [address(UNREACHED)], false, "untestable answer"],
		[
			"beside a URL that is called",
			[address(INVALID, 0), trial("url", {}, 1)],
			false,
			"holds",
		],
	])("is %s", async (_about, trials, isPublic, word) => {
		const stage = guarded(trials, { isPublic });
		expect(
			await judge(guardChecks, "ssrf-reject-non-routable", { stage }),
		).toBe(word);
	});
});

describe("a request for a name", () => {
	const host = "localhost:7";
	const at = (sent: Sent, name = host): Sent => ({
		...sent,
		headers: { ...sent.headers, host: name },
	});
	/** These came for localhost:7; `servername`: whom they asked for over TLS. */
	const name = (sent: Sent[], servername?: string | false) => {
		const probe = probeOf(sent);
		for (const request of probe.path.requests) request.servername = servername;
		return stageOf({ opens: [probe], place: placeOf() });
	};
	const row = "ssrf-connects-checked-address";

	it.each<[string, () => Stage, string]>([
		["names it", () => name([at(challengeOf()), at(eventOf(1))]), "holds"],
		["names another", () => name([at(eventOf(1), "127.0.0.1:7")]), "broken"],
		[
			"names another in a challenge",
			() => name([at(challengeOf(), "x"), at(eventOf(1))]),
			"broken",
		],
		[
			"names another in an envelope",
			() => name([at(eventOf(1)), at({ body: { type: "gap" } }, "x")]),
			"holds",
		],
		[
			"asks for it over TLS",
			() => name([at(eventOf(1))], "localhost"),
			"holds",
		],
		[
			"asks for another over TLS",
			() => name([at(eventOf(1))], "other"),
			"broken",
		],
		["asks for nobody over TLS", () => name([at(eventOf(1))], false), "broken"],
		[
			"is but a challenge",
			() => name([at(challengeOf())]),
			"untestable traffic",
		],
		[
			"is refused",
			() => stageOf({ opens: [REFUSED()], place: placeOf() }),
			"untestable answer",
		],
		[
			"comes to a public place",
			() => stageOf({ place: placeOf({ isPublic: true }) }),
			"untestable feature",
		],
	])("%s", async (_about, make, word) => {
		const stage = make();
		expect(await judge(guardChecks, row, { stage })).toBe(word);
	});

	it("cannot come where its guards are not lifted", async () => {
		const allow = async () => NOT_LIFTED;
		const stage = stageOf({ place: placeOf({ allow }) });
		expect(await judge(guardChecks, row, { context: contextOf(), stage })).toBe(
			"untestable flag",
		);
	});
});
