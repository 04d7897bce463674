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

it.each([
	["JSON", JSON_TYPE, result(1)],
	["an event stream", SSE_TYPE, `data: ${result(1)}\n\n`],
])("a connection is used again after %s", async (_what, type, text) => {
	const server = await listenHttp((_request, response) => {
		// In two pieces, as most servers send a stream: the end comes after the response.
		response.writeHead(200, type).write(text, () => response.end());
	});
	const transport = await openTo({ url: `http://127.0.0.1:${server.port}/` });
	for (let at = 0; at < 10; at++)
		expect(await collect(transport.exchange(request()))).toHaveLength(1);
	// A new one only where the next request was faster than the end of the last answer.
	expect(server.sockets.length).toBeLessThanOrEqual(2);
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
	const server = await listenHttp((_request, response) => {
		response.writeHead(200, SSE_TYPE);
		const pump = () => {
			while (response.write(frame.repeat(60))) written += frame.length * 60;
		};
		response.on("drain", pump);
		pump();
	});
	const transport = await openTo({ url: `http://127.0.0.1:${server.port}/` });
	const batches = transport.exchange(request())[Symbol.asyncIterator]();
	await batches.next();
	// A transport that read on by itself would never let the count stand still.
	for (let before = -1; before !== written; ) {
		before = written;
		await new Promise((done) => setTimeout(done, 100));
	}
	expect(written).toBeLessThan(16 * 1024 * 1024);
	await batches.return?.();
});
