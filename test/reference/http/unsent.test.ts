import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { HttpResponse } from "../../../src/reference/http/exchange.ts";
import { createUnsent } from "../../../src/reference/http/unsent.ts";
import { createManualClock } from "../manual-clock.ts";
import { NAME, openStdinServer } from "../open-stdin-server.ts";
import { ask, META, modernHeaders, post } from "../wire-client.ts";

/** A response as far as it counts here. */
function openResponse() {
	const response = Object.assign(new EventEmitter(), {
		destroy: () => response.emit("close"),
	});
	return response as EventEmitter & HttpResponse;
}

function openUnsent() {
	const clock = createManualClock();
	const unsent = createUnsent(clock, 400);
	const admit = (caller: string, length: number) => {
		const response = openResponse();
		unsent.admit(caller, length, response);
		return response;
	};
	return { clock, admit };
}

it("what a caller has not taken is bounded, until it is taken", () => {
	const { clock, admit } = openUnsent();
	const first = admit("a", 500);
	expect(() => admit("a", 1)).toThrow("wait to be taken");
	admit("b", 60);
	first.emit("close");
	const second = admit("a", 60);
	admit("a", 40);
	expect(() => admit("a", 1)).toThrow("wait to be taken");
	second.emit("close");
	admit("a", 60);
	expect(clock.timers).toBe(3);
});

it("what all have not taken is bounded", () => {
	const { admit } = openUnsent();
	for (const caller of ["a", "b", "c"]) admit(caller, 100);
	admit("d", 60);
	expect(() => admit("d", 41)).toThrow("wait to be taken");
	admit("d", 40);
});

it("an answer that nobody takes is broken off", async () => {
	const { clock, admit } = openUnsent();
	admit("a", 100);
	await clock.advance(120_000);
	admit("a", 100);
	expect(clock.timers).toBe(1);
});

it("a client that polls and does not read gets no second answer, before it has gone", async () => {
	const { server, emit } = await openStdinServer({ maxUnsent: 1_000_000 });
	await using _ = server;
	const params = { name: NAME, arguments: {} };
	const { cursor } = (await ask(server.url, "events/poll", params)).result;
	await emit(1, 16, "\u20ac".repeat(250_000));
	const body = JSON.stringify({
		...{ jsonrpc: "2.0", id: 1, method: "events/poll" },
		params: { ...params, cursor, _meta: META },
	});
	const head = Object.entries({
		...modernHeaders("events/poll", params),
		host: "localhost",
		"content-length": Buffer.byteLength(body),
	}).map(([name, value]) => `${name}: ${value}\r\n`);
	const deaf = connect(server.port, "127.0.0.1");
	onTestFinished(() => void deaf.destroy());
	deaf.write(`POST /mcp HTTP/1.1\r\n${head.join("")}\r\n${body}`);
	const status = async () => {
		const answer = await post(server.url, "events/poll", { ...params, cursor });
		await answer.text();
		return answer.status;
	};
	await once(deaf, "readable");
	expect(await status()).toBe(429);
	deaf.destroy();
	await expect.poll(status, { timeout: 5_000 }).toBe(200);
});
