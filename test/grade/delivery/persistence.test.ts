// A restart, a new secret and a redirect by hand: what is kept, who signs, and where a delivery goes.
import { describe, expect, it } from "vitest";
import type { GradeContext } from "../../../src/grade/context.ts";
import { persistenceChecks } from "../../../src/grade/delivery/persistence.ts";
import { redirectChecks } from "../../../src/grade/delivery/redirects.ts";
import type { Probe } from "../../../src/grade/delivery/stage.ts";
import { WAITS } from "../../../src/grade/waits.ts";
import {
	answerOf,
	challengeOf,
	contextOf,
	controlsOf,
	eventOf,
	judge,
	pathOf,
	placeOf,
	probeOf,
	REFUSED,
	requestOf,
	type Sent,
	stageOf,
	subjectsOf,
	subOf,
} from "./by-hand.ts";

const wire: Partial<GradeContext["wire"]> = { renew: async () => true };

interface Told {
	controls?: GradeContext["controls"];
	granted?: Record<string, unknown>;
	/** Before the restart, and behind it. */
	before?: Sent[];
	after?: Sent[];
	/** Brought by each further subscribe before the restart, and behind it. */
	asked?: [before: Sent[], after: Sent[]];
	again?: ReturnType<typeof answerOf>;
	probe?: Probe;
	types?: string[];
}

function restart({
	controls = controlsOf({ restart: "done" }),
	granted = { refreshBefore: null },
	before = [challengeOf(), eventOf(1)],
	after = [eventOf(2)],
	asked = [[], []],
	again = answerOf(),
	probe = probeOf(before, { sub: subOf(answerOf(granted), { again }) }),
	types = ["a.b", "c.d"],
}: Told) {
	const bring = (all: Sent[]) =>
		probe.path.requests.push(...all.map(requestOf));
	let time: 0 | 1 = 0;
	const { again: repeat } = probe.sub;
	probe.sub.again = async (more) => {
		if (more?.subject) bring(asked[time]);
		return await repeat(more);
	};
	const stage = stageOf({ opens: [probe] });
	const { nextEvent } = stage;
	stage.nextEvent = async (path, from, fits) => {
		if (from !== undefined) {
			time = 1;
			bring(after);
		}
		return await nextEvent(path, from, fits);
	};
	const context = contextOf({
		controls,
		wire: wire as GradeContext["wire"],
		waits: { ...WAITS, restartMs: 1 },
		subjects: subjectsOf(...types),
	});
	return { context, stage };
}

describe("a consent", () => {
	const failing = controlsOf({});
	failing.missing = () => undefined;
	const twice = [challengeOf(), challengeOf(), eventOf(1)];

	it.each<[string, Told, string]>([
		["is kept", {}, "holds"],
		["is asked for again", { after: [challengeOf(), eventOf(2)] }, "broken"],
		[
			"is asked for again by another type",
			{ asked: [[], [challengeOf()]] },
			"broken",
		],
		[
			"cannot be asked for by another type",
			{ asked: [[], [challengeOf()]], types: ["a.b"] },
			"holds",
		],
		["is never kept", { asked: [[challengeOf()], []] }, "untestable feature"],
		["is asked for at each event", { before: twice }, "untestable feature"],
		["has no refresh", { again: answerOf(-32602) }, "untestable answer"],
		["brings no event behind it", { after: [] }, "untestable traffic"],
		["brings no event", { before: [challengeOf()] }, "untestable traffic"],
		[
			"expires",
			{ granted: { refreshBefore: "2026-10-01T12:00:00Z" } },
			"skipped",
		],
		["is refused", { probe: REFUSED() }, "untestable answer"],
		["cannot be tried", { controls: controlsOf({}) }, "untestable control"],
		[
			"cannot be tried by a control that fails",
			{ controls: failing },
			"untestable control",
		],
	])("over a restart %s", async (_about, told, word) => {
		const row = "verification-persisted-for-no-expiry";
		expect(await judge(persistenceChecks, row, restart(told))).toBe(word);
	});
});

describe("a delivery that is redirected", () => {
	it.each<[string, Probe, Sent[], string]>([
		["stays", probeOf([eventOf(1)]), [], "holds"],
		["follows", probeOf([eventOf(1)]), [{ method: "GET" }], "broken"],
		["does not come", probeOf(), [{ method: "GET" }], "untestable traffic"],
		["cannot come", REFUSED(), [{ method: "GET" }], "untestable answer"],
	])("%s", async (_about, probe, followed, word) => {
		const place = placeOf({ openPath: () => pathOf(followed) });
		const stage = stageOf({ opens: [probe], place });
		expect(await judge(redirectChecks, "ssrf-no-redirects", { stage })).toBe(
			word,
		);
	});
});
