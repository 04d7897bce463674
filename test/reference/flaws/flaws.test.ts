// The seams that a flaw can reach, each by a flaw made up here.
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import type { Hooks } from "../../../src/reference/flaws/flaw.ts";
import { parseFlaws, serveStdio } from "../../../src/reference/index.ts";
import { realClock } from "../manual-clock.ts";
import {
	isMethod,
	openControlledServer,
	STEADY,
	until,
} from "../open-controlled-server.ts";
import { openWebhookServer } from "../open-webhook-server.ts";
import { type Json, META, post, streamMessages } from "../wire-client.ts";

const madeUp = (hooks: Hooks) => [
	{
		flaw: {
			name: "made-up",
			scenario: "none",
			rule: "none",
			about: "does what a test wants",
			make: () => hooks,
		},
		value: 0,
	},
];

const open = (hooks: Hooks) => openControlledServer({ flaws: madeUp(hooks) });

describe("a flaw can reach", () => {
	it("a request before any check: the missing header is put in", async () => {
		await using server = await open({
			request({ params }, headers) {
				headers["mcp-name"] = String(params.name);
			},
		});
		const bend = { headers: { "mcp-name": undefined } };
		const poll = await post(server.url, "events/poll", { name: STEADY }, bend);
		expect(poll.status).toBe(200);
	});

	it("the status, headers and body of an answer, a refusal's too", async () => {
		await using server = await open({
			reply(reply, { method }) {
				reply.status = method === "events/poll" ? 418 : reply.status;
				reply.headers["content-type"] = "text/plain";
				reply.body = `${reply.body}!`;
			},
		});
		const refused = await post(server.url, "events/poll", { name: "none" });
		expect(refused.status).toBe(418);
		expect(refused.headers.get("content-type")).toBe("text/plain");
		expect(await refused.text()).toMatch(/-32023.*!$/);
	});

	it("the frames of a stream as they stand on the wire", async () => {
		await using server = await open({
			frame: (framed) => `: comment\nid: 7\n${framed}`,
		});
		const response = await post(server.url, "events/stream", { name: STEADY });
		const reader = response.body
			?.pipeThrough(new TextDecoderStream())
			.getReader();
		const { value } = (await reader?.read()) ?? {};
		expect(value).toMatch(/^: comment\nid: 7\ndata: \{.*active/);
		await reader?.cancel();
	});

	it("one message, and put several or none in its place", async () => {
		await using server = await open({
			message: (message: Json) =>
				message.method?.endsWith("/active")
					? [message, { jsonrpc: "2.0", method: "stray" }]
					: undefined,
		});
		const messages = streamMessages(server.url, { name: STEADY });
		expect((await messages.next()).value.method).toMatch(/active$/);
		expect((await messages.next()).value.method).toBe("stray");
		expect(await until(messages, isMethod("/event"))).toBeDefined();
	});

	it("what becomes of a delivery, and how its answer is taken", async () => {
		const flaws = madeUp({
			delivery: (delivery) => [
				{ ...delivery, headers: { ...delivery.headers, "x-extra": "1" } },
			],
			judge: () => "acknowledged",
			deliveryCursor: (_safe, own) => `own ${own}`,
		});
		await using server = await openWebhookServer({ flaws }, () => 500);
		await server.subscribe(STEADY);
		await expect.poll(() => server.delivered().length).toBeGreaterThan(3);
		const events = server.delivered();
		const ids = events.map(({ body }) => JSON.parse(String(body)).eventId);
		expect(new Set(ids).size).toBe(ids.length);
		expect(events[0]?.header("x-extra")).toBe("1");
		expect(JSON.parse(String(events[0]?.body)).cursor).toMatch(/^own v1/);
	});
});

describe("over stdio", () => {
	/** What is on stdout after these requests and the end of stdin. */
	async function run(faults: string[], requests: Json[], lines: number) {
		const input = new PassThrough();
		const output = new PassThrough();
		const written = text(output);
		let count = 0;
		output.on("data", (chunk: Buffer) => {
			count += chunk.toString().split("\n").length - 1;
		});
		const serving = serveStdio({
			sources: [],
			version: "0",
			clock: realClock,
			conformanceControls: true,
			flaws: parseFlaws(faults),
			input,
			output,
		});
		for (const { params, ...request } of requests) {
			const whole = { ...params, _meta: META };
			input.write(
				`${JSON.stringify({ jsonrpc: "2.0", ...request, params: whole })}\n`,
			);
		}
		await expect.poll(() => count).toBeGreaterThanOrEqual(lines);
		input.end();
		await serving;
		output.end();
		return (await written).trim().split("\n");
	}
	const stream = {
		id: "s",
		method: "events/stream",
		params: { name: STEADY },
	};

	it("duplicate and garbage work on its lines", async () => {
		const written = await run(["duplicate", "garbage=3"], [stream], 6);
		expect(() => JSON.parse(written[2] ?? "")).toThrow();
		const [, first, , second] = written;
		expect(JSON.parse(first ?? "").params.data.n).toBeLessThan(
			JSON.parse(second ?? "").params.data.n,
		);
	});

	it("close-every ends the stream, which has no connection of its own to cut", async () => {
		const written = await run(["close-every=2"], [stream], 4);
		const messages = written.map((line) => JSON.parse(line));
		expect(messages.map(({ method, id }) => method ?? id)).toEqual([
			"notifications/events/active",
			"notifications/events/event",
			"notifications/events/event",
			"s",
		]);
	});

	it("no-result-type-in-list and error-code-404 work on answers", async () => {
		const written = await run(
			["no-result-type-in-list", "error-code-404"],
			[
				{ id: 1, method: "events/list", params: {} },
				{ id: 2, method: "events/poll", params: { name: "none" } },
			],
			2,
		);
		const answers = written.map((line) => JSON.parse(line));
		const byId = (wanted: number) => answers.find(({ id }) => id === wanted);
		expect(byId(1).result).not.toHaveProperty("resultType");
		expect(byId(2).error.code).toBe(404);
	});
});
