import { expect, it } from "vitest";
import {
	collect,
	gate,
	JSON_TYPE,
	listenHttp,
	notification,
	openTo,
	request,
	result,
	SSE_TYPE,
	texts,
} from "./harness.ts";

it("a connection is used again after an answer, be it JSON or an event stream", async () => {
	let turn = 0;
	const server = await listenHttp((_request, response) => {
		const isJson = turn++ % 2 === 0;
		response.writeHead(200, isJson ? JSON_TYPE : SSE_TYPE);
		if (isJson) response.end(result(1));
		else {
			response.write(`data: ${result(1)}\n\n`);
			setImmediate(() => response.end());
		}
	});
	const transport = await openTo({ url: `http://127.0.0.1:${server.port}/` });
	for (let at = 0; at < 6; at++) {
		await collect(transport.exchange(request()));
		await new Promise((done) => setTimeout(done, 20));
	}
	expect(turn).toBe(6);
	expect(server.sockets).toHaveLength(1);
});

it("a stream that goes on after the response is cut", async () => {
	const closed = gate();
	const server = await listenHttp((_request, response) => {
		response.writeHead(200, SSE_TYPE).write(`data: ${result(1)}\n\n`);
		const timer = setInterval(() => response.write("x".repeat(10_000)), 1);
		response.on("close", () => {
			clearInterval(timer);
			closed.resolve();
		});
	});
	const transport = await openTo({ url: `http://127.0.0.1:${server.port}/` });
	expect(texts(await collect(transport.exchange(request())))).toEqual([
		result(1),
	]);
	await closed.promise;
});

it("nothing more is read than is asked for: a slow reader slows the server", async () => {
	const frame = `data: ${notification(1)}${" ".repeat(1_000)}\n\n`;
	let written = 0;
	const stalled = gate();
	const server = await listenHttp((_request, response) => {
		response.writeHead(200, SSE_TYPE);
		const pump = () => {
			while (response.write(frame.repeat(60))) written += frame.length * 60;
			stalled.resolve();
		};
		response.on("drain", pump);
		pump();
	});
	const transport = await openTo({ url: `http://127.0.0.1:${server.port}/` });
	const batches = transport.exchange(request())[Symbol.asyncIterator]();
	await batches.next();
	await stalled.promise;
	await new Promise((done) => setTimeout(done, 200));
	const before = written;
	await new Promise((done) => setTimeout(done, 100));
	expect(written).toBe(before);
	expect(written).toBeLessThan(16 * 1024 * 1024);
	await batches.return?.();
});
