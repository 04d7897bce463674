// How a subscription ends or rests, and what its receiver hears of it.
import { describe, expect, it } from "vitest";
import { Refusal } from "../../../src/reference/refusal.ts";
import { openStorePath } from "./store-folder.ts";
import { OTHER_SECRET, openRoom, URL_1 } from "./webhook-room.ts";

const HOUR = 3_600_000;
const gone = () =>
	new Refusal("NotFound", "it is gone", { data: { kind: "event" } });
const timeout = { kind: "failed", reason: "timeout" } as const;

describe("a subscription that is not refreshed", () => {
	it("ends at its time without a word, and one that was is there", async () => {
		const room = await openRoom();
		const { id } = await room.subscribe({ ttlMs: 600_000 });
		await room.subscribe({ ttlMs: 600_000, url: "https://two.example/" });
		await room.advance(599_999);
		await room.subscribe({ url: "https://two.example/" });
		expect(room.webhooks.stateOf(id)).toBe("active");
		await room.advance(1);
		expect(room.webhooks.stateOf(id)).toBe("absent");
		room.emit();
		await room.quiet();
		expect(room.posts.map(({ url }) => url)).toEqual(["https://two.example/"]);
	});

	it("begins anew from the cursor that comes with the next subscribe", async () => {
		const room = await openRoom();
		await room.subscribe({ ttlMs: 60_000 });
		room.emit();
		await room.quiet();
		await room.advance(60_000);
		room.emit();
		const again = await room.subscribe({ cursor: "v1.run1.1" });
		expect(again).not.toHaveProperty("deliveryStatus");
		await room.quiet();
		expect(room.told()).toEqual(["e1", "e2"]);
	});

	it("is made anew in the very moment of its end, and stays", async () => {
		const storePath = openStorePath();
		const room = await openRoom({ storePath });
		await room.subscribe({ ttlMs: 60_000 });
		// The clock has moved on, and the timer has not rung yet.
		const { now } = room.clock;
		room.clock.now = () => now() + 60_000;
		const again = room.subscribe({ ttlMs: 600_000 });
		await Promise.all([again, room.clock.advance(60_000)]);
		expect(await again).not.toHaveProperty("deliveryStatus");
		await room.webhooks.restart();
		expect(room.webhooks.stateOf((await again).id)).toBe("active");
	});

	it("can be given less time than it has, or more", async () => {
		const room = await openRoom();
		await room.subscribe();
		const { refreshBefore } = await room.subscribe({ ttlMs: 60_000 });
		expect(refreshBefore).toBe(
			new Date(room.clock.now() + 60_000).toISOString(),
		);
		await room.advance(60_000);
		expect(room.webhooks.activity.subscriptions).toBe(0);
	});
});

describe("a subscription that is ended", () => {
	it("says why, signed and tried like a delivery, and a second subscribe is a new one", async () => {
		const room = await openRoom();
		const { id } = await room.subscribe();
		room.answer = () => (room.posts.length < 2 ? 503 : 204);
		await room.webhooks.terminate(id, gone());
		await room.advance(10_000);
		expect(room.told()).toEqual(["terminated", "terminated"]);
		const [first, second] = room.posts;
		expect(first?.headers["webhook-id"]).toMatch(
			/^msg_terminated_[0-9a-f]{32}$/,
		);
		expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
		expect(second?.headers["x-mcp-subscription-id"]).toBe(id);
		expect(first?.body).toEqual({
			type: "terminated",
			error: { code: -32_023, message: "it is gone", data: { kind: "event" } },
		});
		expect(room.webhooks.activity.farewells).toBe(0);
		await expect(room.subscribe()).resolves.not.toHaveProperty(
			"deliveryStatus",
		);
	});

	it("is not told of its end once somebody has subscribed anew", async () => {
		const room = await openRoom();
		const { id } = await room.subscribe();
		room.answer = () => 503;
		await room.webhooks.terminate(id, gone());
		await room.quiet();
		await room.subscribe();
		await room.advance(600_000);
		expect(room.told()).toEqual(["terminated"]);
		expect(room.webhooks.stateOf(id)).toBe("active");
	});

	it("goes with its event type", async () => {
		const room = await openRoom();
		await room.subscribe();
		await room.subscribe({ url: "https://two.example/" });
		await room.webhooks.endType("order.other", gone());
		expect(room.webhooks.activity.subscriptions).toBe(2);
		await room.webhooks.endType("order.made", gone());
		await room.quiet();
		expect(room.told()).toEqual(["terminated", "terminated"]);
		expect(room.webhooks.activity.subscriptions).toBe(0);
	});

	it("lost its access: within a minute, or as soon as somebody asks", async () => {
		const denied = new Set<string>();
		const room = await openRoom({
			choices: { mayHave: (principal) => !denied.has(principal) },
		});
		await room.subscribe();
		await room.subscribe({}, "bob");
		await room.subscribe({}, "eve");
		denied.add("bob");
		await room.advance(60_000);
		expect(room.webhooks.isSubscribed("bob", "order.made", URL_1)).toBe(false);
		denied.add("eve");
		await room.webhooks.checkAccess();
		await room.quiet();
		expect(room.posts.map(({ body }) => body.error.code)).toEqual([
			-32_024, -32_024,
		]);
		expect(room.webhooks.activity.subscriptions).toBe(1);
	});

	it("says nothing where envelopes are not sent", async () => {
		const room = await openRoom({ choices: { sendsEnvelopes: false } });
		const { id } = await room.subscribe();
		await room.webhooks.terminate(id, gone());
		await room.quiet();
		expect(room.posts).toEqual([]);
	});
});

describe("the levers", () => {
	it("send a gap with the cursor that is told", async () => {
		const room = await openRoom();
		const { id } = await room.subscribe();
		room.emit();
		await room.quiet();
		expect(await room.webhooks.sendGap(id)).toBe("v1.run1.1");
		await room.quiet();
		expect(room.posts[1]?.body).toEqual({ type: "gap", cursor: "v1.run1.1" });
		expect(room.posts[1]?.headers["webhook-id"]).toMatch(
			/^msg_gap_[0-9a-f]{32}$/,
		);
	});

	it("subscribe for somebody else as that one would", async () => {
		const room = await openRoom();
		const mine = await room.subscribe();
		const id = await room.webhooks.subscribeAs("bob", "order.made", URL_1);
		expect(id).not.toBe(mine.id);
		expect(id).toBe((await room.subscribe({ secret: OTHER_SECRET }, "bob")).id);
		expect(room.webhooks.isSubscribed("bob", "order.made", URL_1)).toBe(true);
	});

	it("know no subscription that is not there", async () => {
		const { webhooks } = await openRoom();
		expect(webhooks.stateOf("sub_1")).toBe("absent");
		await expect(webhooks.sendGap("sub_1")).rejects.toMatchObject({
			error: "NotFound",
		});
		await expect(webhooks.terminate("sub_1", gone())).rejects.toMatchObject({
			error: "NotFound",
		});
	});
});

describe("an endpoint that fails all the time", () => {
	const choices = {
		suspendAfterMs: 9_000,
		suspendAfterAttempts: 4,
		retryDelaysMs: [3_000, 3_000, 3_000, 3_000],
	};

	it("is left alone until a refresh, which tells how it went and has the rest sent", async () => {
		const room = await openRoom({ choices });
		const { id } = await room.subscribe();
		room.answer = () => timeout;
		room.emit();
		await room.quiet();
		const since = room.clock.now();
		await room.advance(12_000);
		expect(room.webhooks.stateOf(id)).toBe("suspended");
		const attempts = room.posts.length;
		room.emit();
		await room.advance(100_000);
		expect(room.posts).toHaveLength(attempts);
		room.answer = () => 204;
		const { deliveryStatus } = await room.subscribe();
		expect(deliveryStatus).toEqual({
			active: false,
			lastDeliveryAt: null,
			lastError: "timeout",
			failedSince: new Date(since).toISOString(),
		});
		expect(room.webhooks.stateOf(id)).toBe("active");
		await room.quiet();
		expect(room.told().slice(attempts)).toEqual(["e1", "e2"]);
		const after = (await room.subscribe()).deliveryStatus;
		expect(after).toEqual({
			active: true,
			lastDeliveryAt: new Date(room.clock.now()).toISOString(),
			lastError: null,
		});
	});

	it.each([410, 413])(
		"does not count as one where it refuses events by %i",
		async (status) => {
			const room = await openRoom({ choices });
			const { id } = await room.subscribe();
			room.answer = () => status;
			for (let n = 0; n < 20; n++) {
				room.emit();
				await room.advance(1_000);
			}
			expect(room.posts).toHaveLength(20);
			expect(room.webhooks.stateOf(id)).toBe("active");
		},
	);

	it("is tried again at once with a new secret, for it may have been the old one", async () => {
		const room = await openRoom();
		await room.subscribe();
		room.answer = () => 401;
		room.emit();
		await room.quiet();
		room.answer = () => 204;
		await room.subscribe();
		await room.quiet();
		expect(room.told()).toEqual(["e1"]);
		await room.subscribe({ secret: OTHER_SECRET });
		await room.quiet();
		expect(room.told()).toEqual(["e1", "e1"]);
	});

	it("takes one place, while one that works has four", async () => {
		const room = await openRoom({ choices: { maxSending: 5 } });
		await room.subscribe({ url: "https://bad.example/" });
		await room.subscribe({ url: "https://good.example/" });
		room.answer = ({ url }) => (url.includes("bad") ? timeout : 204);
		room.emit();
		await room.quiet();
		room.answer = ({ url }) =>
			url.includes("bad") ? new Promise(() => {}) : 204;
		for (let n = 0; n < 100; n++) room.emit();
		while (room.posts.filter(({ url }) => url.includes("good")).length < 101)
			await new Promise(setImmediate);
		expect(room.webhooks.activity).toMatchObject({ sending: 1, queued: 0 });
		expect(room.webhooks.activity.subscriptions).toBe(2);
		await room.webhooks.close();
		expect(room.webhooks.activity.subscriptions).toBe(0);
	});

	it("ends an endless subscription in the end, with one last try, and no other", async () => {
		const more = { dropAfterMs: 24 * HOUR, retryDelaysMs: [1_000] };
		const room = await openRoom({ choices: more, storePath: openStorePath() });
		const { id, refreshBefore } = await room.subscribe({ ttlMs: null });
		const mortal = await room.subscribe({
			ttlMs: 30 * 24 * HOUR,
			url: "https://two.example/",
		});
		expect(refreshBefore).toBeNull();
		room.answer = () => 500;
		room.emit();
		await room.quiet();
		await room.advance(23 * HOUR);
		expect(room.webhooks.stateOf(id)).toBe("active");
		room.posts.length = 0;
		await room.advance(HOUR);
		expect(room.webhooks.stateOf(id)).toBe("absent");
		expect(room.webhooks.stateOf(mortal.id)).toBe("active");
		expect(room.posts.map(({ body }) => body.error?.data)).toEqual([
			{ reason: "http_5xx" },
		]);
	});
});

describe("closing", () => {
	it("leaves no timer and breaks off what is under way", async () => {
		const room = await openRoom();
		const before = room.clock.timers;
		const { id } = await room.subscribe();
		await room.subscribe({ url: "https://two.example/" });
		room.answer = ({ url }) => (url === URL_1 ? 503 : new Promise(() => {}));
		room.emit();
		await room.clock.advance(1_000);
		await room.webhooks.terminate(id, gone());
		await room.clock.advance(1_000);
		expect(room.clock.timers).toBeGreaterThanOrEqual(before);
		await room.webhooks.close();
		expect(room.clock.timers).toBe(0);
		expect(room.webhooks.activity).toMatchObject({
			subscriptions: 0,
			unsettled: 0,
			farewells: 0,
		});
	});

	it("refuses who is in the middle of subscribing", async () => {
		const room = await openRoom();
		let agree = () => {};
		room.callbacks.verify = () =>
			new Promise((resolve) => {
				agree = resolve;
			});
		const made = room.subscribe();
		await room.quiet();
		await room.webhooks.close();
		agree();
		await expect(made).rejects.toMatchObject({ error: "InternalError" });
		expect(room.clock.timers).toBe(0);
	});
});
