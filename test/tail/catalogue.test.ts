import { describe, expect, it } from "vitest";
import { NOTIFICATIONS, parseMessage } from "../../src/protocol/index.ts";
import { fault, prepareTail, type RunOptions, runTail } from "./run-tail.ts";
import { type Act, active, type Script } from "./scripted-session.ts";

const MINUTE = 60_000;
const open = () => ({ tick: [[[active("c0")], "silence"] as Act[]] });

const notice = (method: string, params: object = {}) =>
	parseMessage(Buffer.from(JSON.stringify({ jsonrpc: "2.0", method, params })));
const acknowledged = (eventsListChanged: boolean) =>
	notice(NOTIFICATIONS.acknowledged, { notifications: { eventsListChanged } });

/** Runs with a server that says whether it tells of changes. */
async function watch(
	script: Script,
	listChanged: boolean,
	more: RunOptions = {},
) {
	const { tail, clock, session, warnings, notes, stop } = prepareTail(script, {
		staleAfterMs: 90 * MINUTE,
		listEveryMs: 10 * MINUTE,
		...more,
	});
	Object.assign(session.server, { events: { listChanged } });
	clock.at(35 * MINUTE, () => stop.abort());
	const drain = async () => {
		for await (const _ of tail);
	};
	await clock.run(drain());
	return { session, warnings, notes };
}

describe("a change of the catalogue", () => {
	it("is found by looking, where the server does not tell", async () => {
		const lists = [[{ name: "tick" }], [{ name: "tick" }], []];
		const run = await watch({ streams: open(), lists }, false);
		expect(run.session.lists).toBe(4);
		expect(run.warnings).toEqual(["tick: the server no longer lists it"]);
	});

	it("is looked for when the server tells, and not before", async () => {
		const lists = [[{ name: "tick" }], []];
		const listens: Act[][] = [
			[
				[acknowledged(true)],
				{ waitMs: 20 * MINUTE },
				[notice(NOTIFICATIONS.listChanged)],
				"silence",
			],
		];
		const run = await watch({ streams: open(), lists, listens }, true);
		expect(run.session.lists).toBe(2);
		expect(run.warnings).toHaveLength(1);
	});

	it.each<[string, Act]>([
		["does not acknowledge it", [acknowledged(false)]],
		["refuses to be listened to", fault("rpc-error")],
	])("is found by looking, where the server %s", async (_what, act) => {
		const lists = [[{ name: "tick" }]];
		const listens = [[act, "silence" as const]];
		const run = await watch({ streams: open(), lists, listens }, true);
		expect(run.session.lists).toBe(4);
	});

	it("is looked for after each break of the notices", async () => {
		const listens: Act[][] = [
			[[acknowledged(true)], { waitMs: MINUTE }],
			[[acknowledged(true)], "silence"],
		];
		const lists = [[{ name: "tick" }]];
		const run = await watch({ streams: open(), lists, listens }, true);
		expect(run.session.lists).toBe(2);
	});

	it("tells where the arguments do not fit the type of now", async () => {
		const changed = { name: "tick", inputSchema: { required: ["x"] } };
		const lists = [[{ name: "tick" }], [changed]];
		const run = await watch({ streams: open(), lists }, false, {
			async checkArguments() {
				throw fault("arguments-invalid");
			},
		});
		expect(run.warnings).toEqual(["tick: scripted arguments-invalid"]);
	});
});

it("asks once for many subscriptions that end at the same time", async () => {
	const names = Array.from({ length: 50 }, (_, n) => `t${n}`);
	const gone = () => [fault("event-unknown")] as Act[];
	const streams = Object.fromEntries(
		names.map((name) => [name, [[[active("c0")]] as Act[], gone()]]),
	);
	const run = await runTail({ streams, lists: [[]] }, { names });
	expect(run.told.filter((line) => line.endsWith("terminated"))).toHaveLength(
		50,
	);
	expect(run.session.lists).toBeLessThan(12);
});
