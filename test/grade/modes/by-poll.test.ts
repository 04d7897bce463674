import { describe, expect, it } from "vitest";
import { openByPoll } from "../../../src/grade/modes/by-poll.ts";
import { answerOf } from "../delivery/by-hand.ts";
import { frame } from "../push/by-hand.ts";
import { openingOf, windowOf } from "./by-hand.ts";
import { occurrence } from "./modes-server.ts";

const QUIET = { events: [], cursor: "c0", hasMore: false };
const E1 = occurrence("e1");

/** What comes of a poll after the first that is answered with this; the one after it has nothing. */
async function follow(more: object) {
	const answers = [QUIET, { ...QUIET, ...more }, QUIET];
	const told = answers.map((result) => ({
		...answerOf(result),
		record: frame({}).record,
	}));
	const { opening, asked } = openingOf({ answers: told });
	const opened = await openByPoll(opening);
	if (opened.kind !== "open") throw new Error("it opens");
	const { window, log } = windowOf("poll", opening);
	const countAtSleep: number[] = [];
	const { sleep } = opening.context;
	opening.context.sleep = async (ms) => {
		countAtSleep.push(asked.length);
		await sleep(ms);
	};
	await opened.way.run?.(window, log);
	return { log, firstSleepAt: countAtSleep[0] };
}

describe("polls that are followed", () => {
	it.each([
		["at once where there is more", { cursor: "c1", hasMore: true }, 3],
		["later where there is no more", { cursor: "c1" }, 2],
		["later where the cursor stays", { hasMore: true }, 2],
		["later where there is no cursor", { cursor: 7, hasMore: true }, 2],
		[
			"later where nothing came",
			{ events: [], cursor: "c1", hasMore: true },
			2,
		],
	])("go on %s", async (_what, more, firstSleepAt) => {
		const told = await follow({ events: [E1], ...more });
		expect(told.firstSleepAt).toBe(firstSleepAt);
	});

	it.each([
		[true, true],
		[false, false],
	])("with truncated %s tell of a gap: %s", async (truncated, hasGap) => {
		const { log } = await follow({ events: [E1], truncated });
		expect(log.hasGap).toBe(hasGap);
		expect([...log.sightings.keys()]).toEqual(["e1"]);
	});
});
