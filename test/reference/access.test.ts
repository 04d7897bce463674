import { describe, expect, it } from "vitest";
import { createAccess } from "../../src/reference/access.ts";
import { isMethod, STEADY, until } from "./open-controlled-server.ts";
import { NAME, openStdinServer } from "./open-stdin-server.ts";
import { openWebhookServer } from "./open-webhook-server.ts";
import { ask, post, sseFrames, streamMessages, take } from "./wire-client.ts";

describe("who may have which event", () => {
	it("is what the rule says, less what was revoked", () => {
		const access = createAccess((principal) => principal !== "mallory");
		expect(access.mayHave("mallory", "a", {})).toBe(false);
		let checks = 0;
		const stop = access.onRevoked(() => checks++);
		access.revoke("alice", "a");
		expect(access.mayHave("alice", "a", {})).toBe(false);
		expect(access.mayHave("alice", "b", {})).toBe(true);
		expect(access.mayHave("bob", "a", {})).toBe(true);
		access.revoke("alice");
		expect(access.mayHave("alice", "b", {})).toBe(false);
		access.revoke(undefined);
		expect(access.mayHave(undefined, "a", {})).toBe(false);
		stop();
		access.revoke("bob");
		expect(checks).toBe(3);
	});

	it("is asked with the arguments, in every mode", async () => {
		await using server = await openWebhookServer({
			mayHave: (principal, _name, { atLeast }) =>
				principal === "alice" || atLeast === 5,
		});
		const params = { name: STEADY, arguments: {} };
		for (const method of ["events/poll", "events/stream"]) {
			const { error } = await server.ask(method, params, "bob");
			expect(error.code, method).toBe(-32024);
		}
		expect((await server.subscribe(STEADY, {}, "bob")).error.code).toBe(-32024);
		expect((await server.ask("events/poll", params)).result).toBeDefined();
		const narrow = { name: STEADY, arguments: { atLeast: 5 } };
		const { result } = await server.ask("events/poll", narrow, "bob");
		expect(result).toBeDefined();
	});

	it("is asked again: a stream and a webhook end with Forbidden", async () => {
		let isAllowed = true;
		await using server = await openWebhookServer({
			heartbeatMs: 50,
			mayHave: () => isAllowed,
		});
		await server.subscribe(STEADY);
		const response = await post(
			server.url,
			"events/stream",
			{ name: STEADY },
			{ headers: server.headersOf("alice") },
		);
		const frames = sseFrames(response);
		await frames.next();
		isAllowed = false;
		for (;;) {
			const { value } = await frames.next();
			const message = JSON.parse(value ?? "");
			if (!isMethod("/terminated")(message)) continue;
			expect(message.params.error.code).toBe(-32024);
			break;
		}
		const { error } = await server.ask("events/poll", { name: STEADY });
		expect(error.code).toBe(-32024);
	});
});

describe("limits of streams", () => {
	it("count for each principal", async () => {
		await using server = await openWebhookServer({ maxStreamsPerCaller: 1 });
		const stream = (principal: string) =>
			post(
				server.url,
				"events/stream",
				{ name: STEADY },
				{ headers: server.headersOf(principal) },
			);
		const one = await stream("alice");
		expect(one.headers.get("content-type")).toBe("text/event-stream");
		expect(await (await stream("alice")).json()).toMatchObject({
			error: { code: -32025, data: { limit: "streams", max: 1 } },
		});
		const other = await stream("bob");
		expect(other.headers.get("content-type")).toBe("text/event-stream");
		await one.body?.cancel();
		const again = async () =>
			(await stream("alice")).headers.get("content-type");
		await expect.poll(again).toBe("text/event-stream");
	});

	it("of a type count for each caller, and other types do not", async () => {
		const { server, source, url } = await openStdinServer();
		await using _ = server;
		const [type] = source.types;
		if (type) Object.assign(type, { limits: { streamsPerCaller: 2 } });
		const streams = [1, 2].map(() => streamMessages(url, { name: NAME }));
		for (const stream of streams) await take(stream, 1);
		const { error } = await ask(url, "events/stream", { name: NAME });
		expect(error).toMatchObject({
			code: -32025,
			data: { limit: "streams", max: 2 },
		});
		await streams[0]?.return(undefined);
		const more = streamMessages(url, { name: NAME });
		await expect
			.poll(async () => (await ask(url, "events/poll", { name: NAME })).result)
			.toBeDefined();
		expect(await until(more, isMethod("/active"))).toBeDefined();
	});
});
