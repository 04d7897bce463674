// events/subscribe and events/unsubscribe as a client meets them.
import { describe, expect, it } from "vitest";
import { Refusal } from "../../../src/reference/refusal.ts";
import { OTHER_SECRET, openRoom, SECRET, URL_1 } from "./webhook-room.ts";

const base64 = (bytes: number) => Buffer.alloc(bytes, 0xfb).toString("base64");

describe("a subscription", () => {
	it("is answered with an id, its end, where it begins, and nothing about deliveries", async () => {
		const room = await openRoom();
		room.emit();
		const result = await room.subscribe();
		expect(result).toEqual({
			id: expect.stringMatching(/^sub_[\w-]{43}$/),
			refreshBefore: new Date(room.clock.now() + 3_600_000).toISOString(),
			cursor: "v1.run1.1",
			truncated: false,
		});
	});

	it("begins now without a cursor, and after its cursor with one", async () => {
		const room = await openRoom();
		for (let n = 0; n < 3; n++) room.emit();
		await room.subscribe({ cursor: null });
		await room.subscribe({ cursor: "v1.run1.1", url: "https://two.example/" });
		await room.quiet();
		expect(room.told()).toEqual(["e2", "e3"]);
		expect(room.posts.every(({ url }) => url === "https://two.example/")).toBe(
			true,
		);
	});

	it("tells that events were skipped, by maxAgeMs or because they are gone", async () => {
		const room = await openRoom();
		room.emit();
		await room.clock.advance(10_000);
		room.emit();
		const aged = await room.subscribe({ cursor: "v1.run1.0", maxAgeMs: 5_000 });
		expect(aged).toMatchObject({ truncated: true, cursor: "v1.run1.1" });
		const lost = await room.subscribe({
			cursor: "v1.old.7",
			url: "https://two.example/",
		});
		expect(lost).toMatchObject({ truncated: true, cursor: "v1.run1.0" });
		await room.quiet();
		expect(room.told()).toEqual(["e2", "e1", "e2"]);
	});

	it("is one for one key: the same again is a refresh that moves nothing", async () => {
		const room = await openRoom();
		room.emit();
		const first = await room.subscribe({ arguments: { a: 1, b: 2 } });
		const second = await room.subscribe({
			arguments: { b: 2, a: 1 },
			cursor: "no cursor at all",
			ttlMs: 120_000,
		});
		expect(second).toEqual({
			...first,
			refreshBefore: new Date(room.clock.now() + 120_000).toISOString(),
			deliveryStatus: { active: true, lastDeliveryAt: null, lastError: null },
		});
		room.emit();
		await room.quiet();
		expect(room.told()).toEqual(["e2"]);
	});

	it("of another principal is another one, with a consent of its own", async () => {
		const room = await openRoom();
		const ann = await room.subscribe();
		const bob = await room.subscribe({}, "bob");
		await room.subscribe({ arguments: { more: 1 } });
		expect(bob.id).not.toBe(ann.id);
		expect(room.handshakes).toEqual([`ann ${URL_1}`, `bob ${URL_1}`]);
		await room.webhooks.unsubscribe(
			{ name: "order.made", delivery: { url: URL_1 } },
			{ principal: "ann" },
		);
		expect(room.webhooks.stateOf(ann.id)).toBe("absent");
		expect(room.webhooks.isSubscribed("bob", "order.made", URL_1)).toBe(true);
	});

	it("has an end without a store, also where none is asked for", async () => {
		const room = await openRoom();
		const { refreshBefore } = await room.subscribe({ ttlMs: null });
		expect(refreshBefore).toBe(
			new Date(room.clock.now() + 3_600_000).toISOString(),
		);
	});

	it.each([
		["nothing", undefined],
		["no end", null],
		["a long time", 1e9],
	])(
		"for %s has no more than the ceiling, without a store too",
		async (_, ttlMs) => {
			for (const mostTtlMs of [600_000, 30_000]) {
				const room = await openRoom({ choices: { mostTtlMs } });
				const { refreshBefore } = await room.subscribe({ ttlMs });
				expect(Date.parse(refreshBefore ?? "") - room.clock.now()).toBe(
					mostTtlMs,
				);
			}
		},
	);
});

describe("a subscription is refused", () => {
	it.each([
		["no secret", { secret: null }],
		["a secret without its prefix", { secret: base64(32) }],
		["a secret of 8 bytes", { secret: `whsec_${base64(8)}` }],
		["a secret of 23 bytes", { secret: `whsec_${base64(23)}` }],
		["a secret of 65 bytes", { secret: `whsec_${base64(65)}` }],
		[
			"a secret in base64url",
			{
				secret: `whsec_${base64(24).replaceAll("+", "-").replaceAll("/", "_")}`,
			},
		],
		[
			"a secret without padding",
			{ secret: `whsec_${base64(32).replace("=", "")}` },
		],
		["a secret with white space", { secret: `${SECRET} ` }],
		["no delivery", { delivery: null }],
		["a URL that is no text", { url: 7 }],
		["an endless URL", { url: `https://one.example/${"a".repeat(3_000)}` }],
	])("for %s", async (_, wish) => {
		const room = await openRoom();
		await expect(room.subscribe(wish)).rejects.toMatchObject({
			error: "InvalidParams",
		});
		expect(room.handshakes).toEqual([]);
	});

	it.each([
		[24, true],
		[64, true],
	])("not for a secret of %i bytes", async (bytes, isTaken) => {
		const room = await openRoom();
		const result = await room.subscribe({ secret: `whsec_${base64(bytes)}` });
		expect(room.webhooks.stateOf(result.id) === "active").toBe(isTaken);
	});

	it("to somebody without a name, as is an unsubscribe", async () => {
		const { webhooks } = await openRoom();
		const nobody = { principal: undefined };
		await expect(webhooks.subscribe({}, nobody)).rejects.toMatchObject({
			error: "Forbidden",
		});
		await expect(webhooks.unsubscribe({}, nobody)).rejects.toMatchObject({
			error: "Forbidden",
		});
	});

	it("for another mode than webhook", async () => {
		const { webhooks } = await openRoom();
		const delivery = { mode: "push", url: URL_1, secret: SECRET };
		const params = { name: "order.made", arguments: {}, delivery };
		await expect(
			webhooks.subscribe(params, { principal: "ann" }),
		).rejects.toMatchObject({
			error: "Unsupported",
			data: { feature: "deliveryMode", value: "push" },
		});
	});

	it.each([
		["all may have two", { maxSubscriptions: 2 }, "bob"],
		["one may have two", { maxSubscriptionsPerPrincipal: 2 }, "ann"],
		["the type takes two", { quotaOf: () => 2 }, "bob"],
	])("when there are too many: %s", async (_, choices, third) => {
		const room = await openRoom({ choices });
		await Promise.all([
			room.subscribe(),
			room.subscribe({ url: "https://two.example/" }),
		]);
		const before = room.handshakes.length;
		await expect(
			room.subscribe({ url: "https://three.example/" }, third),
		).rejects.toMatchObject({
			error: "ResourceExhausted",
			data: { limit: "subscriptions", max: 2 },
		});
		expect(room.handshakes).toHaveLength(before);
		await expect(room.subscribe()).resolves.toHaveProperty("deliveryStatus");
	});

	it("while the callback refuses, and leaves its place free", async () => {
		const room = await openRoom({ choices: { maxSubscriptions: 1 } });
		const { verify } = room.callbacks;
		room.callbacks.verify = async () => {
			throw new Refusal("CallbackEndpointError", "no", {
				data: { reason: "challenge_failed" },
			});
		};
		await expect(room.subscribe()).rejects.toMatchObject({
			error: "CallbackEndpointError",
		});
		room.callbacks.verify = verify;
		room.emit();
		await expect(room.subscribe()).resolves.toHaveProperty("id");
		expect(room.posts).toEqual([]);
	});
});

describe("unsubscribing", () => {
	const params = {
		name: "order.made",
		arguments: {},
		delivery: { url: URL_1 },
	};
	const ann = { principal: "ann" };

	it("stops deliveries at once, also what is under way and what waits to be tried again", async () => {
		const room = await openRoom();
		await room.subscribe();
		room.answer = () => 503;
		room.emit();
		await room.quiet();
		await expect(room.webhooks.unsubscribe(params, ann)).resolves.toEqual({});
		await room.advance(3_600_000);
		expect(room.posts).toHaveLength(1);
		expect(room.webhooks.activity).toMatchObject({
			subscriptions: 0,
			sending: 0,
		});
	});

	it("from nothing is answered by NotFound, and the id is no way in", async () => {
		const { webhooks, subscribe } = await openRoom();
		const { id } = await subscribe({ url: "https://two.example/" });
		await expect(
			webhooks.unsubscribe({ ...params, id }, ann),
		).rejects.toMatchObject({
			error: "NotFound",
			data: { kind: "subscription" },
		});
		expect(webhooks.stateOf(id)).toBe("active");
	});

	it("from nothing is done already where the profile says so", async () => {
		const choices = { unknownUnsubscribe: "empty" as const };
		const { webhooks } = await openRoom({ choices });
		await expect(webhooks.unsubscribe(params, ann)).resolves.toEqual({});
	});

	it("waits for a subscribe of the same key that is still being answered", async () => {
		const room = await openRoom();
		const made = room.subscribe({ secret: OTHER_SECRET });
		await new Promise(setImmediate);
		const gone = room.webhooks.unsubscribe(params, ann);
		const { id } = await made;
		await gone;
		expect(room.webhooks.stateOf(id)).toBe("absent");
	});
});
