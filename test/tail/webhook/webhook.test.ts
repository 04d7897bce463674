import { describe, expect, it } from "vitest";
import { fault } from "../run-tail.ts";
import {
	calls,
	contentOf,
	deliveryOf,
	envelope,
	gone,
	grant,
	runWebhook,
	secret,
} from "../run-webhook.ts";

const HOUR = 3_600_000;
const listed = (delivery: string[]) => ({
	events: [{ name: "tick", description: "", delivery }],
});

describe("a webhook subscription", () => {
	it("is made with our secret, yields its events in order, and is ended with the tail", async () => {
		const run = await runWebhook([grant(HOUR), gone], {
			arrivals: [
				[10, contentOf("e1", "c1")],
				[20, contentOf("e2", "c2")],
			],
			stopAtMs: 30,
		});
		expect(run.told).toEqual([
			"ready c0",
			"event e1",
			"event e2",
			"stopped c2",
		]);
		expect(calls(run)).toEqual(["0 subscribe", "30 unsubscribe"]);
		expect(run.session.asked[0]?.params).toMatchObject({
			delivery: {
				url: "https://hook.test/hooks/x",
				secret: secret(1).secret.reveal(),
			},
		});
		expect(run.isReceiverClosed).toBe(true);
		expect(run.registration.subscriptionId).toBe("sub_1");
	});

	it("remembers what was shown at once, and the last cursor always", async () => {
		const run = await runWebhook([grant(HOUR), gone], {
			arrivals: [
				[10, contentOf("e1", "c1")],
				[20, contentOf("e2", "c2")],
			],
			stopAtMs: 30,
		});
		expect(run.memory.filter((text) => text.startsWith("shown"))).toEqual([
			"shown cap_0",
			"shown cap_1",
		]);
		expect(run.memory.at(-1)).toBe("cursor c2");
		expect(run.memory.indexOf("url https://hook.test/hooks/x")).toBe(0);
		expect(run.memory).toContain("end");
	});

	it("does not show twice what comes twice, or what an earlier run took", async () => {
		const run = await runWebhook([grant(HOUR), gone], {
			arrivals: [
				[10, contentOf("old")],
				[20, contentOf("e1")],
				[30, contentOf("e1")],
			],
			subscription: { known: ["event old"] },
			stopAtMs: 40,
		});
		expect(run.told).toEqual(["ready c0", "event e1", "stopped c0"]);
	});

	it("ends at the count, and takes no more deliveries from then on", async () => {
		const refused: unknown[] = [];
		const run = await runWebhook([grant(HOUR), gone], {
			count: 1,
			onTail: (tail, clock) =>
				clock.at(10, () => {
					for (const id of ["e1", "e2"]) {
						const delivery = deliveryOf(contentOf(id, `c-${id}`), id);
						try {
							tail.intake.requireRoom(delivery);
							tail.intake.kept(delivery, `cap_${id}`);
						} catch (error) {
							refused.push(error);
						}
					}
				}),
		});
		expect(run.told).toEqual(["ready c0", "event e1", "stopped c-e1"]);
		expect(refused).toEqual([
			expect.objectContaining({ code: "rate-limited" }),
		]);
	});

	it("shows first what an earlier run took and perhaps did not show", async () => {
		const item = {
			subscription: "tick",
			via: "webhook" as const,
			receivedAt: 0,
			kind: "event" as const,
			occurrence: occurrenceOf("late"),
			capture: "cap_late",
		};
		const run = await runWebhook([grant(HOUR), gone], {
			subscription: {
				backlog: [{ item, capture: "cap_late" }],
				known: ["event late"],
				cursor: "c7",
			},
			arrivals: [[10, contentOf("late")]],
			stopAtMs: 20,
		});
		expect(run.told).toEqual(["event late", "ready c0", "stopped c0"]);
		expect(run.memory).toContain("shown cap_late");
		expect(calls(run)[0]).toBe("0 subscribe c7");
	});

	it("stays where it is asked to, and says how to end it", async () => {
		const run = await runWebhook([grant(HOUR)], { keep: true, stopAtMs: 10 });
		expect(calls(run)).toEqual(["0 subscribe"]);
		expect(run.warnings).toEqual([
			expect.stringMatching(/mcp-events subscriptions prune http\S+$/),
		]);
	});

	it("tries for a while to unsubscribe, then says what is left", async () => {
		const busy = () => fault("server-failing");
		const run = await runWebhook(
			[grant(HOUR), ...Array.from({ length: 50 }, busy)],
			{ stopAtMs: 10 },
		);
		expect(run.clock.now()).toBeLessThanOrEqual(10 + 5_000);
		expect(run.warnings).toEqual([
			expect.stringContaining("could not be unsubscribed"),
		]);
		expect(run.memory).not.toContain("end");
	});
});

const occurrenceOf = (id: string) => {
	const content = contentOf(id);
	if (content.kind !== "event") throw new Error("no event");
	return content.occurrence;
};

describe("a refresh", () => {
	it("comes well before the grant ends, with the last cursor, and is no news", async () => {
		const run = await runWebhook(
			[grant(HOUR), grant(2 * HOUR, { cursor: "c5" }), gone],
			{ arrivals: [[10, contentOf("e1", "c1")]], stopAtMs: HOUR },
		);
		expect(calls(run)).toEqual([
			"0 subscribe",
			`${HOUR * 0.625} subscribe c1`,
			`${HOUR} unsubscribe`,
		]);
		expect(run.told).toEqual(["ready c0", "event e1", "stopped c5"]);
	});

	it("follows a grant that gets shorter", async () => {
		const at = HOUR * 0.625;
		const run = await runWebhook(
			[grant(HOUR), grant(at + 8_000), grant(HOUR * 2), gone],
			{ stopAtMs: HOUR },
		);
		expect(calls(run)).toEqual([
			"0 subscribe",
			`${at} subscribe c0`,
			`${at + 5_000} subscribe c0`,
			`${HOUR} unsubscribe`,
		]);
	});

	it("is tried again after what passes, and tells that it flows again", async () => {
		const run = await runWebhook(
			[grant(HOUR), fault("server-failing"), grant(HOUR * 3), gone],
			{ stopAtMs: HOUR },
		);
		expect(run.told).toEqual([
			"ready c0",
			"reconnecting in 500",
			"ready again c0",
			"stopped c0",
		]);
	});

	it.each(["unauthorized", "forbidden"] as const)(
		"ends the subscription where we are shut out: %s",
		async (code) => {
			const run = await runWebhook([grant(HOUR), fault(code), gone]);
			expect(run.told).toEqual(["ready c0", `stopped c0 ${code}`]);
		},
	);

	it.each([
		[null, "no expiry"],
		[-1, "an expiry that is over"],
	])("is not asked for in a tight loop: %s, %s", async (untilMs, _what) => {
		const run = await runWebhook(
			[grant(untilMs), grant(untilMs), grant(untilMs), grant(untilMs), gone],
			{ stopAtMs: 60_500 },
		);
		expect(run.session.asked.length).toBeLessThan(5);
	});

	it("tells of events that the server skipped, and of deliveries that fail", async () => {
		const deliveryStatus = {
			active: false,
			lastError: "timeout",
			failedSince: new Date(5).toISOString(),
		};
		const trouble = { truncated: true, cursor: "c9", deliveryStatus };
		const run = await runWebhook(
			[grant(HOUR), grant(2 * HOUR, trouble), grant(4 * HOUR, trouble), gone],
			{ stopAtMs: 2 * HOUR },
		);
		expect(run.told).toEqual([
			"ready c0",
			"gap truncated c9",
			"error CallbackEndpointError",
			"gap truncated c9",
			"stopped c9",
		]);
	});
});

describe("a secret that is rotated", () => {
	it("is registered before the server is told, beside the one before, until the grace time is over", async () => {
		const run = await runWebhook(
			[grant(HOUR), grant(2 * HOUR), grant(3 * HOUR), gone],
			{ rotateEveryMs: 60_000, graceMs: 10_000, stopAtMs: 90_000 },
		);
		expect(run.memory.filter((text) => text.startsWith("secrets"))).toEqual([
			"secrets secret 2, secret 1",
			"secrets secret 2",
		]);
		const [, second] = run.session.asked;
		expect(second?.at).toBe(60_000);
		expect(second?.params).toMatchObject({
			delivery: { secret: secret(2).secret.reveal() },
		});
		expect(run.registration.secrets.map(({ label }) => label)).toEqual([
			"secret 2",
		]);
	});

	it("keeps both where the server did not answer", async () => {
		const run = await runWebhook(
			[grant(HOUR), fault("timed-out"), grant(3 * HOUR), gone],
			{ rotateEveryMs: 60_000, stopAtMs: 61_000 },
		);
		expect(run.registration.secrets.map(({ label }) => label)).toEqual([
			"secret 2",
			"secret 1",
		]);
		expect(run.session.asked.slice(1, 3).map(({ params }) => params)).toEqual([
			expect.objectContaining({
				delivery: expect.objectContaining({
					secret: secret(2).secret.reveal(),
				}),
			}),
			expect.objectContaining({
				delivery: expect.objectContaining({
					secret: secret(2).secret.reveal(),
				}),
			}),
		]);
	});
});

describe("an envelope", () => {
	it("of a gap is told, and its cursor is the next one sent", async () => {
		const run = await runWebhook([grant(HOUR), grant(2 * HOUR), gone], {
			arrivals: [[10, envelope.gap("c4")]],
			stopAtMs: HOUR * 0.7,
		});
		expect(run.told.slice(0, 3)).toEqual([
			"ready c0",
			"envelope gap",
			"gap truncated c4",
		]);
		expect(calls(run)[1]).toBe(`${HOUR * 0.625} subscribe c4`);
	});

	it.each([
		["NotFound", -32023],
		["Unsupported", -32026],
		["CallbackEndpointError", -32027],
	])("of an ending with %s leads to a new subscription", async (name, code) => {
		const run = await runWebhook(
			[grant(HOUR), listed(["webhook"]), grant(2 * HOUR, { id: "s2" }), gone],
			{ arrivals: [[10, envelope.terminated(name, code)]], stopAtMs: 5_000 },
		);
		expect(calls(run)).toEqual([
			"0 subscribe",
			"10 list",
			"510 subscribe c0",
			"5000 unsubscribe",
		]);
		expect(run.told).toEqual([
			"ready c0",
			"envelope terminated",
			`terminated ${name}`,
			"reconnecting in 500",
			"ready again c0",
			"stopped c0",
		]);
		expect(run.registration.subscriptionId).toBe("s2");
	});

	it.each([
		["Forbidden", -32024, "forbidden"],
		["Unknown", 7, "terminated"],
	])("of an ending with %s stops it", async (name, code, ending) => {
		const run = await runWebhook([grant(HOUR)], {
			arrivals: [[10, envelope.terminated(name, code)]],
		});
		expect(run.told.at(-1)).toBe(`stopped c0 ${ending}`);
		expect(calls(run)).toEqual(["0 subscribe"]);
	});

	it("of an ending stops it where the server lists it no more", async () => {
		const run = await runWebhook([grant(HOUR), { events: [] }], {
			arrivals: [[10, envelope.terminated("NotFound", -32023)]],
		});
		expect(run.told.at(-1)).toBe("stopped c0 event-unknown");
	});

	it("of an ending stops it where the server no longer sends webhooks for it", async () => {
		const run = await runWebhook([grant(HOUR), listed(["poll"])], {
			arrivals: [[10, envelope.terminated("Unsupported", -32026)]],
		});
		expect(run.told.at(-1)).toBe("stopped c0 mode-not-offered");
	});
});

describe("a first subscribe", () => {
	it("is given up after a few tries where nothing answers", async () => {
		const answers = Array.from({ length: 9 }, () => fault("server-failing"));
		const run = await runWebhook(answers, { retry: { connectTries: 3 } });
		expect(run.told.at(-1)).toBe("stopped undefined server-failing");
		expect(calls(run).filter((text) => text.includes(" sub"))).toHaveLength(3);
	});

	it("is given up at once where the callback fails", async () => {
		const run = await runWebhook([fault("callback-refused"), gone]);
		expect(run.told).toEqual(["stopped undefined callback-refused"]);
	});

	it("is tried again at the name of a tunnel, which the server may not know yet", async () => {
		const refused = Array.from({ length: 4 }, () => fault("callback-refused"));
		async function* changes() {}
		const run = await runWebhook([...refused, grant(HOUR), gone], {
			address: { url: "https://hook.test", changes: changes() },
			stopAtMs: 10 * 60_000,
		});
		const kinds = run.told.map((text) => text.split(" ")[0]);
		expect(kinds).toEqual([
			...Array.from({ length: 4 }, () => "reconnecting"),
			"ready",
			"stopped",
		]);
	});

	it("tries once without the cursor, and tells the gap", async () => {
		const run = await runWebhook(
			[fault("arguments-refused"), grant(HOUR), gone],
			{ subscription: { cursor: "old" }, stopAtMs: 10 },
		);
		expect(calls(run).slice(0, 2)).toEqual(["0 subscribe old", "0 subscribe"]);
		expect(run.told).toEqual([
			"ready c0",
			"gap cursor-rejected c0",
			"stopped c0",
		]);
	});
});

it("follows the callback where it moves: the old one ends, the new one begins", async () => {
	let move = (_url: string) => {};
	const moved = new Promise<string>((resolve) => {
		move = resolve;
	});
	async function* changes() {
		yield await moved;
	}
	const run = await runWebhook(
		[grant(HOUR), gone, grant(HOUR, { id: "sub_2" }), gone],
		{
			address: { url: "https://hook.test", changes: changes() },
			onTail: (_tail, clock) =>
				clock.at(10, () => move("https://new.test/base/")),
			stopAtMs: 100,
		},
	);
	expect(
		run.session.asked.map(({ method, params }) => [
			method,
			(params.delivery as { url: string }).url,
		]),
	).toEqual([
		["events/subscribe", "https://hook.test/hooks/x"],
		["events/unsubscribe", "https://hook.test/hooks/x"],
		["events/subscribe", "https://new.test/base/hooks/x"],
		["events/unsubscribe", "https://new.test/base/hooks/x"],
	]);
	expect(run.told).toEqual([
		"ready c0",
		"mode the callback has moved to https://new.test/base/hooks/x",
		"ready again c0",
		"stopped c0",
	]);
});
