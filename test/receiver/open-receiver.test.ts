import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { Agent, request } from "undici";
import { afterEach, describe, expect, it } from "vitest";
import {
	type Notice,
	openReceiver,
	type ReceivedDelivery,
	type Receiver,
	type ReceiverOptions,
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

async function start(change: Partial<ReceiverOptions> = {}) {
	const accepted: ReceivedDelivery[] = [];
	const notices: Notice[] = [];
	const receiver = await openReceiver({
		host: "127.0.0.1",
		port: 0,
		routes: [makeRoute()],
		now: () => NOW_MS,
		accept: async (delivery) => void accepted.push(delivery),
		tell: (notice) => notices.push(notice),
		...change,
	});
	open.push(receiver);
	const post = async (
		sending: Sending & {
			path?: string;
			method?: "POST" | "GET";
			chunked?: boolean;
			more?: string[];
		} = {},
	) => {
		const {
			path = PATH,
			method = "POST",
			body = eventBody(),
			chunked,
			more = [],
		} = sending;
		const headers = [...signedHeaders(sending).flat(), ...more];
		const sent = chunked ? Readable.from([body]) : body;
		const answer = await request(receiver.origin + path, {
			method,
			headers,
			body: method === "GET" ? null : sent,
		});
		return {
			status: answer.statusCode,
			headers: answer.headers,
			text: await answer.body.text(),
		};
	};
	return { receiver, accepted, notices, post };
}

/** Resolves to all that came once the other side has closed. */
async function untilClosed(socket: Socket): Promise<string> {
	let text = "";
	socket.on("data", (chunk) => {
		text += chunk;
	});
	await new Promise((resolve) => socket.once("close", resolve));
	return text;
}

async function dial(receiver: Receiver, text: string) {
	const socket = connect(receiver.port, "127.0.0.1");
	await once(socket, "connect");
	socket.on("error", () => {});
	socket.write(text);
	return socket;
}

it("answers 500 for a defect of ours, and tells", async () => {
	const error = new Error("broken");
	const answer = () => Promise.reject(error);
	const { notices, post } = await start({
		replies: { answer, report: () => [] },
	});
	expect((await post()).status).toBe(500);
	await expect.poll(() => notices).toEqual([{ kind: "defect", error }]);
});

describe("a delivery over a socket", () => {
	it("comes through with its bytes and headers as they were sent", async () => {
		const { accepted, post } = await start();
		const body = eventBody("é\u2028").replace(/,/g, " , ");
		await post({
			body,
			path: `${PATH}?key=1`,
			more: ["X-Twice", "b", "x-twice", "a"],
		});
		const [delivery] = accepted;
		expect(delivery?.body).toEqual(Buffer.from(body));
		expect(delivery?.headers.filter(([name]) => /twice/i.test(name))).toEqual([
			["X-Twice", "b"],
			["x-twice", "a"],
		]);
		expect(delivery).toMatchObject({
			path: `${PATH}?key=1`,
			method: "POST",
			receivedAtMs: NOW_MS,
			subscription: "a.made",
			answer: { status: 204 },
		});
	});

	it("is acknowledged only when it is stored", async () => {
		const stored = withResolvers();
		let isAnswered = false;
		const { post } = await start({
			accept: async () => void (await stored.promise),
		});
		const answer = post().then(({ status }) => {
			isAnswered = true;
			return status;
		});
		await post({ path: "/elsewhere" });
		expect(isAnswered).toBe(false);
		stored.resolve(undefined);
		expect(await answer).toBe(204);
	});

	it("is refused for a while when it cannot be stored, and taken when it can", async () => {
		let isFull = true;
		const { notices, post } = await start({
			accept: async () => {
				if (isFull) throw new Error("ENOSPC");
				return undefined;
			},
		});
		expect(await post()).toMatchObject({
			status: 503,
			headers: { "retry-after": "2" },
		});
		expect(notices).toMatchObject([
			{ kind: "not-stored", fault: { message: "ENOSPC" } },
		]);
		isFull = false;
		expect((await post()).status).toBe(204);
	});

	it("is handed on once, however often it comes", async () => {
		const { accepted, notices, post } = await start();
		const answers = await Promise.all([post(), post({ id: "msg_2" }), post()]);
		answers.push(await post());
		expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204]);
		expect(accepted).toHaveLength(1);
		expect(notices.map(({ kind }) => kind)).toEqual([
			"duplicate",
			"duplicate",
			"duplicate",
		]);
	});

	it("is not acknowledged as a repetition before the first one is stored", async () => {
		let calls = 0;
		const { post } = await start({
			accept: async () => {
				if (++calls === 1) throw new Error("first fails");
				return undefined;
			},
		});
		const answers = await Promise.all([post(), post(), post()]);
		expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 503]);
		expect(calls).toBe(2);
	});

	it("is answered as the one who keeps it says, and the same again", async () => {
		const statuses = [410, 202];
		const { post } = await start({
			accept: async () => ({ status: statuses.shift() ?? 500 }),
		});
		const answers = [await post(), await post(), await post()];
		expect(answers.map(({ status }) => status)).toEqual([410, 202, 202]);
	});
});

describe("a handshake", () => {
	const body = '{"type":"verification","challenge":"n-1"}';
	const unbound = () => [makeRoute({ subscriptionId: undefined })];

	it("is echoed and binds the id, so that the events that follow are taken", async () => {
		const { notices, post } = await start({ routes: unbound() });
		expect((await post()).status).toBe(503);
		const answer = await post({ body, id: "msg_verification_1" });
		expect(answer).toMatchObject({
			status: 200,
			text: '{"challenge":"n-1"}',
			headers: { "content-type": "application/json" },
		});
		expect(notices.at(-1)).toEqual({
			kind: "bound",
			subscription: "a.made",
			subscriptionId: "sub_1",
		});
		expect((await post()).status).toBe(204);
	});

	it("is echoed even if it cannot be stored", async () => {
		const accept = async () => {
			throw new Error("full");
		};
		const { post } = await start({ routes: unbound(), accept });
		expect((await post({ body })).status).toBe(200);
	});
});

describe("the answers", () => {
	it.each([
		["another path", 404, { path: "/hooks/other" }, {}],
		["GET", 405, { method: "GET" as const }, { allow: "POST" }],
		["a body too large", 413, { body: eventBody("x".repeat(2000)) }, {}],
		[
			"a body that turns out too large",
			413,
			{ body: eventBody("x".repeat(2000)), chunked: true },
			{},
		],
		["no subscription id", 400, { subscriptionId: null }, {}],
		["a signed body that is none of ours", 400, { body: "{}" }, {}],
		["an old timestamp", 401, { signedMs: NOW_MS - 400_000 }, {}],
		[
			"an unknown subscription",
			503,
			{ subscriptionId: "sub_2" },
			{ "retry-after": "2" },
		],
	])(
		"for %s is %i, told with its reason and kept from accept",
		async (_, status, sending, headers) => {
			const { accepted, notices, post } = await start({
				limits: { bodyBytes: 1000 },
			});
			expect(await post(sending)).toMatchObject({ status, headers });
			expect(accepted).toEqual([]);
			expect(notices).toMatchObject([
				{ kind: "refused", refused: { answer: { status } } },
			]);
			expect((await post()).status).toBe(204);
		},
	);

	it("tell a refused delivery's bytes to us, and not the evidence to the sender", async () => {
		const { notices, post } = await start();
		const body = eventBody();
		const answer = await post({
			body: `${body} `,
			more: [],
			signedMs: NOW_MS - 301_000,
		});
		expect(answer.text).toBe('{"error":"too-old"}\n');
		expect(notices[0]).toMatchObject({
			refused: {
				body: Buffer.from(`${body} `),
				candidates: ["a.made"],
				verdict: { kind: "too-old", seconds: 301 },
			},
		});
	});

	it("follow the routes that there are now", async () => {
		const { receiver, post } = await start({ routes: [] });
		expect((await post()).status).toBe(404);
		receiver.addRoute(makeRoute());
		expect((await post()).status).toBe(204);
		receiver.removeRoute(PATH);
		expect((await post()).status).toBe(404);
	});

	it("tell nobody of a sender that asked for the well-known document, which is no delivery", async () => {
		const { post, notices } = await start();
		const path = "/.well-known/mcp-webhook-receiver.json";
		expect((await post({ path, method: "GET" })).status).toBe(404);
		expect(notices).toEqual([]);
		expect((await post({ path })).status).toBe(404);
		expect(notices).toHaveLength(1);
	});

	it("serve the well-known document only where it is asked for", async () => {
		const path = "/.well-known/mcp-webhook-receiver.json";
		const off = await start();
		expect((await off.post({ path, method: "GET" })).status).toBe(404);
		const on = await start({ wellKnownPrefix: "/hooks/" });
		expect(await on.post({ path, method: "GET" })).toMatchObject({
			status: 200,
			text: '{"receivers":["/hooks/"]}\n',
		});
	});
});

describe("a bad sender", () => {
	const short = {
		headersTimeoutMs: 200,
		requestTimeoutMs: 400,
		idleTimeoutMs: 300,
	};

	it.each([
		["says nothing", "", /^$|^HTTP\/1.1 408/],
		[
			"never ends its headers",
			`POST ${PATH} HTTP/1.1\r\nHost: x\r\n`,
			/^HTTP\/1.1 408/,
		],
		[
			"never ends its body",
			`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`,
			/^HTTP\/1.1 408/,
		],
		[
			"never ends a chunk",
			`POST ${PATH} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{`,
			/^HTTP\/1.1 408/,
		],
		["sends no HTTP", "hello\r\n\r\n", /^HTTP\/1.1 400/],
		[
			"sends headers without end",
			`POST ${PATH} HTTP/1.1\r\nX: ${"x".repeat(20_000)}`,
			/^HTTP\/1.1 431/,
		],
	])("that %s is cut off", async (_, text, answer) => {
		const { receiver, accepted, notices } = await start({ limits: short });
		expect(await untilClosed(await dial(receiver, text))).toMatch(answer);
		expect([accepted, notices]).toEqual([[], []]);
	});

	it("that drips its body is cut off all the same", async () => {
		const { receiver } = await start({ limits: short });
		const socket = await dial(
			receiver,
			`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n`,
		);
		const dripping = setInterval(() => socket.write(" "), 20);
		await untilClosed(socket);
		clearInterval(dripping);
	});

	it("that sends on without end after it was refused is cut off", async () => {
		const { receiver } = await start();
		const socket = await dial(
			receiver,
			"POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 999999999\r\n\r\n",
		);
		const chunk = Buffer.alloc(1024 * 1024);
		const pour = () => {
			while (!socket.destroyed && socket.write(chunk));
		};
		socket.on("drain", pour);
		pour();
		await untilClosed(socket);
		expect(socket.bytesWritten).toBeLessThan(100 * 1024 * 1024);
	});

	it("that opens many connections keeps no more than the cap", async () => {
		const { receiver } = await start({ limits: { connections: 4 } });
		const sockets = await Promise.all(
			Array.from({ length: 12 }, () => dial(receiver, "")),
		);
		const closed = sockets.map((socket) => untilClosed(socket).then(() => 1));
		const atLeast = (count: number) =>
			new Promise<void>((resolve) => {
				let ended = 0;
				for (const one of closed)
					one.then(() => ++ended === count && resolve());
			});
		await atLeast(8);
		expect(sockets.filter(({ destroyed }) => !destroyed)).toHaveLength(4);
	});

	it("that leaves in the middle disturbs nobody", async () => {
		const { receiver, notices, post } = await start();
		const socket = await dial(
			receiver,
			`POST ${PATH} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{`,
		);
		socket.resetAndDestroy();
		expect((await post()).status).toBe(204);
		expect(notices).toEqual([]);
	});

	it("that leaves once it has sent all of it has sent it", async () => {
		const { receiver, accepted } = await start();
		const body = eventBody();
		const headers = [
			...signedHeaders({ body }),
			["Content-Length", body.length],
		];
		const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
		const head = `POST ${PATH} HTTP/1.1\r\nHost: x\r\n${lines.join("")}\r\n`;
		(await dial(receiver, head + body)).end();
		await expect.poll(() => accepted.length).toBe(1);
		expect(accepted[0]?.body.toString()).toBe(body);
	});

	it("is told to wait when too many requests are in progress", async () => {
		const stored = withResolvers();
		const { post } = await start({
			limits: { requests: 2 },
			accept: async () => void (await stored.promise),
		});
		const waiting = [1, 2].map((at) => post({ body: eventBody(`e${at}`) }));
		let status = 0;
		for (let at = 0; status !== 503; at++) {
			const answer = post({ body: eventBody(`more${at}`) });
			waiting.push(answer);
			status = await Promise.race([
				answer.then((one) => one.status),
				new Promise<number>((resolve) => setTimeout(resolve, 50, 0)),
			]);
		}
		stored.resolve(undefined);
		expect((await waiting[0])?.status).toBe(204);
	});
});

describe("opening and closing", () => {
	it("says which address is taken", async () => {
		const { receiver } = await start();
		await expect(start({ port: receiver.port })).rejects.toMatchObject({
			code: "address-unusable",
			what: expect.stringContaining(`port ${receiver.port}`),
			why: expect.stringContaining("EADDRINUSE"),
		});
	});

	it("lets a request in progress end", async () => {
		const stored = withResolvers();
		const begun = withResolvers();
		const { receiver, post } = await start({
			accept: async () => {
				begun.resolve(undefined);
				await stored.promise;
				return undefined;
			},
		});
		const answer = post();
		await begun.promise;
		const closing = receiver.close(10_000);
		stored.resolve(undefined);
		expect((await answer).status).toBe(204);
		await closing;
		await expect(post()).rejects.toThrow();
	});

	it("takes deliveries over TLS, and says when a certificate is unusable", async () => {
		const pem = (name: string) =>
			readFileSync(join(import.meta.dirname, "../fixtures/tls", name), "utf8");
		const { receiver } = await start({
			tls: { cert: pem("localhost.pem"), key: pem("localhost.key") },
		});
		const dispatcher = new Agent({
			connect: { ca: pem("ca.pem"), servername: "localhost" },
		});
		const answer = await request(receiver.origin + PATH, {
			method: "POST",
			headers: signedHeaders().flat(),
			body: eventBody(),
			dispatcher,
		});
		expect([receiver.origin.slice(0, 8), answer.statusCode]).toEqual([
			"https://",
			204,
		]);
		await dispatcher.close();
		await expect(start({ tls: { cert: "x", key: "y" } })).rejects.toMatchObject(
			{ code: "tls-failed" },
		);
	});
});

function withResolvers() {
	let resolve: (value: undefined) => void = () => {};
	const promise = new Promise<undefined>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}
