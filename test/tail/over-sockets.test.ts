// The tail over real sockets and pipes, against servers that are scripted by hand.
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { openSession, type SessionTarget } from "../../src/session/index.ts";
import { type TailOptions, tailEvents } from "../../src/tail/index.ts";
import {
	type Call,
	openRawServer,
	openSse,
	type RawServer,
	send,
	sendEvent,
	sendResult,
} from "./raw-server.ts";
import { tell } from "./run-tail.ts";

const connectTo = (target: SessionTarget, streams = 1) =>
	openSession(target, {
		timeoutMs: 5_000,
		connectTimeoutMs: 5_000,
		maxMessageBytes: 1 << 20,
		clientInfo: { name: "test", version: "1" },
		note: () => {},
		streams,
	});

const connect = (server: RawServer, streams?: number) =>
	connectTo({ kind: "http", url: server.url, headers: [], env: {} }, streams);

type Session = Awaited<ReturnType<typeof connect>>;
type Wishes = Partial<TailOptions> & {
	via?: "poll" | "push";
	signal?: AbortSignal;
	names?: string[];
};

function open(session: Session, wishes: Wishes = {}) {
	const { via = "push", names = ["tick"], signal, ...options } = wishes;
	const subscriptions = names.map((name) => ({
		subscription: { label: name, name, arguments: {} },
		via,
	}));
	return tailEvents(
		session,
		{ ...options, subscriptions },
		{
			now: Date.now,
			sleep: (ms, signal) => sleep(ms, undefined, { signal }),
			random: () => 0,
			signal: signal ?? new AbortController().signal,
			note: () => {},
			warn: () => {},
		},
	);
}

async function collect(session: Session, wishes: Wishes): Promise<string[]> {
	const told: string[] = [];
	for await (const batch of open(session, wishes))
		told.push(...batch.map(tell));
	return told;
}

const range = (from: number, until: number) =>
	[...Array(until - from)].map((_, at) => from + at);

/** A stream that begins after the cursor it is asked for, and sends up to `until`. */
function serveFrom(call: Call, until: number): void {
	const from = Number(call.params.cursor?.slice(1) ?? 0) + 1;
	openSse(call);
	send(call, "active", { cursor: `c${from - 1}`, truncated: false });
	for (const n of range(from, until + 1)) sendEvent(call, n);
}

it("goes on where a stream was cut, each event once and in order", async () => {
	await using server = await openRawServer((call) => {
		serveFrom(call, (call.nth + 1) * 40);
		setImmediate(() => call.response.destroy());
	});
	await using session = await connect(server);
	const told = await collect(session, { count: 100, cursor: "c0" });
	const events = told.filter((line) => line.startsWith("event"));
	expect(events).toEqual(range(1, 101).map((n) => `event e${n}`));
	expect(told.at(-1)).toBe("stopped c100");
	expect(server.calls.length).toBeGreaterThanOrEqual(3);
});

it("goes on where the server ended a stream in order", async () => {
	await using server = await openRawServer((call) => {
		serveFrom(call, (call.nth + 1) * 2);
		call.response.end();
	});
	await using session = await connect(server);
	const told = await collect(session, { count: 4, cursor: "c0" });
	expect(told.filter((line) => line.startsWith("event"))).toHaveLength(4);
	expect(server.calls.map(({ params }) => params.cursor)).toEqual(["c0", "c2"]);
});

it("does not take comments for a sign of life", async () => {
	await using server = await openRawServer((call) => {
		serveFrom(call, call.nth + 1);
		if (call.nth > 0) return;
		const chatter = setInterval(() => call.response.write(": alive\n\n"), 10);
		call.response.once("close", () => clearInterval(chatter));
	});
	await using session = await connect(server);
	const told = await collect(session, {
		count: 2,
		cursor: "c0",
		staleAfterMs: 600,
	});
	expect(told).toEqual([
		"ready c0",
		"event e1",
		"reconnecting in 100",
		"ready again c1",
		"event e2",
		"stopped c2",
	]);
});

it("cancels the stream on the wire when the consumer leaves", async () => {
	await using server = await openRawServer((call) => serveFrom(call, 1));
	await using session = await connect(server);
	for await (const batch of open(session))
		if (batch.some((item) => item.kind === "event")) break;
	const response = server.calls[0]?.response;
	await expect.poll(() => response?.closed).toBe(true);
	expect(response?.writableFinished).toBe(false);
});

it("says the last cursors when it is stopped, and leaves no connection busy", async () => {
	const stop = new AbortController();
	await using server = await openRawServer((call) => serveFrom(call, 3));
	await using session = await connect(server);
	const told: string[] = [];
	for await (const batch of open(session, { signal: stop.signal })) {
		told.push(...batch.map(tell));
		if (told.includes("event e3")) stop.abort();
	}
	expect(told.at(-1)).toBe("stopped c3");
	await session.close();
	await expect.poll(() => server.connections()).toBe(0);
});

it("holds twenty streams at once, all of them alive", async () => {
	const names = range(0, 20).map((n) => `tick${n}`);
	await using server = await openRawServer((call) => {
		openSse(call);
		send(call, "active", { cursor: "c0", truncated: false });
		// Nobody gets an event before everybody listens.
		if (server.calls.length === names.length)
			for (const each of server.calls) sendEvent(each, 1);
	});
	await using session = await connect(server, names.length);
	const told = await collect(session, { names, count: names.length });
	expect(told.filter((line) => line === "event e1")).toHaveLength(20);
	expect(told.filter((line) => line === "stopped c1")).toHaveLength(20);
});

/** The value once it no longer changes. */
async function comeToRest(read: () => number): Promise<number> {
	let last = read();
	for (;;) {
		await sleep(50);
		const now = read();
		if (now === last) return now;
		last = now;
	}
}

it("slows the server when the consumer is slow", async () => {
	const text = "x".repeat(10_000);
	const total = 5_000;
	let sent = 0;
	await using server = await openRawServer(async (call) => {
		openSse(call);
		send(call, "active", { cursor: "c0", truncated: false });
		for (const n of range(1, total + 1)) {
			sent = n;
			if (!sendEvent(call, n, { text })) await once(call.response, "drain");
		}
	});
	await using session = await connect(server);
	let events = 0;
	for await (const batch of open(session, { count: total })) {
		if (events === 0)
			expect(await comeToRest(() => sent)).toBeLessThan(total / 2);
		events += batch.filter((item) => item.kind === "event").length;
	}
	expect(events).toBe(total);
});

it("polls on through an outage, and waits as long as it is told", async () => {
	await using server = await openRawServer((call) => {
		const { nth, response } = call;
		if (nth === 1) {
			response.writeHead(503, { "retry-after": "0" }).end();
			return;
		}
		const events =
			nth < 2
				? []
				: [
						{
							eventId: "e1",
							name: "tick",
							timestamp: "2026-10-01T00:00:00Z",
							data: {},
						},
					];
		sendResult(call, {
			resultType: "complete",
			events,
			cursor: `c${nth}`,
			truncated: false,
			hasMore: false,
			nextPollMs: 0,
		});
	});
	await using session = await connect(server);
	const told = await collect(session, {
		via: "poll",
		count: 1,
		intervalFloorMs: 20,
	});
	expect(told).toEqual([
		"ready c0",
		"reconnecting in 100",
		"ready again c2",
		"event e1",
		"stopped c2",
	]);
	expect(server.calls.map(({ params }) => params.cursor)).toEqual([
		undefined,
		"c0",
		"c0",
	]);
	expect(server.calls.map(({ params }) => params.maxEvents)).toEqual([1, 1, 1]);
});

it("shows nothing of an answer whose last event is broken", async () => {
	await using server = await openRawServer((call) => {
		const { name } = call.params;
		const whole = { name, timestamp: "2026-10-01T00:00:00Z", data: {} };
		const events = range(1, 1_000).map((n) => ({ eventId: `e${n}`, ...whole }));
		const more = { cursor: "c1", truncated: false, hasMore: false };
		sendResult(call, { ...more, events: [...events, whole], nextPollMs: 1 });
	});
	await using session = await connect(server);
	const told = await collect(session, {
		...{ via: "poll", cursor: "c0", once: true },
	});
	expect(told).toEqual(["stopped c0 wrong-shape"]);
});

it("ends with the server's reason when that ends the subscription", async () => {
	await using server = await openRawServer((call) => {
		serveFrom(call, 1);
		send(call, "terminated", { error: { code: -32024, message: "gone" } });
		call.response.end();
	});
	await using session = await connect(server);
	const told = await collect(session, {});
	expect(told.slice(-2)).toEqual([
		"terminated Forbidden",
		"stopped c1 forbidden",
	]);
});

it("goes on where a server over stdio ended, in a new process", async () => {
	const script = join(import.meta.dirname, "ends-after-two-events.mjs");
	await using session = await connectTo({
		kind: "stdio",
		command: process.execPath,
		args: [script],
		env: {},
	});
	const told = await collect(session, { count: 4 });
	expect(told).toEqual([
		"ready 0",
		"event e1",
		"event e2",
		"reconnecting in 100",
		"ready again 2",
		"event e3",
		"event e4",
		"stopped 4",
	]);
});
