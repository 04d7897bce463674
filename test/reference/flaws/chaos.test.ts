import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { parseFlaws } from "../../../src/reference/index.ts";
import { realClock } from "../manual-clock.ts";
import {
	isMethod,
	openControlledServer,
	STEADY,
	until,
} from "../open-controlled-server.ts";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import {
	openWebhookServer,
	parseBody,
	SECRET,
} from "../open-webhook-server.ts";
import {
	ask,
	type Json,
	post,
	sseFrames,
	streamMessages,
	take,
} from "../wire-client.ts";

const event = isMethod("/event");

/** Events 1, 2, 3… written by hand, served with a flaw. */
async function open(...faults: string[]) {
	const all = await openStdinServer({ flaws: parseFlaws(faults) });
	const poll = async (cursor: string, more: Json = {}) =>
		(await ask(all.url, "events/poll", { name: NAME, cursor, ...more })).result;
	return { ...all, poll, [Symbol.asyncDispose]: () => all.server.close() };
}

const numbersOf = (events: Json[]) => events.map(({ data }) => data.n);

async function pushed(url: string, count: number, cursor = "v1.run.0") {
	const messages = streamMessages(url, { name: NAME, cursor });
	const events: Json[] = [];
	while (events.length < count) events.push(await until(messages, event));
	await messages.return(undefined);
	return numbersOf(events.map(({ params }) => params));
}

/** The numbers of the first events that a receiver got, in order. */
async function received(faults: string[], count: number) {
	await using server = await openWebhookServer({ flaws: parseFlaws(faults) });
	await server.subscribe(STEADY);
	await expect
		.poll(() => server.delivered().length, { timeout: 8_000 })
		.toBeGreaterThanOrEqual(count);
	const all = server.delivered().slice(0, count);
	return all.map(({ body }) => parseBody(body));
}

describe("duplicate", () => {
	it.each([
		["duplicate", [1, 1, 2, 2, 3, 3]],
		["duplicate=3", [1, 2, 3, 3]],
	])("%s sends %j, by poll and by push", async (fault, numbers) => {
		await using server = await open(fault);
		await server.emit(1, 3);
		const { events } = await server.poll("v1.run.0");
		expect(numbersOf(events)).toEqual(numbers);
		expect(await pushed(server.url, numbers.length)).toEqual(numbers);
	});

	it("sends webhooks twice, each a message of its own", async () => {
		// Several are on their way at once, so a pair need not stand together.
		const bodies = await received(["duplicate"], 8);
		const ids = bodies.map(({ eventId }) => eventId);
		const twice = ids.filter((id, at) => ids.indexOf(id) < at);
		expect(twice.length).toBeGreaterThanOrEqual(3);
	});
});

describe("reorder", () => {
	it("swaps neighbours, and holds one back that has none", async () => {
		await using server = await open("reorder");
		await server.emit(1, 5);
		const first = await server.poll("v1.run.0");
		expect(numbersOf(first.events)).toEqual([2, 1, 4, 3]);
		expect(await pushed(server.url, 4)).toEqual([2, 1, 4, 3]);
		expect((await server.poll(first.cursor)).events).toEqual([]);
		await server.emit(6);
		const second = await server.poll(first.cursor);
		expect(numbersOf(second.events)).toEqual([6, 5]);
	});

	it("works on webhooks", async () => {
		const bodies = await received(["reorder"], 2);
		const [first, second] = numbersOf(bodies);
		expect(Math.abs(first - second)).toBe(1);
	});
});

describe("drop", () => {
	it.each([
		["drop", [1, 2, 4, 5]],
		["drop=2", [1, 3, 5]],
	])("%s leaves %j, the same in every mode", async (fault, numbers) => {
		await using server = await open(fault);
		await server.emit(1, 6);
		const result = await server.poll("v1.run.0");
		expect(numbersOf(result.events)).toEqual(numbers);
		expect(result).toMatchObject({ cursor: "v1.run.6", truncated: false });
		expect(await pushed(server.url, numbers.length)).toEqual(numbers);
	});

	it("works on webhooks", async () => {
		const bodies = await received(["drop=2"], 3);
		const [first, second, third] = numbersOf(bodies).toSorted(
			(one, other) => one - other,
		);
		expect([second - first, third - second]).toEqual([2, 2]);
	});
});

describe("burst", () => {
	it("holds events back, then gives what has gathered", async () => {
		await using server = await open("burst=1s");
		await server.emit(1, 2);
		const held = await server.poll("v1.run.0");
		expect(held).toMatchObject({ events: [], cursor: "v1.run.0" });
		const messages = streamMessages(server.url, {
			name: NAME,
			cursor: "v1.run.0",
		});
		await take(messages, 1);
		await server.emit(3);
		const burst = await take(messages, 3);
		expect(numbersOf(burst.map(({ params }) => params))).toEqual([1, 2, 3]);
		const { events } = await server.poll("v1.run.0");
		expect(numbersOf(events)).toEqual([1, 2, 3]);
	});

	it("gives them though its timers are a little early by the clock", async () => {
		const clock = {
			now: realClock.now,
			setTimer: (act: () => void, ms: number) =>
				realClock.setTimer(act, ms - 20),
		};
		const flaws = parseFlaws(["burst=50ms"]);
		const { server, emit, url } = await openStdinServer({ flaws, clock });
		await using _ = server;
		await emit(1);
		expect(await pushed(url, 1)).toEqual([1]);
	});

	it("works on webhooks", async () => {
		const [first] = await received(["burst=800ms"], 1);
		const ageMs = Date.now() - Date.parse(first.timestamp);
		expect(ageMs).toBeGreaterThan(750);
	});
});

describe("signatures and times of deliveries", () => {
	async function deliver(...faults: string[]) {
		await using server = await openWebhookServer({ flaws: parseFlaws(faults) });
		await server.subscribe(STEADY);
		await expect.poll(() => server.delivered().length).toBeGreaterThan(3);
		return server.delivered().map(({ header, body }) => {
			const headers: Record<string, string> = {};
			for (const name of ["id", "timestamp", "signature"])
				headers[`webhook-${name}`] = header(`webhook-${name}`) ?? "";
			return { headers, body };
		});
	}
	const verify = ({ headers, body }: Json) =>
		new Webhook(SECRET).verify(body.toString(), headers);

	it("bad-signature signs wrongly, and otherwise as it should look", async () => {
		const [first] = await deliver("bad-signature");
		expect(first?.headers["webhook-signature"]).toMatch(/^v1,[\w+/]{43}=$/);
		expect(() => verify(first)).toThrow(/No matching signature/);
	});

	it("bad-signature=2 signs every second one wrongly", async () => {
		const results = (await deliver("bad-signature=2")).map((one) => {
			try {
				return verify(one) !== undefined;
			} catch {
				return false;
			}
		});
		// Several are on their way at once, so neighbours need not stand together.
		expect(new Set(results.slice(0, 4))).toEqual(new Set([false, true]));
	});

	it("stale-timestamp dates back, and signs what it says", async () => {
		const [first] = await deliver("stale-timestamp");
		expect(() => verify(first)).toThrow(/timestamp too old/);
		const [recent] = await deliver("stale-timestamp=1m");
		expect(verify(recent)).toBeDefined();
		const seconds = Number(recent?.headers["webhook-timestamp"]);
		expect(Date.now() / 1_000 - seconds).toBeGreaterThan(59);
	});
});

describe("no-heartbeat", () => {
	it("sends events and no heartbeats", async () => {
		const flaws = parseFlaws(["no-heartbeat"]);
		const heartbeatMs = 20;
		await using server = await openControlledServer({ flaws, heartbeatMs });
		const messages = streamMessages(server.url, { name: STEADY });
		const seen = await take(messages, 4);
		expect(seen.slice(1).every(event)).toBe(true);
		await using honest = await openControlledServer({ heartbeatMs });
		const beats = streamMessages(honest.url, { name: STEADY });
		expect(await until(beats, isMethod("/heartbeat"))).toBeDefined();
	});
});

describe("close-every", () => {
	it("cuts a stream off after some events, with no last word", async () => {
		await using server = await open("close-every=2");
		await server.emit(1, 5);
		const params = { name: NAME, cursor: "v1.run.0" };
		const response = await post(server.url, "events/stream", params);
		const frames: Json[] = [];
		const read = async () => {
			for await (const frame of sseFrames(response))
				frames.push(JSON.parse(frame));
		};
		await expect(read()).rejects.toThrow();
		expect(numbersOf(frames.slice(1).map((one) => one.params))).toEqual([1, 2]);
		const [, , ...more] = frames.slice(1);
		expect(more).toEqual([]);
	});

	it("gives every nth poll no answer", async () => {
		await using server = await open("close-every=2");
		await server.poll("v1.run.0");
		await expect(server.poll("v1.run.0")).rejects.toThrow();
		expect(await server.poll("v1.run.0")).toBeDefined();
	});
});

describe("slow", () => {
	it("waits before answers, frames and deliveries", async () => {
		await using server = await open("slow=150ms");
		await server.emit(1);
		const start = performance.now();
		await server.poll("v1.run.0");
		expect(performance.now() - start).toBeGreaterThan(140);
		await pushed(server.url, 1);
		expect(performance.now() - start).toBeGreaterThan(440);
	});

	it("lets go of what waits when the server closes", async () => {
		let timers = 0;
		const clock = {
			now: realClock.now,
			setTimer(act: () => void, ms: number) {
				timers++;
				const clear = realClock.setTimer(act, ms);
				return () => {
					timers--;
					clear();
				};
			},
		};
		const { server, url } = await openStdinServer({
			flaws: parseFlaws(["slow=1h"]),
			clock,
		});
		const answer = ask(url, "events/list");
		await expect.poll(() => timers).toBe(1);
		await server.close();
		expect((await answer).result.events).toHaveLength(1);
		expect(timers).toBe(0);
	});
});

describe("garbage", () => {
	it("writes what is no JSON, on poll and push", async () => {
		await using server = await open("garbage=2");
		await server.emit(1, 3);
		const poll = async () => {
			const params = { name: NAME, cursor: "v1.run.0" };
			return (await post(server.url, "events/poll", params)).text();
		};
		const [first, second] = [await poll(), await poll()];
		expect(JSON.parse(first).result.events).toHaveLength(3);
		expect(() => JSON.parse(second)).toThrow();
		const params = { name: NAME, cursor: "v1.run.0" };
		const response = await post(server.url, "events/stream", params);
		const frames = await take(sseFrames(response), 4);
		const broken = frames.filter((frame) => !frame.endsWith("}"));
		expect(broken).toHaveLength(2);
		await response.body?.cancel().catch(() => {});
	});

	it("writes bodies that are no JSON, rightly signed", async () => {
		await using server = await openWebhookServer({
			flaws: parseFlaws(["garbage=1"]),
		});
		// Nothing of events/* can be read here: the fixture subscribes.
		const { url } = server.receiver;
		const place = { principal: "alice", name: STEADY, url };
		await server.control("subscribe_as", place);
		await expect.poll(() => server.delivered().length).toBeGreaterThan(0);
		const [first] = server.delivered();
		expect(() => JSON.parse(String(first?.body))).toThrow();
		expect(first?.header("webhook-signature")).toMatch(/^v1,/);
	});
});

describe("revoke-after", () => {
	it("ends a stream with Forbidden, and polls from then on", async () => {
		await using server = await open("revoke-after=100ms");
		const messages = streamMessages(server.url, { name: NAME });
		const { params } = await until(messages, isMethod("/terminated"));
		expect(params.error.code).toBe(-32024);
		const poll = await ask(server.url, "events/poll", { name: NAME });
		expect(poll.error.code).toBe(-32024);
	});

	it("ends webhook subscriptions of that principal, and of no other", async () => {
		await using server = await openWebhookServer({
			flaws: parseFlaws(["revoke-after=500ms"]),
		});
		const { id } = (await server.subscribe(STEADY)).result;
		const envelopes = () =>
			server.delivered().map(({ body }) => parseBody(body));
		await expect.poll(envelopes).toContainEqual({
			type: "terminated",
			error: expect.objectContaining({ code: -32024 }),
		});
		expect(await server.control("subscription_state", { id })).toBe("absent");
		expect((await server.subscribe(STEADY)).error.code).toBe(-32024);
		expect((await server.subscribe(STEADY, {}, "bob")).result).toBeDefined();
	});
});

describe("schema-break", () => {
	it("sends data that its schema refuses, in every mode", async () => {
		const flaws = parseFlaws(["schema-break"]);
		await using server = await openControlledServer({ flaws });
		const messages = streamMessages(server.url, { name: STEADY });
		const { params } = await until(messages, event);
		expect(params.data.n).toEqual([expect.any(Number)]);
		const [body] = await received(["schema-break"], 1);
		expect(body.data.n).toEqual([expect.any(Number)]);
	});

	it("sends no object at all where the schema takes any", async () => {
		await using server = await open("schema-break=2");
		await server.emit(1, 2);
		const { events } = await server.poll("v1.run.0");
		expect(events[0].data).toMatchObject({ n: 1 });
		expect(events[1].data).toEqual([{ n: 2, pad: "" }]);
	});
});

describe("several at once", () => {
	it("work together", async () => {
		await using server = await open("drop=2", "duplicate");
		await server.emit(1, 4);
		const { events } = await server.poll("v1.run.0");
		expect(numbersOf(events)).toEqual([1, 1, 3, 3]);
	});
});
