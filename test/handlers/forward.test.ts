import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
	type ForwarderOptions,
	openForwarder,
} from "../../src/handlers/index.ts";
import type { HeaderPair } from "../../src/protocol/index.ts";
import { openRecorder } from "../helpers/open-recorder.ts";

const readTls = (name: string) =>
	readFileSync(new URL(`../fixtures/tls/${name}`, import.meta.url));

function openTo(url: string, options: Partial<ForwarderOptions> = {}) {
	const forwarder = openForwarder({
		url: new URL(url),
		ca: undefined,
		insecure: false,
		env: {},
		timeoutMs: 5_000,
		connectTimeoutMs: 2_000,
		addedHeaders: [],
		now: () => performance.now(),
		...options,
	});
	onTestFinished(() => forwarder.close());
	return forwarder;
}

async function listenTcp(onSocket: (socket: Socket) => void) {
	const server: Server = createServer((socket) => {
		socket.on("error", () => {});
		onSocket(socket);
	});
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	onTestFinished(() => {
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const headers: HeaderPair[] = [
	["Host", "sender.example"],
	["webhook-ID", "msg_1"],
	["X-Latin", "caf\u00e9"],
	["X-Twice", "a"],
	["X-Twice", "b"],
];
const body = Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x7d]);

describe("a delivery that is forwarded", () => {
	it("arrives with the same bytes and headers", async () => {
		const handler = await openRecorder();
		await openTo(handler.url).forwardDelivery({ headers, body });
		const [request] = handler.requests;
		expect(request?.method).toBe("POST");
		expect(request?.body).toEqual(body);
		expect(request?.headers.slice(0, 6)).toEqual([
			["Host", `127.0.0.1:${handler.port}`],
			...headers.slice(1),
			["Content-Length", "5"],
		]);
	});

	it("brings back the status, the time it took and the first bytes of the body", async () => {
		const handler = await openRecorder({
			answer: () => [418, "x".repeat(5_000)],
		});
		const forwarder = openTo(handler.url);
		const answer = await forwarder.forwardDelivery({ headers, body });
		expect(answer).toEqual({
			status: 418,
			latencyMs: expect.any(Number),
			bodyStart: "x".repeat(1_024),
		});
	});

	it("is not sent after a redirect", async () => {
		const handler = await openRecorder({ answer: () => 302 });
		const forwarder = openTo(handler.url);
		const answer = await forwarder.forwardDelivery({ headers, body });
		expect(answer.status).toBe(302);
		expect(handler.requests).toHaveLength(1);
	});

	it("takes the connection of the one before", async () => {
		const handler = await openRecorder();
		const forwarder = openTo(handler.url);
		for (let n = 0; n < 5; n++)
			await forwarder.forwardDelivery({ headers, body });
		expect(handler.connections()).toBe(1);
	});

	it("is sent anew where a kept connection turns out to be closed", async () => {
		const handler = await openRecorder();
		const forwarder = openTo(handler.url);
		await forwarder.forwardDelivery({ headers, body });
		handler.sockets[0]?.resetAndDestroy();
		const answer = await forwarder.forwardDelivery({ headers, body });
		expect(answer.status).toBe(204);
	});

	it("never goes to loopback through a proxy", async () => {
		const handler = await openRecorder();
		const env = { HTTP_PROXY: "http://127.0.0.1:1", http_proxy: "nonsense://" };
		const forwarder = openTo(handler.url, { env });
		const answer = await forwarder.forwardDelivery({ headers, body });
		expect(answer.status).toBe(204);
	});

	it("goes elsewhere through the proxy of the environment", async () => {
		const proxy = await openRecorder();
		const forwarder = openTo("http://handler.invalid/hook?a=1", {
			env: { HTTP_PROXY: `http://me:pass@127.0.0.1:${proxy.port}` },
		});
		await forwarder.forwardDelivery({ headers, body });
		const [request] = proxy.requests;
		expect(request?.path).toBe("http://handler.invalid/hook?a=1");
		expect(request?.header("host")).toBe("handler.invalid");
		expect(request?.header("proxy-authorization")).toBe(
			`Basic ${Buffer.from("me:pass").toString("base64")}`,
		);
	});
});

describe("a handler over TLS", () => {
	const tls = {
		cert: readTls("localhost.pem"),
		key: readTls("localhost.key"),
	};

	it.each([
		["a CA that is named", { ca: readTls("ca.pem").toString() }],
		["no check at all", { insecure: true }],
	])("is reached with %s", async (_what, options) => {
		const handler = await openRecorder({ tls });
		const forwarder = openTo(handler.url, options);
		const answer = await forwarder.forwardDelivery({ headers, body });
		expect(answer.status).toBe(204);
	});

	it("of an unknown CA gets nothing", async () => {
		const handler = await openRecorder({ tls });
		const sent = openTo(handler.url).forwardDelivery({ headers, body });
		await expect(sent).rejects.toMatchObject({ code: "tls-failed" });
		expect(handler.requests).toEqual([]);
	});
});

describe("no answer", () => {
	it("where nobody listens says so, in the words of a handler", async () => {
		const sent = openTo("http://127.0.0.1:1/hook").forwardDelivery({
			headers,
			body,
		});
		await expect(sent).rejects.toMatchObject({
			code: "connection-refused",
			next: expect.stringContaining("start the program that takes deliveries"),
		});
	});

	it.each([
		["is late", "timed-out", () => {}],
		[
			"is no HTTP",
			"http-unexpected",
			(socket: Socket) => socket.end("hello\r\n"),
		],
		["breaks off", "connection-failed", (socket: Socket) => socket.destroy()],
	])("where it %s is %s", async (_what, code, onSocket) => {
		const url = await listenTcp(onSocket);
		const isLate = code === "timed-out";
		const forwarder = openTo(url, isLate ? { timeoutMs: 300 } : {});
		const sent = forwarder.forwardDelivery({ headers, body });
		await expect(sent).rejects.toMatchObject({ code });
	});

	it("is waited for no longer once the signal says so", async () => {
		const url = await listenTcp(() => stop.abort(new Error("enough")));
		const stop = new AbortController();
		const sent = openTo(url).forwardDelivery({ headers, body }, stop.signal);
		await expect(sent).rejects.toThrow("enough");
	});
});

it("an answer whose body never ends has its status all the same", async () => {
	const url = await listenTcp((socket) => {
		socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nbegin");
	});
	const forwarder = openTo(url, { timeoutMs: 1_000 });
	expect(await forwarder.forwardDelivery({ headers, body })).toMatchObject({
		status: 200,
		bodyStart: "begin",
	});
});
