// What a receiver gets, and what becomes of an event that it does not take.
import { generateKeyPairSync, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { createMemoryStore } from "../../../src/reference/webhooks/store.ts";
import { OTHER_SECRET, openRoom, type Posted, SECRET } from "./webhook-room.ts";

/** By the reference implementation, with the receiver's clock at the time of the POST. */
function isSignedBy(secret: string, { text, headers, atMs }: Posted): boolean {
	vi.useFakeTimers({ now: atMs, toFake: ["Date"] });
	try {
		new Webhook(secret).verify(text, headers);
		return true;
	} catch {
		return false;
	} finally {
		vi.useRealTimers();
	}
}

const ids = (posts: readonly Posted[]) =>
	posts.map(({ headers }) => headers["webhook-id"]);

describe("a delivery", () => {
	it("is one event, signed over its bytes, with every header and the position after it", async () => {
		const room = await openRoom();
		const { id } = await room.subscribe();
		room.emit('{"text":"sn\u00f6\\u0000w","big":12345678901234567890}');
		await room.quiet();
		const [post] = room.posts as [Posted];
		expect(post.text).toBe(
			`{"eventId":"e1","name":"order.made","timestamp":"${new Date(room.clock.now()).toISOString()}","data":{"text":"sn\u00f6\\u0000w","big":12345678901234567890},"cursor":"v1.run1.1"}`,
		);
		expect(post.headers).toEqual({
			"content-type": "application/json",
			"webhook-id": expect.stringMatching(/^msg_[0-9a-f]{32}$/),
			"webhook-timestamp": String(Math.floor(room.clock.now() / 1_000)),
			"webhook-signature": expect.stringMatching(/^v1,[\w+/]{43}=$/),
			"x-mcp-subscription-id": id,
		});
		expect(isSignedBy(SECRET, post)).toBe(true);
		expect(isSignedBy(OTHER_SECRET, post)).toBe(false);
	});

	it("is signed by the old secret and the new one for a while after a rotation", async () => {
		const room = await openRoom({ choices: { graceMs: 60_000 } });
		await room.subscribe();
		await room.subscribe({ secret: OTHER_SECRET });
		room.emit();
		await room.quiet();
		await room.advance(60_000);
		room.emit();
		await room.quiet();
		const signers = room.posts.map((post) =>
			[SECRET, OTHER_SECRET].map((one) => isSignedBy(one, post)),
		);
		expect(signers).toEqual([
			[true, true],
			[false, true],
		]);
		const parts = room.posts.map(
			({ headers }) => headers["webhook-signature"]?.split(" ").length,
		);
		expect(parts).toEqual([2, 1]);
	});

	it("carries a signature by the server's own key beside it", async () => {
		const { publicKey, privateKey } = generateKeyPairSync("ed25519");
		const room = await openRoom({ choices: { signingKey: privateKey } });
		await room.subscribe();
		room.emit();
		await room.quiet();
		const [{ headers, text }] = room.posts as [Posted];
		const [v1, v1a = ""] = headers["webhook-signature"]?.split(" ") ?? [];
		expect(v1).toMatch(/^v1,/);
		const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${text}`;
		const bytes = Buffer.from(v1a.slice("v1a,".length), "base64");
		expect(verify(null, Buffer.from(signed), publicKey, bytes)).toBe(true);
	});

	it("has the eventId for its webhook-id where the profile says so, and a safe one where it cannot", async () => {
		const room = await openRoom({ choices: { messageIds: "event" } });
		await room.subscribe();
		room.emit();
		for (const eventId of [
			"a b",
			"a\r\nx-injected: 1",
			"\u2603",
			"",
			"x".repeat(300),
		])
			room.feed.emit(
				() => ({ eventId, name: "order.made", at: 0, dataText: "{}" }),
				undefined,
			);
		room.answer = ({ body }) => (body.eventId === "a b" ? 503 : 204);
		await room.quiet();
		await room.advance(5_000);
		const [first, ...others] = ids(room.posts);
		expect(first).toBe("e1");
		expect(others.every((id) => /^evt_[\w-]{43}$/.test(id ?? ""))).toBe(true);
		// Five ids, and one of them twice: the retry has the id of the first attempt.
		expect(others).toHaveLength(6);
		expect(new Set(others).size).toBe(5);
	});

	it("goes out for several events at once, but not for all", async () => {
		const room = await openRoom({ choices: { maxSendingPerSubscription: 2 } });
		let now = 0;
		let most = 0;
		room.answer = async () => {
			most = Math.max(most, ++now);
			await new Promise(setImmediate);
			now--;
			return 204;
		};
		await room.subscribe();
		for (let n = 0; n < 20; n++) room.emit();
		await room.quiet();
		expect(most).toBe(2);
		expect(new Set(room.told()).size).toBe(20);
	});

	it("has no cursor for a type without replay, which knows no gap either", async () => {
		const room = await openRoom({ type: { hasReplay: false } });
		const { id, cursor } = await room.subscribe();
		room.emit();
		expect(await room.webhooks.sendGap(id)).toBeNull();
		await room.quiet();
		expect([cursor, room.posts.map(({ body }) => body.cursor)]).toEqual([
			null,
			[null],
		]);
	});
});

describe("an event that is not taken", () => {
	it("is tried again with the same id, a new time and a new signature, at growing distances", async () => {
		const room = await openRoom();
		await room.subscribe();
		room.answer = () => 503;
		room.emit();
		await room.quiet();
		const start = room.clock.now();
		await room.advance(3_600_000);
		const events = room.posts.filter(({ body }) => body.eventId);
		expect(events.map(({ atMs }) => atMs - start)).toEqual([
			0, 5_000, 35_000, 155_000, 455_000,
		]);
		expect(new Set(ids(events)).size).toBe(1);
		expect(
			new Set(events.map(({ headers }) => headers["webhook-timestamp"])).size,
		).toBe(5);
		expect(
			new Set(events.map(({ headers }) => headers["webhook-signature"])).size,
		).toBe(5);
		expect(events.every((post) => isSignedBy(SECRET, post))).toBe(true);
	});

	it.each([
		["a redirect", 302],
		["a client error", 401],
		["not yet", 425],
		["no answer", { kind: "failed", reason: "timeout" } as const],
	])("is tried again after %s", async (_, answer) => {
		const room = await openRoom();
		await room.subscribe();
		room.answer = () => (room.posts.length < 3 ? answer : 204);
		room.emit();
		await room.quiet();
		await room.advance(3_600_000);
		expect(room.told()).toEqual(["e1", "e1", "e1"]);
	});

	it.each([410, 413])(
		"is not tried again after %i, and the next one is sent",
		async (status) => {
			const room = await openRoom();
			await room.subscribe();
			room.answer = () => status;
			room.emit();
			await room.quiet();
			await room.advance(3_600_000 - 1);
			expect(room.told()).toEqual(["e1"]);
			const { cursor, deliveryStatus } = await room.subscribe();
			expect(cursor).toBe("v1.run1.1");
			expect(deliveryStatus).toMatchObject({
				active: true,
				lastError: "http_4xx",
			});
			room.emit();
			await room.quiet();
			expect(room.told()).toEqual(["e1", "e2"]);
		},
	);

	it("waits longer by chance, and never shorter", async () => {
		const room = await openRoom({
			choices: { random: () => 0.999, retryDelaysMs: [1_100] },
		});
		await room.subscribe();
		room.answer = () => 503;
		room.emit();
		await room.quiet();
		await room.advance(1_319);
		expect(room.told()).toEqual(["e1"]);
		await room.advance(1);
		expect(room.told().slice(0, 2)).toEqual(["e1", "e1"]);
	});

	it("is told as a gap once it is given up and the receiver takes things again", async () => {
		const room = await openRoom({ choices: { retryDelaysMs: [1_000] } });
		await room.subscribe();
		room.answer = () => 500;
		room.emit();
		await room.quiet();
		await room.advance(10_000);
		room.answer = () => 204;
		room.posts.length = 0;
		room.emit();
		await room.quiet();
		expect(room.told()).toEqual(["e2", "gap"]);
		expect(room.posts[1]?.body).toEqual({ type: "gap", cursor: "v1.run1.2" });
		await expect(room.subscribe()).resolves.toMatchObject({ truncated: false });
	});

	it("is told by the refresh where that comes first, or where no envelopes are sent", async () => {
		const room = await openRoom({
			choices: { retryDelaysMs: [], sendsEnvelopes: false },
		});
		await room.subscribe();
		room.answer = () => 500;
		room.emit();
		await room.quiet();
		await expect(room.subscribe()).resolves.toMatchObject({
			truncated: true,
			cursor: "v1.run1.1",
		});
		room.answer = () => 204;
		room.emit();
		await room.quiet();
		expect(room.told()).toEqual(["e1", "e2"]);
		await expect(room.subscribe()).resolves.toMatchObject({ truncated: false });
	});

	it("is still to be told after a refresh that could not be kept", async () => {
		const store = createMemoryStore();
		const room = await openRoom({ choices: { retryDelaysMs: [], store } });
		await room.subscribe();
		room.answer = () => 503;
		room.emit();
		await room.quiet();
		const keep = vi.spyOn(store, "keep").mockRejectedValue(new Error("full"));
		await expect(room.subscribe()).rejects.toMatchObject({
			error: "InternalError",
		});
		keep.mockRestore();
		expect(await room.subscribe()).toMatchObject({ truncated: true });
	});

	it("is never sent where it is larger than receivers need take", async () => {
		const room = await openRoom();
		await room.subscribe();
		const around = 128;
		room.emit(
			JSON.stringify({ text: "\u00e9".repeat((256 * 1024) / 2 - around) }),
		);
		await room.quiet();
		room.emit(JSON.stringify({ text: "\u00e9".repeat((256 * 1024) / 2) }));
		await room.quiet();
		expect(room.told()).toEqual(["e1", "gap"]);
		expect(Buffer.byteLength(room.posts[0]?.text ?? "")).toBeLessThanOrEqual(
			256 * 1024,
		);
		expect(room.posts[1]?.body.cursor).toBe("v1.run1.2");
	});

	it("is sent to the receiver that comes back, from a backlog that did not sit in memory", async () => {
		const room = await openRoom({
			choices: { retryDelaysMs: [1_000, 1_000, 1_000, 1_000] },
		});
		await room.subscribe();
		room.answer = () => ({ kind: "failed", reason: "connection_refused" });
		for (let n = 0; n < 500; n++) room.emit();
		await room.quiet();
		expect(room.webhooks.activity.unsettled).toBe(64);
		room.answer = () => 200;
		await room.advance(10_000);
		expect(new Set(room.told()).size).toBe(500);
		expect(room.webhooks.activity).toMatchObject({
			unsettled: 0,
			sending: 0,
			queued: 0,
		});
		await expect(room.subscribe()).resolves.toMatchObject({
			cursor: "v1.run1.500",
		});
	});
});
