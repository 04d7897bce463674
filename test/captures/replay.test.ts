import { describe, expect, it } from "vitest";
import {
	type Capture,
	type Pace,
	type Post,
	replayCaptures,
} from "../../src/captures/index.ts";

const capture = (receivedAtMs: number): Capture => ({
	id: `at ${receivedAtMs}`,
	receivedAtMs,
	method: "POST",
	path: "/",
	headers: [],
	body: Buffer.from(String(receivedAtMs)),
	verdict: { kind: "valid" },
	answer: { status: 204 },
});

const TAKEN = { status: 204, latencyMs: 0, bodyStart: "" };

/** Replays captures that arrived at these times, over a clock that only moves by sleeping. */
async function run(
	times: number[],
	pace: Partial<Pace>,
	post: Post = async () => TAKEN,
) {
	let nowMs = 50_000;
	const sentAt: number[] = [];
	async function* source() {
		for (const time of times) {
			const found = capture(time);
			yield { capture: found, make: () => found };
		}
	}
	const total = await replayCaptures(source(), {
		pace: { speed: undefined, perSecond: undefined, concurrency: 1, ...pace },
		retries: 0,
		now: () => nowMs,
		sleep: async (ms) => {
			nowMs += ms;
		},
		random: () => 0,
		signal: new AbortController().signal,
		post: (outgoing, signal) => {
			sentAt.push(nowMs - 50_000);
			return post(outgoing, signal);
		},
		tell: async () => {},
	});
	return { sentAt, total };
}

describe("the pace of a replay", () => {
	it.each([
		["leaves no gap", {}, [0, 0, 0, 0]],
		["keeps the gaps", { speed: 1 }, [0, 300, 1_000, 1_000]],
		["makes them a tenth", { speed: 10 }, [0, 30, 100, 100]],
		["keeps to a rate", { perSecond: 4 }, [0, 250, 500, 750]],
		["keeps to both", { speed: 1, perSecond: 2 }, [0, 500, 1_000, 1_500]],
	])("%s", async (_what, pace, expected) => {
		const { sentAt } = await run([100, 400, 1_100, 1_050], pace);
		expect(sentAt).toEqual(expected);
	});

	it("has so many under way at once and no more", async () => {
		let underWay = 0;
		let most = 0;
		const post = async () => {
			most = Math.max(most, ++underWay);
			await new Promise((resolve) => setImmediate(resolve));
			underWay--;
			return TAKEN;
		};
		const { total } = await run(Array(20).fill(0), { concurrency: 3 }, post);
		expect(most).toBe(3);
		expect(total.sent).toBe(20);
	});
});

it("a replay counts what was not taken", async () => {
	let n = 0;
	const post = async () => ({ ...TAKEN, status: [204, 500, 302][n++] ?? 0 });
	const { total } = await run([1, 2, 3], {}, post);
	expect(total).toMatchObject({ sent: 3, failed: 2, unanswered: 0 });
});

it("a replay ends with what the teller ends with, and takes no further capture", async () => {
	let taken = 0;
	async function* source() {
		for (;;) {
			taken++;
			const found = capture(0);
			yield { capture: found, make: () => found };
		}
	}
	const replayed = replayCaptures(source(), {
		pace: { speed: undefined, perSecond: undefined, concurrency: 2 },
		retries: 0,
		now: () => 0,
		sleep: async () => {},
		random: () => 0,
		signal: new AbortController().signal,
		post: async () => TAKEN,
		tell: () => Promise.reject(new Error("nobody reads")),
	});
	await expect(replayed).rejects.toThrow("nobody reads");
	expect(taken).toBeLessThan(6);
});
