import { afterEach, describe, expect, it } from "vitest";
import { META } from "../../../src/protocol/index.ts";
import {
	askHeard,
	exchangeAll,
	line,
	openChild,
	openCommand,
} from "./open-child.ts";

const open: Awaited<ReturnType<typeof openChild>>[] = [];
const start = async (...given: Parameters<typeof openChild>) => {
	const child = await openChild(...given);
	open.push(child);
	return child;
};
afterEach(async () => {
	await Promise.all(open.splice(0).map(({ transport }) => transport.close()));
});

const teller = (options?: { words?: string[]; maxMessageBytes?: number }) =>
	start("says-what-it-is-told.mjs", options);
const event = (id: unknown, eventId = "e1") =>
	line({
		method: "notifications/events/event",
		params: { eventId, _meta: { [META.subscriptionId]: id } },
	});
const result = (id: unknown) => line({ id, result: {} });
const kinds = (messages: { kind: string }[]) =>
	messages.map(({ kind }) => kind);

describe("what stands on stdout", () => {
	it.each([
		["a notification and the response", [event("a"), result("a")]],
		[
			"CRLF line ends and empty lines",
			["\r\n", event("a").replace("\n", "\r\n"), "\n", result("a")],
		],
		[
			"a batch, as in 2025-03-26",
			[`[${event("a").trim()},${result("a").trim()}]\n`],
		],
		[
			"the oldest dialect's requestId",
			[
				line({
					method: "notifications/events/event",
					params: { eventId: "e", requestId: "a" },
				}),
				result("a"),
			],
		],
		[
			"an event without any id, for the one open stream",
			[
				line({
					method: "notifications/events/event",
					params: { eventId: "e" },
				}),
				result("a"),
			],
		],
		[
			"a line in two pieces",
			[event("a").slice(0, 20), event("a").slice(20), result("a")],
		],
	])("is read: %s", async (_, say) => {
		const child = await teller();
		const messages = await exchangeAll(child, { params: { say } });
		expect(kinds(messages)).toEqual(["notification", "result"]);
	});

	it("reaches the request with that very id: a string and an integer are two", async () => {
		const child = await teller();
		const one = exchangeAll(child, {
			id: 1,
			params: { say: [event("1"), event(1), result(1)] },
		});
		const two = exchangeAll(child, {
			id: "1",
			params: { say: [event(1), event("1"), result("1")] },
		});
		expect(kinds(await one)).toEqual(["notification", "result"]);
		expect(kinds(await two)).toEqual([
			"notification",
			"notification",
			"result",
		]);
	});

	it("may be other text than messages, which a fault quotes", async () => {
		const child = await teller();
		const say = ["Listening on port 3000\n", '{"level":30}\n'];
		// Its start takes as long as the machine is busy.
		await askHeard(child);
		await expect(
			exchangeAll(child, { params: { say } }, { timeoutMs: 1_000 }),
		).rejects.toMatchObject({
			code: "timed-out",
			why: expect.stringMatching(/2 lines .* the last beginning .*level/),
			next: expect.stringContaining("--timeout"),
		});
		expect(child.notes).toContain(
			"the command writes lines on stdout that are no JSON-RPC messages",
		);
	});

	it.each([
		["a result that is no object", line({ id: "a", result: 7 }), "wrong-shape"],
		[
			"an error without a number",
			line({ id: "a", error: { code: "x" } }),
			"wrong-shape",
		],
		["a line over the limit", `"${"x".repeat(2000)}"\n`, "too-large"],
	])("ends the request where it is broken: %s", async (_, text, code) => {
		const child = await teller({ maxMessageBytes: 1000 });
		await expect(
			exchangeAll(child, { params: { say: [text] } }),
		).rejects.toMatchObject({ code });
		expect(
			kinds(
				await exchangeAll(child, { id: "b", params: { say: [result("b")] } }),
			),
		).toEqual(["result"]);
	});

	it("is given to the one request without an answer, where it answers none that was made", async () => {
		const child = await teller();
		const say = [line({ id: null, error: { code: -32700, message: "?" } })];
		expect(kinds(await exchangeAll(child, { params: { say } }))).toEqual([
			"error",
		]);
	});
});

describe("what is written to stdin", () => {
	it("answers the server's ping, and refuses all else", async () => {
		const child = await teller();
		const say = [
			line({ id: "p", method: "ping" }),
			line({ id: 7, method: "roots/list" }),
			result("a"),
		];
		await exchangeAll(child, { params: { say } });
		const heard = await askHeard(child);
		expect(heard).toContainEqual({ jsonrpc: "2.0", id: "p", result: {} });
		expect(heard).toContainEqual(
			expect.objectContaining({
				id: 7,
				error: expect.objectContaining({ code: -32601 }),
			}),
		);
	});

	it("cancels what is left, and drops what comes late for it", async () => {
		const child = await teller();
		const request = {
			id: "s",
			method: "say",
			params: { say: [event("s")] },
			headers: {},
		};
		for await (const _ of child.transport.exchange(request)) break;
		const heard = await askHeard(child);
		expect(heard).toContainEqual({
			jsonrpc: "2.0",
			method: "notifications/cancelled",
			params: { requestId: "s" },
		});
		await exchangeAll(child, {
			id: "b",
			params: { say: [event("s"), result("s"), result("b")] },
		});
		expect(child.notes).toEqual([]);
	});

	it("cancels what is aborted, with the signal's own reason", async () => {
		const child = await teller();
		const stop = new AbortController();
		const reason = new Error("stop");
		const asked = exchangeAll(child, { id: "s" }, { signal: stop.signal });
		await askHeard(child);
		stop.abort(reason);
		await expect(asked).rejects.toBe(reason);
		expect(JSON.stringify(await askHeard(child))).toContain(
			"notifications/cancelled",
		);
	});

	it("never cancels initialize", async () => {
		const child = await teller();
		await expect(
			exchangeAll(child, { method: "initialize" }, { timeoutMs: 50 }),
		).rejects.toMatchObject({ code: "timed-out" });
		expect(JSON.stringify(await askHeard(child))).not.toContain("cancelled");
	});
});

describe("a slow reader", () => {
	it("slows the child, and still gets answers to other requests", async () => {
		const child = await teller();
		const params = { count: 25_000, pad: 400 };
		const stream = child.transport
			.exchange({ id: "f", method: "flood", params, headers: {} })
			[Symbol.asyncIterator]();
		let count = (await stream.next()).value?.length ?? 0;
		const stalled = Number(
			(await child.stderrLine(/stalled/)).split(" ").at(-1),
		);
		expect(stalled).toBeLessThan(20_000);
		expect(await askHeard(child)).toHaveLength(2);
		for (let next = await stream.next(); !next.done; next = await stream.next())
			count += next.value.filter(({ kind }) => kind === "notification").length;
		expect(count).toBe(25_000);
	});
});

describe("a child that ends", () => {
	it.each([
		[
			{ exit: 3, complain: "out of cheese\n" },
			"ended with status 3",
			"out of cheese",
		],
		[
			{ exit: 0, complain: "half a line" },
			"ended with status 0",
			"half a line",
		],
		[
			{ exit: 1, say: ["Usage: server\n"] },
			"ended with status 1",
			"Usage: server",
		],
	])("is told with its last words: %j", async (params, what, why) => {
		const child = await teller();
		const asked = exchangeAll(child, { params });
		await expect(asked).rejects.toMatchObject({
			code: "child-ended",
			what: expect.stringContaining(what),
			why: expect.stringContaining(why),
		});
	});

	it("cannot be asked once it has closed its stdin", async () => {
		const child = await openCommand("sh", [
			"-c",
			"exec 0<&-; echo closed >&2; exec sleep 60",
		]);
		await child.stderrLine(/closed/);
		await expect(exchangeAll(child)).rejects.toMatchObject({
			code: "child-ended",
			what: "the server command closed its stdin and still runs",
		});
		for (const lastAct of child.lastActs) lastAct();
		await child.transport.close();
	});

	it("hands over all that it said before", async () => {
		const child = await teller();
		const say = Array.from({ length: 500 }, (_, at) => event("a", `e${at}`));
		const seen = [];
		const request = {
			id: "a",
			method: "say",
			params: { say, exit: 0 },
			headers: {},
		};
		await expect(async () => {
			for await (const batch of child.transport.exchange(request))
				seen.push(...batch);
		}).rejects.toMatchObject({ code: "child-ended" });
		expect(seen.length).toBeGreaterThan(0);
		await expect(exchangeAll(child, { id: "b" })).rejects.toMatchObject({
			code: "child-ended",
		});
	});
});

it("shows both ways in the log, and the child's stderr line by line", async () => {
	const child = await teller();
	await exchangeAll(child, {
		params: { say: [result("a")], complain: "one\ntwo\nthr" },
	});
	await child.transport.close();
	expect(child.stderr).toEqual(["one", "two", "thr"]);
	expect(
		child.traced.map(({ direction, message }) => [
			direction,
			JSON.parse(String(message)).id,
		]),
	).toEqual([
		["sent", "a"],
		["received", "a"],
	]);
});
