import type { IncomingMessage, ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Callbacks } from "../../../src/reference/callbacks/index.ts";
import { SECRET_TEXT } from "../../fixtures/deliveries.ts";
import { answerJson, readBody } from "../../fixtures/servers/listen.ts";
import { openNameServer } from "../../helpers/open-name-server.ts";
import { createManualClock } from "../manual-clock.ts";
import {
	askFor,
	closedPort,
	LOOPBACK,
	makeGuarded,
	openCounter,
	openEndpoint,
	openGuarded,
	refusalOf,
} from "./guarded-world.ts";

const allowPrivateCidrs = LOOPBACK;

/** An endpoint without a document, whose POSTs are answered by `answer`, with the challenge that came. */
async function openChallenged(
	answer: (response: ServerResponse, challenge: string) => void,
) {
	const asked: { request: IncomingMessage; body: string }[] = [];
	const challenges: string[] = [];
	const { url, port } = await openEndpoint(async (request, response) => {
		if (request.method === "GET") return response.writeHead(404).end();
		const body = await readBody(request);
		asked.push({ request, body });
		challenges.push(JSON.parse(body).challenge);
		answer(response, JSON.parse(body).challenge);
	});
	return { url, port, asked, challenges };
}

const echo = (response: ServerResponse, challenge: string) =>
	answerJson(response, 200, JSON.stringify({ challenge }));

describe("the handshake", () => {
	let callbacks: Callbacks;

	// One for all: each test has an endpoint of its own.
	beforeAll(() => {
		({ callbacks } = makeGuarded({ allowPrivateCidrs }));
	});
	afterAll(() => callbacks.close());

	it("is a signed verification envelope, as standardwebhooks verifies it", async () => {
		const { url, asked } = await openChallenged(echo);
		await callbacks.verify(askFor(url("/hook")));
		const [{ request, body } = expect.unreachable()] = asked;
		expect(request.method).toBe("POST");
		expect(request.headers).toMatchObject({
			"content-type": "application/json",
			"x-mcp-subscription-id": "sub_1",
			"webhook-id": expect.stringMatching(/^msg_verification_[\w-]{16,}$/),
		});
		const headers = request.headers as Record<string, string>;
		expect(new Webhook(SECRET_TEXT).verify(body, headers)).toEqual({
			type: "verification",
			challenge: expect.stringMatching(/^[\w-]{32,}$/),
		});
	});

	it("has a challenge of its own each time: an old one is no answer", async () => {
		let first: string | undefined;
		const { url, challenges, asked } = await openChallenged(
			(response, challenge) => {
				first ??= challenge;
				echo(response, first);
			},
		);
		await callbacks.verify(askFor(url("/hook"), "ann"));
		const { data } = await refusalOf(
			callbacks.verify(askFor(url("/hook"), "ben")),
		);
		expect(data).toEqual({ reason: "challenge_failed" });
		expect(new Set(challenges).size).toBe(2);
		const ids = asked.map(({ request }) => request.headers["webhook-id"]);
		expect(new Set(ids).size).toBe(2);
	});

	it.each<[string, (response: ServerResponse, challenge: string) => void]>([
		[
			"another challenge",
			(to) => answerJson(to, 200, '{"challenge":"secret words"}'),
		],
		["a longer one", (to, challenge) => echo(to, `${challenge}x`)],
		["a piece of it", (to, challenge) => echo(to, challenge.slice(1))],
		["it as bare text", (to, challenge) => to.end(challenge)],
		[
			"it in a list",
			(to, challenge) => answerJson(to, 200, `{"challenge":["${challenge}"]}`),
		],
		["no JSON", (to) => to.end("secret words")],
		["no body", (to) => to.writeHead(204).end()],
		["null", (to) => answerJson(to, 200, "null")],
		[
			"it after too much",
			(to, challenge) =>
				answerJson(to, 200, `${" ".repeat(8_192)}{"challenge":"${challenge}"}`),
		],
		[
			"it with 302",
			(to, challenge) =>
				answerJson(
					to.setHeader("location", "/ok"),
					302,
					`{"challenge":"${challenge}"}`,
				),
		],
		[
			"it with 404",
			(to, challenge) => answerJson(to, 404, `{"challenge":"${challenge}"}`),
		],
		[
			"it with 500",
			(to, challenge) => answerJson(to, 500, `{"challenge":"${challenge}"}`),
		],
	])(
		"fails at %s, and nothing of the answer is told",
		async (_what, answer) => {
			const { url } = await openChallenged(answer);
			expect(await refusalOf(callbacks.verify(askFor(url("/hook"))))).toEqual({
				error: "CallbackEndpointError",
				message:
					"the callback endpoint did not show its consent: challenge_failed",
				data: { reason: "challenge_failed" },
			});
			expect(callbacks.verifications()).not.toContainEqual(
				expect.objectContaining({ url: url("/hook") }),
			);
		},
	);

	it.each([
		["connection_refused", closedPort],
		["tls_error", async () => (await openCounter("hang-up")).port],
		["timeout", async () => (await openCounter()).port],
	])("tells of an endpoint that nobody reaches: %s", async (reason, port) => {
		const deadlineMs = reason === "timeout" ? 300 : 10_000;
		const { callbacks } = openGuarded({ allowPrivateCidrs, deadlineMs });
		const url = `https://127.0.0.1:${await port()}/hook`;
		const { error, data } = await refusalOf(callbacks.verify(askFor(url)));
		expect(error).toBe("CallbackEndpointError");
		expect(data).toEqual({ reason });
	});
});

describe("a consent", () => {
	it("covers one principal and one URL, for a day", async () => {
		const { url, asked } = await openChallenged(echo);
		const clock = createManualClock();
		const { callbacks } = openGuarded({ allowPrivateCidrs, clock });
		const handshakes = async (path: string, principal: string) => {
			const before = asked.length;
			await callbacks.verify(askFor(url(path), principal));
			return asked.length - before;
		};
		expect(await handshakes("/hook", "ann")).toBe(1);
		expect(await handshakes("/hook", "ann")).toBe(0);
		expect(await handshakes("/hook", "ben")).toBe(1);
		expect(await handshakes("/hook?other", "ann")).toBe(1);
		await clock.advance(24 * 3_600_000 - 1);
		expect(await handshakes("/hook", "ann")).toBe(0);
		await clock.advance(1);
		expect(await handshakes("/hook", "ann")).toBe(1);
	});

	it("is asked for once by all who want it at the same time", async () => {
		const { url, asked } = await openChallenged(echo);
		const { callbacks } = openGuarded({ allowPrivateCidrs });
		const all = Array.from({ length: 20 }, () =>
			callbacks.verify(askFor(url("/hook"))),
		);
		await Promise.all(all);
		expect(asked).toHaveLength(1);
	});

	it("that was refused is asked for again", async () => {
		let isWilling = false;
		const { url } = await openChallenged((response, challenge) =>
			echo(response, isWilling ? challenge : "no"),
		);
		const { callbacks } = openGuarded({ allowPrivateCidrs });
		const both = [1, 2].map(() => callbacks.verify(askFor(url("/hook"))));
		for (const { status } of await Promise.allSettled(both))
			expect(status).toBe("rejected");
		isWilling = true;
		await callbacks.verify(askFor(url("/hook")));
		expect(callbacks.verifications()).toHaveLength(1);
	});

	it("outlives a restart by way of a store, unless it has run out", async () => {
		const { url, asked } = await openChallenged(echo);
		const clock = createManualClock(1_800_000_000_000);
		const before = openGuarded({ allowPrivateCidrs, clock }).callbacks;
		await before.verify(askFor(url("/a/../hook")));
		const untilMs = 1_800_086_400_000;
		const consent = { principal: "ann", url: url("/a/../hook"), untilMs };
		expect(before.verifications()).toEqual([consent]);
		const kept = JSON.parse(JSON.stringify(before.verifications()));
		const after = openGuarded({ allowPrivateCidrs, clock }).callbacks;
		after.restore(kept);
		await after.verify(askFor(url("/a/../hook")));
		expect(asked).toHaveLength(1);
		await clock.advance(24 * 3_600_000);
		const late = openGuarded({ allowPrivateCidrs, clock }).callbacks;
		late.restore(kept);
		expect(late.verifications()).toEqual([]);
	});

	it("is not asked of one address without end, however many names it has", async () => {
		const { port } = await openChallenged(echo);
		const names = ["a.test", "b.test", "c.test", "d.test"];
		const resolver = await openNameServer(
			Object.fromEntries(names.map((name) => [name, ["127.0.0.1"]])),
		);
		const { callbacks, dialled } = openGuarded({
			allowPrivateCidrs,
			resolver,
			handshakesPerMinute: 3,
		});
		const ask = (name: string) =>
			refusalOf(callbacks.verify(askFor(`https://${name}:${port}/hook`)));
		for (const name of names.slice(0, 3))
			expect(await ask(name)).toMatchObject({ error: "CallbackEndpointError" });
		const before = dialled.length;
		expect(await ask("d.test")).toMatchObject({ error: "ResourceExhausted" });
		expect(dialled).toHaveLength(before);
	});

	it("is not asked of one host without end", async () => {
		const { url, asked } = await openChallenged(echo);
		const clock = createManualClock();
		const { callbacks } = openGuarded({
			allowPrivateCidrs,
			clock,
			handshakesPerMinute: 3,
		});
		for (let at = 0; at < 3; at += 1)
			await callbacks.verify(askFor(url(`/${at}`)));
		const refusal = await refusalOf(callbacks.verify(askFor(url("/more"))));
		expect(refusal).toMatchObject({
			error: "ResourceExhausted",
			data: { limit: "handshakes", max: 3 },
		});
		expect(asked).toHaveLength(3);
		await clock.advance(60_000);
		await callbacks.verify(askFor(url("/more")));
	});
});
