import { describe, expect, it } from "vitest";
import type {
	FollowMemory,
	Intake,
	Item,
	WebhookHub,
} from "../../../src/tail/index.ts";
import { fault, prepareTail, type RunOptions, tell } from "../run-tail.ts";
import { contentOf, deliveryOf, gone, grant, secret } from "../run-webhook.ts";
import { active, answer, event, type Script } from "../scripted-session.ts";

const MINUTE = 60_000;

/** A receiver that takes what a test delivers; `granted` is called between the server's grant and what is told of it. */
function openHub(granted = () => {}) {
	const lost = new AbortController();
	const log: string[] = [];
	let intake: Intake | undefined;
	let delivered = 0;
	const hub: WebhookHub = {
		lost: lost.signal,
		newSecret: () => secret(9),
		async prepare(subscription) {
			log.push("prepare");
			const nothing = async () => {};
			return {
				address: { url: "https://hook.test" },
				join(joined) {
					intake = joined;
				},
				async close() {
					log.push("close");
					intake = undefined;
				},
				subscription: {
					subscription,
					path: "/hooks/x",
					registration: {
						label: subscription.label,
						secrets: [secret(1)],
						subscriptionId: undefined,
					},
					cursor: undefined,
					known: [],
					backlog: [],
					memory: {
						saveSecrets: nothing,
						saveUrl: nothing,
						saveGrant: async () => granted(),
						saveCursor: nothing,
						saveEnd: nothing,
						markShown: () => {},
						markLeaving: () => {},
					},
				},
			};
		},
	};
	const deliver = (eventId: string, cursor: string) => {
		const n = ++delivered;
		intake?.kept(deliveryOf(contentOf(eventId, cursor), `m${n}`), `cap_${n}`);
	};
	return { hub, lost, log, deliver };
}

/** A memory that says what it was told to save. */
function openMemory(earlier?: FollowMemory["earlier"]) {
	const log: string[] = [];
	const memory: FollowMemory = {
		earlier,
		seen: [],
		save: async (cursor) => void log.push(`save ${cursor}`),
		addSeen: () => {},
		lost: new AbortController().signal,
	};
	return { memory, log };
}

/** Runs with deliveries at their times, until it ends or `stopAtMs`. */
async function run(
	script: Script,
	{
		arrivals = [],
		stopsWithLast = false,
		...options
	}: RunOptions & {
		/** The stop comes in the very moment of the last one. */
		stopsWithLast?: boolean;
		arrivals?: [atMs: number, eventId: string, cursor: string][];
	},
	own = openHub(),
) {
	const prepared = prepareTail(script, {
		via: "webhook",
		modes: ["webhook", "push", "poll"],
		hub: own.hub,
		...options,
	});
	for (const [at, [atMs, eventId, cursor]] of arrivals.entries())
		prepared.clock.at(atMs, () => {
			own.deliver(eventId, cursor);
			if (stopsWithLast && at === arrivals.length - 1) prepared.stop.abort();
		});
	const told: string[] = [];
	const collect = async () => {
		for await (const batch of prepared.tail) told.push(...batch.map(tell));
	};
	await prepared.clock.run(collect());
	return { told, ...own, ...prepared };
}

const UNTIL = 24 * 60 * MINUTE;

describe("a tail by webhook", () => {
	it("shows each delivery once, tells the server when it ends, and says where it stopped", async () => {
		const { told, session, log } = await run(
			{ polls: [grant(UNTIL), gone] },
			{
				arrivals: [
					[10, "e1", "c1"],
					[20, "e1", "c1"],
					[30, "e2", "c2"],
				],
				stopAtMs: 50,
			},
		);
		expect(told).toEqual(["ready c0", "event e1", "event e2", "stopped c2"]);
		expect(session.asked.at(-1)?.method).toBe("events/unsubscribe");
		expect(log).toEqual(["prepare", "close"]);
	});

	it("shows what came in the moment of the stop: it was acknowledged, and comes no second time", async () => {
		const { told } = await run(
			{ polls: [grant(UNTIL), gone] },
			{ arrivals: [[50, "e1", "c1"]], stopsWithLast: true },
		);
		expect(told).toEqual(["ready c0", "event e1", "stopped c1"]);
	});

	it("keeps what it has shown, though the server has not granted it yet", async () => {
		const { memory, log } = openMemory();
		const { told } = await run(
			{ polls: [] },
			{
				memory,
				arrivals: [
					[10, "e2", "c0"],
					[20, "e1", "c2"],
				],
				stopAtMs: 50,
			},
		);
		expect(told).toEqual(["event e2", "event e1", "stopped c2"]);
		expect(log[0]).toBe("save c0");
		expect(log.at(-1)).toBe("save c2");
	});

	it("keeps where it began where it is stopped in the moment of the grant", async () => {
		const { memory, log } = openMemory();
		const hub = openHub(() => prepared.stop.abort());
		const prepared = prepareTail(
			{ polls: [grant(UNTIL), gone] },
			{ via: "webhook", hub: hub.hub, memory },
		);
		const told: string[] = [];
		const collect = async () => {
			for await (const batch of prepared.tail) told.push(...batch.map(tell));
		};
		await prepared.clock.run(collect());
		expect(told).toEqual(["ready c0", "stopped c0"]);
		expect(log.at(-1)).toBe("save c0");
	});

	it("tells once of what may be lost where an earlier run has left no cursor", async () => {
		const { told } = await run(
			{ polls: [grant(UNTIL), gone] },
			{
				memory: openMemory({ cursor: undefined, savedAt: 0 }).memory,
				arrivals: [[10, "e1", "c1"]],
				stopAtMs: 50,
			},
		);
		expect(told).toEqual([
			"ready c0",
			"gap no-cursor c0",
			"event e1",
			"stopped c1",
		]);
	});

	it("tells of it before an event that is quicker than the grant, as of the earlier run", async () => {
		const earlier = { cursor: undefined, savedAt: -5_000 };
		const hub = openHub();
		const { tail, clock, stop } = prepareTail(
			{ polls: [] },
			{ via: "webhook", hub: hub.hub, memory: openMemory(earlier).memory },
		);
		clock.at(10, () => hub.deliver("e1", "c1"));
		clock.at(20, () => stop.abort());
		const items: Item[] = [];
		const collect = async () => {
			for await (const batch of tail) items.push(...batch);
		};
		await clock.run(collect());
		expect(items.map(tell)).toEqual([
			"gap no-cursor c1",
			"event e1",
			"stopped c1",
		]);
		expect(items[0]).toMatchObject({ since: -5_000 });
	});

	it("goes on by push, without a word of the failed way, where the callback is refused", async () => {
		const { told, session } = await run(
			{
				polls: [fault("callback-refused"), gone],
				streams: {
					tick: [[[active("c5"), event("e6", "c6")], "silence"]],
				},
			},
			{ cursor: "c5", count: 1 },
		);
		expect(told).toEqual([
			"mode scripted callback-refused",
			"ready c5",
			"event e6",
			"stopped c6",
		]);
		expect(session.asked.at(-1)).toMatchObject({
			method: "events/stream",
			cursor: "c5",
		});
	});

	it("goes on by push where whoever is nobody may have no webhooks", async () => {
		const { told } = await run(
			{
				polls: [fault("forbidden"), gone],
				streams: { tick: [[[active("c5"), event("e6", "c6")], "silence"]] },
			},
			{ count: 1 },
		);
		expect(told[0]).toBe("mode scripted forbidden");
	});

	it("goes on from its watermark where nothing can be received any more, and shows nothing twice", async () => {
		const own = openHub();
		const script = {
			polls: [grant(UNTIL), gone],
			streams: {
				tick: [
					[
						[active("c1"), event("e1", "c1"), event("e2", "c2")],
						"silence" as const,
					],
				],
			},
		};
		const prepared = run(
			script,
			{
				arrivals: [[10, "e1", "c1"]],
				count: 2,
			},
			{
				...own,
				deliver(eventId, cursor) {
					own.deliver(eventId, cursor);
					setImmediate(() => own.lost.abort(fault("tunnel-failed")));
				},
			},
		);
		const { told, session } = await prepared;
		expect(told).toEqual([
			"ready c0",
			"event e1",
			"mode scripted tunnel-failed",
			"ready again c1",
			"event e2",
			"stopped c2",
		]);
		expect(session.asked.at(-1)?.cursor).toBe("c1");
	});

	it("goes back to webhooks where they work again", async () => {
		const { told } = await run(
			{
				polls: [
					fault("callback-refused"),
					gone,
					answer("c1"),
					grant(UNTIL),
					gone,
				],
				streams: { tick: [[fault("http-not-found")]] },
			},
			{
				modes: ["webhook", "poll"],
				intervalFloorMs: 2 * MINUTE,
				stopAtMs: 3 * MINUTE,
			},
		);
		expect(told).toEqual([
			"mode scripted callback-refused",
			"ready c1",
			"mode webhook works again",
			"ready again c0",
			"stopped c0",
		]);
	});

	it("ends where it was asked for alone", async () => {
		const { told } = await run(
			{ polls: [fault("callback-refused"), gone] },
			{ modes: undefined },
		);
		expect(told.at(-1)).toBe("stopped undefined callback-refused");
	});
});
