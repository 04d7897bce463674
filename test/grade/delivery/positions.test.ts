// What cursors are worth, by hand: behind an event that is never taken, and for whoever goes on from one.
import { describe, expect, it } from "vitest";
import { positionChecks } from "../../../src/grade/delivery/positions.ts";
import { resumingChecks } from "../../../src/grade/delivery/resuming.ts";
import type { Probe, Stage } from "../../../src/grade/delivery/stage.ts";
import type { CallbackRequest } from "../../../src/grade/receiving/callback-request.ts";
import {
	answerOf,
	contextOf,
	eventOf,
	judge,
	NOW_MS,
	probeOf,
	REFUSED,
	requestOf,
	type Sent,
	stageOf,
	subOf,
} from "./by-hand.ts";

const bare = { cursor: null };

describe("whoever begins behind an event that was not taken", () => {
	/** To the one that never takes event 1, and to a reader that begins at the cursor of the next. */
	const safe = (sent: Sent[], read: Sent[] | Probe) => {
		const reader = Array.isArray(read) ? probeOf(read) : read;
		const stage = stageOf({ opens: [probeOf(sent), reader] });
		return judge(positionChecks, "delivery-cursor-safe-watermark", { stage });
	};
	const retried = [eventOf(1, 0), eventOf(2, 10), eventOf(1, 11)];

	it.each<[string, Sent[], Sent[] | Probe, string]>([
		["gets it", retried, [eventOf(2), eventOf(1)], "holds"],
		["misses it", retried, [eventOf(3)], "broken"],
		["gets nothing", retried, [], "untestable traffic"],
		["is refused", retried, REFUSED(), "untestable answer"],
		[
			"misses one that may be given up",
			[...retried.slice(0, 2), eventOf(1, 10)],
			[eventOf(3)],
			"untestable traffic",
		],
		[
			"gets no other",
			[eventOf(1, 0), eventOf(1, 11)],
			[eventOf(1)],
			"untestable traffic",
		],
		[
			"gets an earlier one alone",
			[eventOf(1, 0), eventOf(0, 5)],
			[eventOf(1)],
			"untestable traffic",
		],
		[
			"gets one of the same id alone",
			[eventOf(1, 0), { ...eventOf(2, 10), headers: { "webhook-id": "m1" } }],
			[eventOf(1)],
			"untestable traffic",
		],
		[
			"has no cursor to begin at",
			[eventOf(1, 0), eventOf(2, 10, bare)],
			[eventOf(1)],
			"untestable feature",
		],
		["sees no event", [], [], "untestable traffic"],
	])("%s", async (_about, sent, read, word) => {
		expect(await safe(sent, read)).toBe(word);
	});

	it("gets it while it is waited for", async () => {
		const reader = probeOf();
		reader.path.waitUntil = async (isSo) => {
			if (!isSo()) reader.path.take(requestOf(eventOf(1)));
			return isSo();
		};
		expect(await safe(retried, reader)).toBe("holds");
	});

	it("cannot be tried where the subscribe is refused", async () => {
		const stage = stageOf({ opens: [REFUSED()] });
		const row = "delivery-cursor-safe-watermark";
		expect(await judge(positionChecks, row, { stage })).toBe(
			"untestable answer",
		);
	});

	it("leaves out the first event alone, and takes all else", async () => {
		const statuses: unknown[] = [];
		const stage = stageOf({
			async open({ behaviour } = {}) {
				for (const sent of [
					{ body: { type: "gap" } },
					eventOf(1),
					eventOf(2),
					eventOf(1),
				])
					statuses.push(behaviour?.delivery?.(requestOf(sent)).status);
				return REFUSED();
			},
		});
		await judge(positionChecks, "delivery-cursor-safe-watermark", { stage });
		expect(statuses).toEqual([204, 503, 204, 503]);
	});
});

describe("the cursor behind an event that is never taken", () => {
	const held = (at: number) => eventOf(1, at);
	const waiting = (n: number, at: number) => eventOf(n, at, { cursor: "c0" });
	const exhaust = (sent: Sent[], afterMs = 0) => {
		const stage = stageOf({ opens: [probeOf(sent), probeOf([eventOf(1)])] });
		const context = contextOf({ now: () => NOW_MS + afterMs });
		const row = "delivery-cursor-after-exhaustion";
		return judge(positionChecks, row, { context, stage });
	};
	const stuck = [held(0), waiting(2, 10), held(20), held(40), waiting(3, 50)];

	it.each<[string, Sent[], number, string]>([
		[
			"moves on",
			[held(0), waiting(2, 10), held(20), eventOf(3, 30)],
			0,
			"holds",
		],
		[
			"moves on behind the first",
			[held(0), held(20), waiting(2, 30), eventOf(3, 40)],
			0,
			"holds",
		],
		[
			"moves on before a second attempt",
			[held(0), waiting(2, 10), eventOf(3, 20), held(20)],
			0,
			"untestable time",
		],
		[
			"moves on at once",
			[held(0), waiting(2, 10), held(20), eventOf(3, 20)],
			0,
			"untestable time",
		],
		[
			"moves on for that event alone",
			[held(0), waiting(2, 10), held(20), held(30)],
			0,
			"untestable time",
		],
		[
			"is left out",
			[held(0), waiting(2, 10), held(20), eventOf(3, 30, bare)],
			0,
			"untestable time",
		],
		[
			"moves on without another attempt",
			[held(0), waiting(2, 10), eventOf(3, 30)],
			0,
			"untestable time",
		],
		["stays where it was", stuck, 841, "broken"],
		["stays for a while", stuck, 840, "untestable time"],
		[
			"stays behind two attempts",
			[held(0), waiting(2, 10), held(20)],
			99_000,
			"untestable time",
		],
		[
			"stays for eight pauses",
			[held(0), waiting(2, 10), held(20), held(320)],
			2_720,
			"untestable time",
		],
		[
			"stays for longer",
			[held(0), waiting(2, 10), held(20), held(320)],
			2_721,
			"broken",
		],
	])("%s", async (_about, sent, afterMs, word) => {
		expect(await exhaust(sent, afterMs)).toBe(word);
	});
});

describe("whoever goes on from the cursor of a delivery", () => {
	const some = (...numbers: number[]) => numbers.map((n) => eventOf(n));
	const sameTime = (n: number, at: number) =>
		eventOf(n, at, { timestamp: new Date(NOW_MS + 1_000).toISOString() });
	/** What comes to all, to one that stops, and to one that goes on behind it. */
	const resume = (
		main: Sent[],
		first: Sent[] | Probe,
		second: Sent[] | Probe,
	) => {
		const opens = [first, second].map((one) =>
			Array.isArray(one) ? probeOf(one) : one,
		);
		const stage = stageOf({ main: probeOf(main), opens });
		return judge(resumingChecks, "resume-exactly-once", { stage });
	};
	const all = some(1, 2, 3, 4);
	const cut = probeOf([], { sub: subOf(answerOf("none")) });

	it.each<[string, Sent[], Sent[] | Probe, Sent[] | Probe, string]>([
		["gets what follows", all, some(1), some(2, 3, 4), "holds"],
		["misses one", all, some(1), some(2, 4), "broken"],
		["gets one twice", all, some(1), some(2, 3, 2, 4), "broken"],
		["gets the last one, too", all, some(1), some(1, 1, 2, 3, 4), "holds"],
		["gets other ones twice", all, some(1), some(9, 9, 2, 3, 4), "holds"],
		[
			"gets what follows the last",
			some(1, 2, 3, 4, 5),
			some(1, 2),
			some(3, 4, 5),
			"holds",
		],
		[
			"need not get what was there before",
			some(1, 2, 3, 4, 5),
			some(2, 1),
			some(3, 4, 5),
			"holds",
		],
		[
			"need not get what is earlier",
			some(0, 1, 2, 3, 4),
			some(1),
			some(2, 3, 4),
			"holds",
		],
		[
			"need not get what is as old",
			[sameTime(9, 0), ...all],
			some(1),
			some(2, 3, 4),
			"holds",
		],
		[
			"must get what is as old and came later",
			[sameTime(9, 1), ...all],
			some(1),
			some(2, 3, 4),
			"broken",
		],
		["sees too few", some(1, 2, 3), some(1), some(2, 3), "untestable traffic"],
		["is refused", all, some(1), REFUSED(), "broken"],
		["is not answered", all, some(1), cut, "untestable answer"],
		["has no cursor", all, [eventOf(1, 1, bare)], [], "untestable feature"],
		["saw no event", all, [], [], "untestable traffic"],
		["could not begin", all, REFUSED(), [], "untestable answer"],
	])("%s", async (_about, main, first, second, word) => {
		expect(await resume(main, first, second)).toBe(word);
	});

	it("is compared with what comes to all while it is waited for", async () => {
		const main = probeOf(some(1, 2, 3));
		main.path.waitUntil = async (isSo) => {
			if (!isSo()) main.path.take(requestOf(eventOf(4)));
			return isSo();
		};
		const opens = [probeOf(some(1)), probeOf(some(2, 3, 4))];
		const stage = stageOf({ main, opens });
		expect(await judge(resumingChecks, "resume-exactly-once", { stage })).toBe(
			"holds",
		);
	});

	it("gets as many events as are made for it", async () => {
		const main = probeOf(some(1));
		const second = probeOf([]);
		const stage = stageOf({
			...{ main, opens: [probeOf(some(1)), second] },
			async nextEvent(path) {
				const made = requestOf(eventOf(1 + main.path.events.length));
				if (path === main.path)
					for (const each of [main, second]) each.path.take(made);
				return path.events.at(-1);
			},
		});
		expect(await judge(resumingChecks, "resume-exactly-once", { stage })).toBe(
			"holds",
		);
	});
});

describe("whoever goes on from the cursor of a refresh", () => {
	const event = requestOf(eventOf(2));
	interface Refreshed {
		again?: Parameters<typeof answerOf>[0];
		probe?: Probe;
		come?: CallbackRequest | undefined;
	}
	const refresh = (told: Refreshed): Stage => {
		const { again = { cursor: "c" }, probe = probeOf([eventOf(2)]) } = told;
		const sub = subOf(answerOf(), { again: answerOf(again) });
		return stageOf({
			main: probeOf([eventOf(1)], { sub }),
			opens: [probe],
			nextEvent: async () => ("come" in told ? told.come : event),
		});
	};
	const answered = (what: Parameters<typeof answerOf>[0]) =>
		probeOf([eventOf(2)], { sub: subOf(answerOf(what)) });

	it.each<[string, Refreshed, string]>([
		["gets what comes", {}, "holds"],
		["misses it", { probe: probeOf([eventOf(3)]) }, "broken"],
		["is told of a gap", { probe: answered({ truncated: true }) }, "broken"],
		["is told of none", { probe: answered({ truncated: false }) }, "holds"],
		["is refused", { probe: answered(-32602) }, "broken"],
		["is not answered", { probe: answered("none") }, "untestable answer"],
		["sees nothing come", { come: undefined }, "untestable traffic"],
		["has none", { again: { cursor: null } }, "untestable feature"],
		["cannot refresh", { again: -32602 }, "untestable answer"],
	])("%s", async (_about, told, word) => {
		const stage = refresh(told);
		expect(
			await judge(resumingChecks, "refresh-cursor-resumes", { stage }),
		).toBe(word);
	});

	it("gets what comes while it is waited for", async () => {
		const probe = probeOf();
		probe.path.waitUntil = async (isSo) => {
			if (!isSo()) probe.path.take(event);
			return isSo();
		};
		const stage = refresh({ probe });
		expect(
			await judge(resumingChecks, "refresh-cursor-resumes", { stage }),
		).toBe("holds");
	});
});
