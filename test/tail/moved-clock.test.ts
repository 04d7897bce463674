// A clock that is set, or a process that was stopped: what passed meanwhile is nobody's silence.
import { expect, it } from "vitest";
import { fault, prepareTail, tell } from "./run-tail.ts";
import { calls, gone, grant, runWebhook } from "./run-webhook.ts";
import { type Act, active, answer, event } from "./scripted-session.ts";

const MINUTE = 60_000;
const TEN_MINUTES = 10 * MINUTE;

async function runMoved(
	script: Parameters<typeof prepareTail>[0],
	options: Parameters<typeof prepareTail>[1] & { byMs: number },
) {
	const prepared = prepareTail(script, { ...options, stopAtMs: undefined });
	const { tail, clock, stop } = prepared;
	clock.at(10_000, () => clock.set(options.byMs));
	clock.at(90_000, () => stop.abort());
	const told: string[] = [];
	const collect = async () => {
		for await (const batch of tail) told.push(...batch.map(tell));
	};
	await clock.run(collect());
	return { told, ...prepared };
}

const cut: Act[] = [fault("connection-failed")];

it.each([
	["forward", TEN_MINUTES],
	["back", -TEN_MINUTES],
])(
	"a stream goes on where the clock is set %s by ten minutes and the connection dies",
	async (_way, byMs) => {
		const first: Act[] = [[active("c1")], { waitMs: 15_000 }, ...cut];
		const second: Act[] = [[active("c1")], [event("e2", "c2")], "silence"];
		const { told } = await runMoved(
			{ streams: { tick: [first, cut, second] } },
			{ giveUpAfterMs: 5 * MINUTE, byMs },
		);
		expect(told).toContain("event e2");
		expect(told.filter((text) => text.startsWith("gap"))).toEqual([]);
		expect(told.at(-1)).toBe("stopped c2");
	},
);

it.each([
	["forward", TEN_MINUTES],
	["back", -TEN_MINUTES],
])(
	"a poll goes on where the clock is set %s by ten minutes and answers fail",
	async (_way, byMs) => {
		const slow = answer("c1", [], { nextPollMs: 5_000 });
		const failed = fault("connection-failed");
		const last = answer("c2", ["e2"], { nextPollMs: MINUTE });
		const { told } = await runMoved(
			{ polls: [slow, slow, failed, failed, failed, failed, last] },
			{ via: "poll", giveUpAfterMs: 5 * MINUTE, byMs },
		);
		expect(told).toContain("event e2");
		expect(told.filter((text) => text.startsWith("gap"))).toEqual([]);
	},
);

it("a webhook subscription is refreshed before it expires, though the clock was set back", async () => {
	const hour = 60 * MINUTE;
	const run = await runWebhook([grant(hour), grant(hour), gone], {
		onTail: (_tail, clock) =>
			clock.at(TEN_MINUTES, () => clock.set(-3 * TEN_MINUTES)),
		stopAtMs: 50 * MINUTE,
	});
	// 38 minutes after the first, by any clock that nobody sets.
	expect(calls(run)).toEqual([
		"0 subscribe",
		`${7.5 * MINUTE} subscribe c0`,
		`${20 * MINUTE} unsubscribe`,
	]);
});
