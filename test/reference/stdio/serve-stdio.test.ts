import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { openStdinSource, serveStdio } from "../../../src/reference/index.ts";
import { createManualClock } from "../manual-clock.ts";
import { type Json, META, SUBSCRIPTION } from "../wire-client.ts";

const NAME = "stdin.line";

function serve(more = {}, bufferSize = 1_000) {
	const [input, output, events] = [
		new PassThrough(),
		new PassThrough(),
		new PassThrough(),
	];
	const clock = createManualClock();
	const source = openStdinSource({
		input: events,
		clock,
		epoch: "run",
		bufferSize,
	});
	const done = serveStdio({
		input,
		output,
		sources: [source],
		clock,
		version: "0",
		...more,
	});
	const lines = linesOf(output);
	const next = async (): Promise<Json> =>
		JSON.parse((await lines.next()).value);
	const send = (message: Json) =>
		input.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	const ask = (id: Json, method: string, params: Json = {}) =>
		send({ id, method, params: { _meta: META, ...params } });
	const cancel = (requestId: Json) =>
		send({ method: "notifications/cancelled", params: { requestId } });
	const emit = (n: number) => events.write(`{"n":${n}}\n`);
	return { input, output, clock, source, done, next, send, ask, cancel, emit };
}

async function* linesOf(output: PassThrough): AsyncGenerator<string> {
	let text = "";
	for await (const chunk of output) {
		text += chunk;
		const lines = text.split("\n");
		text = lines.pop() ?? "";
		yield* lines;
	}
}

describe("a modern client on stdio", () => {
	it("discovers, lists and polls", async () => {
		const { ask, next, input, done } = serve();
		ask("d", "server/discover");
		expect((await next()).result.supportedVersions).toEqual(["2026-07-28"]);
		ask("l", "events/list");
		expect((await next()).result.events[0].name).toBe(NAME);
		ask(3, "events/poll", { name: NAME });
		expect(await next()).toMatchObject({ id: 3, result: { events: [] } });
		input.end();
		await done;
	});

	it("has several streams on one output, told apart by their ids", async () => {
		const { ask, next, emit, input, done } = serve();
		ask(1, "events/stream", { name: NAME });
		ask("1", "events/stream", { name: NAME });
		await next();
		await next();
		emit(5);
		const ids = [await next(), await next()].map(
			(message) => message.params._meta[SUBSCRIPTION],
		);
		expect(new Set(ids)).toEqual(new Set([1, "1"]));
		input.end();
		await done;
	});

	it("hears on after as many streams as are asked for at once", async () => {
		const { input, next, ask, done } = serve();
		const open = (id: number) =>
			JSON.stringify({
				...{ jsonrpc: "2.0", id, method: "events/stream" },
				params: { name: NAME, _meta: META },
			});
		const streams = Array.from({ length: 100 }, (_, id) => open(id));
		input.write(`${streams.join("\n")}\n`);
		for (const _ of streams)
			expect((await next()).method).toBe("notifications/events/active");
		ask("p", "events/poll", { name: NAME });
		expect((await next()).id).toBe("p");
		input.end();
		await done;
	});

	it("cancels a stream: nothing more for it, and nothing of it is left", async () => {
		const { ask, next, cancel, emit, clock, input, done } = serve();
		ask(1, "events/stream", { name: NAME });
		ask(2, "events/stream", { name: NAME });
		await next();
		await next();
		expect(clock.timers).toBe(2);
		cancel(1);
		cancel("no such request");
		await expect.poll(() => clock.timers).toBe(1);
		emit(1);
		expect((await next()).params._meta[SUBSCRIPTION]).toBe(2);
		ask(9, "events/poll", { name: NAME });
		expect((await next()).id).toBe(9);
		input.end();
		await done;
		expect(clock.timers).toBe(0);
	});

	it("gets no answer to what it cancelled", async () => {
		const { ask, next, cancel, input, done } = serve();
		ask(1, "events/poll", { name: NAME });
		cancel(1);
		ask(2, "events/poll", { name: NAME });
		expect((await next()).id).toBe(2);
		input.end();
		await done;
	});

	it.each([
		[{ id: 1, method: "events/list", params: {} }, 1, -32602],
		[{ id: 1, method: "server/discover" }, 1, -32602],
		[{ id: 1, method: "ping", params: { _meta: META } }, 1, -32601],
		[{ id: 1, method: "events/poll", params: { _meta: META } }, 1, -32602],
		[{ id: null, method: "ping" }, undefined, -32600],
		[{ jsonrpc: "1.0", id: 1, method: "ping" }, undefined, -32600],
	])("%j is refused", async (message, id, code) => {
		const { send, next, input, done } = serve();
		send(message);
		const answer = await next();
		expect([answer.id, answer.error.code]).toEqual([id, code]);
		input.end();
		await done;
	});

	it("is told of lines that are no JSON or too long, and goes on", async () => {
		const { input, next, ask, done } = serve({ maxRequestBytes: 1_000 });
		input.write(`{"torn\n\r\n[]\n"${"x".repeat(5_000)}"\n`);
		const codes = [await next(), await next(), await next()].map(
			(answer) => answer.error.code,
		);
		expect(codes).toEqual([-32700, -32600, -32600]);
		ask(1, "events/list");
		expect((await next()).id).toBe(1);
		input.end();
		await done;
	});

	it("may not use the id of a request that is open", async () => {
		const { ask, next, input, done } = serve();
		ask(1, "events/stream", { name: NAME });
		await next();
		ask(1, "events/list");
		expect((await next()).error.code).toBe(-32600);
		input.end();
		await done;
	});
});

describe("an initialize client on stdio", () => {
	it("is served in its manners, and modern requests beside it", async () => {
		const { send, ask, next, input, done } = serve();
		const params = { protocolVersion: "2025-06-18" };
		send({ id: 0, method: "initialize", params });
		expect((await next()).result.protocolVersion).toBe("2025-06-18");
		send({ method: "notifications/initialized" });
		send({ id: 1, method: "ping" });
		expect(await next()).toEqual({ jsonrpc: "2.0", id: 1, result: {} });
		send({ id: 2, method: "events/poll", params: { name: NAME } });
		expect((await next()).result._meta).toBeUndefined();
		ask(3, "server/discover");
		expect((await next()).result.resultType).toBe("complete");
		input.end();
		await done;
	});

	it("may ask on without waiting for the answer to initialize", async () => {
		const { send, next, input, done } = serve();
		const params = { protocolVersion: "2025-06-18" };
		send({ id: 0, method: "initialize", params });
		send({ method: "notifications/initialized" });
		send({ id: 1, method: "events/list" });
		expect((await next()).result.protocolVersion).toBe("2025-06-18");
		expect((await next()).result.events[0].name).toBe(NAME);
		input.end();
		await done;
	});

	it("is told what a modern server speaks", async () => {
		const { send, next, input, done } = serve({ era: "modern" });
		const params = { protocolVersion: "2025-06-18" };
		send({ id: 0, method: "initialize", params });
		expect((await next()).error.data.supported).toEqual(["2026-07-28"]);
		input.end();
		await done;
	});
});

describe("a client that does not read its stdin", () => {
	it("costs no memory, and is told what it missed when it reads on", async () => {
		const bufferSize = 20;
		const { ask, next, emit, input, output, done } = serve({}, bufferSize);
		ask(1, "events/stream", { name: NAME });
		await next();
		for (let n = 1; n <= 2_000; n++) {
			emit(n);
			if (n % 100 === 0) await new Promise(setImmediate);
		}
		expect(output.readableLength).toBeLessThan(200_000);
		let isTold = false;
		let last = 0;
		while (last < 2_000) {
			const { params } = await next();
			isTold ||= params.truncated === true;
			last = params.data?.n ?? last;
		}
		expect(isTold).toBe(true);
		input.end();
		await done;
	});
});

describe("the end of the input", () => {
	it("answers what is open, ends streams with their final frame, and closes the sources", async () => {
		let closed = 0;
		const { ask, next, input, done, source } = serve();
		const close = source.close;
		source.close = () => {
			closed++;
			return close();
		};
		ask("s", "events/stream", { name: NAME });
		await next();
		ask(1, "events/poll", { name: NAME });
		input.end();
		const last = [await next(), await next()];
		expect(last.map((answer) => answer.id).sort()).toEqual([1, "s"]);
		expect(
			last.find((answer) => answer.id === "s").result._meta[SUBSCRIPTION],
		).toBe("s");
		await done;
		expect(closed).toBe(1);
	});

	it.each([
		["the signal", (_: PassThrough, stop: AbortController) => stop.abort()],
		["a gone output", (output: PassThrough) => output.destroy()],
	])("comes by %s too", async (_what, end) => {
		const stop = new AbortController();
		const { ask, next, output, done } = serve({ signal: stop.signal });
		ask("s", "events/stream", { name: NAME });
		await next();
		end(output, stop);
		await done;
	});
});
