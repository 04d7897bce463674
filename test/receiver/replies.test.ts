import { request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import {
	openReceiver,
	openReplies,
	parseReplyScript,
	type ReceivedDelivery,
	type Receiver,
	tellAttempts,
} from "../../src/receiver/index.ts";
import {
	eventBody,
	makeRoute,
	NOW_MS,
	PATH,
	type Sending,
	signedHeaders,
} from "../fixtures/deliveries.ts";

const open: Receiver[] = [];
afterEach(async () => {
	for (const receiver of open.splice(0)) await receiver.close(0);
});

async function start(script: string, { fails = false } = {}) {
	let nowMs = NOW_MS;
	const accepted: ReceivedDelivery[] = [];
	const slept: number[] = [];
	const sleep = async (ms: number) => void slept.push(ms);
	const replies = openReplies(parseReplyScript(script), { sleep });
	const receiver = await openReceiver({
		host: "127.0.0.1",
		port: 0,
		routes: [makeRoute()],
		now: () => nowMs,
		accept: async (delivery) => {
			if (fails) throw new Error("no space");
			accepted.push(delivery);
			return undefined;
		},
		replies,
	});
	open.push(receiver);
	/** Posts after a while, signed at that time or at the one given. */
	const post = async (afterMs = 0, sending: Sending = {}) => {
		nowMs += afterMs;
		const headers = signedHeaders({ signedMs: nowMs, ...sending }).flat();
		const body = sending.body ?? eventBody();
		return request(receiver.origin + PATH, {
			method: "POST",
			headers,
			body,
		}).then(
			async ({ statusCode, headers: { location }, body: answer }) => ({
				status: statusCode,
				location,
				text: await answer.text(),
			}),
			(error) => ({
				status: error.code as string,
				location: undefined,
				text: "",
			}),
		);
	};
	const statuses = async (count: number) => {
		const all = [];
		for (let at = 0; at < count; at++) all.push((await post(1500)).status);
		return all;
	};
	return { post, statuses, accepted, slept, replies };
}

describe("replies by a script", () => {
	it.each([
		["503x2,200", [503, 503, 200, 200]],
		["410", [410, 410, 410, 410]],
		["413,202", [413, 202, 202, 202]],
		["dropx2,204", ["UND_ERR_SOCKET", "UND_ERR_SOCKET", 204, 204]],
		["wrong-challenge", [204, 204, 204, 204]],
	])(
		"%s answers one attempt after the other, the last step all others",
		async (script, said) => {
			const { statuses } = await start(script);
			expect(await statuses(4)).toEqual(said);
		},
	);

	it("counts each delivery for itself", async () => {
		const { post } = await start("503,200");
		const second = { id: "msg_2", body: eventBody("evt_2") };
		expect((await post()).status).toBe(503);
		expect((await post(0, second)).status).toBe(503);
		expect((await post()).status).toBe(200);
	});

	it("stores a delivery once, and only when it is acknowledged", async () => {
		const { statuses, accepted } = await start(
			"500,drop,302:http://a.example/,200",
		);
		await statuses(3);
		expect(accepted).toHaveLength(0);
		await statuses(2);
		expect(accepted).toHaveLength(1);
	});

	it("never acknowledges what could not be stored", async () => {
		const { statuses } = await start("200", { fails: true });
		expect(await statuses(1)).toEqual([503]);
	});

	it("redirects, and waits", async () => {
		const { post, slept } = await start("302:http://a.example/b,slow:8s");
		expect(await post()).toMatchObject({
			status: 302,
			location: "http://a.example/b",
		});
		expect((await post()).status).toBe(204);
		expect(slept).toEqual([8000]);
	});

	it("refuses a wrong signature as ever, and does not count it", async () => {
		const { post, replies } = await start("503,200");
		const wrong = {
			secretText: `whsec_${Buffer.alloc(32, 9).toString("base64")}`,
		};
		expect((await post(0, wrong)).status).toBe(401);
		expect(replies.report()).toEqual([]);
		expect((await post()).status).toBe(503);
	});

	const handshake = JSON.stringify({ type: "verification", challenge: "c-1" });
	it.each([
		["503x2,410", "c-1"],
		["wrong-challenge", "not-the-challenge-that-was-sent"],
	])("%s answers a handshake with %s", async (script, challenge) => {
		const { post } = await start(script);
		const { status, text } = await post(0, { body: handshake });
		expect([status, JSON.parse(text)]).toEqual([200, { challenge }]);
	});
});

describe("the report of attempts", () => {
	const told = ({ replies }: Awaited<ReturnType<typeof start>>) =>
		replies.report().map(tellAttempts);

	it("tells replies, gaps, and a sender that does everything right", async () => {
		const run = await start("503x2,200");
		await run.post();
		await run.post(1000);
		await run.post(2100);
		expect(told(run)).toEqual([
			"evt_1: 3 attempts, answered 503, 503, 200; gaps 1.0 s, 2.1 s; fresh timestamp: yes; fresh signature: yes; same id: yes",
		]);
	});

	it("tells a sender that repeats the first attempt's bytes", async () => {
		const run = await start("503");
		await run.post(0, { signedMs: NOW_MS });
		await run.post(4000, { signedMs: NOW_MS });
		expect(told(run)[0]).toMatch(
			/fresh timestamp: no; fresh signature: no; same id: yes$/,
		);
	});

	it("tells a new id, and an attempt after an answer that ends a delivery", async () => {
		const run = await start("410");
		await run.post();
		await run.post(2000, { id: "msg_9" });
		expect(told(run)[0]).toMatch(
			/same id: no; sent again after 410, which ends a delivery$/,
		);
	});

	it("cannot tell within one second", async () => {
		const run = await start("503");
		await run.post();
		await run.post(200);
		expect(told(run)[0]).toMatch(
			/fresh timestamp: unclear; fresh signature: unclear/,
		);
	});

	it("has one line for a delivery that came once", async () => {
		const run = await start("200");
		await run.post();
		expect(told(run)).toEqual(["evt_1: 1 attempt, answered 200"]);
	});
});
