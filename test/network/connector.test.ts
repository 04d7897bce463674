import { createServer as createHttp, request as httpRequest } from "node:http";
import { createServer as createHttps } from "node:https";
import { connect as netConnect, type Server, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { freePort } from "../helpers/free-port.ts";
import {
	answering,
	CA,
	certificate,
	collect,
	failureOf,
	JSON_TYPE,
	listen,
	listenH2,
	listenHttp,
	listenTcp,
	listenTls,
	openTo,
	request,
	result,
	texts,
} from "../session/http/harness.ts";

const hello = answering(200, JSON_TYPE, result(1));
const ask = async (target: Parameters<typeof openTo>[0]) =>
	failureOf((await openTo(target)).exchange(request(), { timeoutMs: 5_000 }));

describe("a certificate", () => {
	it.each([
		["of an unknown CA", "localhost", undefined, "localhost", "unknown CA"],
		["for another host", "elsewhere", CA, "localhost", "another host"],
		[
			"for another host, by address",
			"elsewhere",
			CA,
			"127.0.0.1",
			"another host",
		],
		["that has expired", "expired", CA, "localhost", "expired"],
	])("%s is tls-failed, and says so", async (_what, name, ca, host, why) => {
		const { port } = await listenTls(hello, name);
		expect(await ask({ url: `https://${host}:${port}/`, ca })).toMatchObject({
			code: "tls-failed",
			exitStatus: 3,
			why: expect.stringContaining(why),
			next: expect.stringContaining("--insecure"),
		});
	});

	it.each(["localhost", "127.0.0.1"])(
		"is trusted by --ca for %s",
		async (host) => {
			const { port } = await listenTls(hello);
			const transport = await openTo({
				url: `https://${host}:${port}/`,
				ca: CA,
			});
			expect(texts(await collect(transport.exchange(request())))).toEqual([
				result(1),
			]);
		},
	);

	it.each(["localhost", "elsewhere", "expired"])(
		"is not looked at with --insecure (%s)",
		async (name) => {
			const { port } = await listenTls(hello, name);
			const transport = await openTo({
				url: `https://localhost:${port}/`,
				insecure: true,
			});
			expect(texts(await collect(transport.exchange(request())))).toEqual([
				result(1),
			]);
		},
	);
});

describe("the wrong scheme", () => {
	it("https to a port of plain HTTP is tls-failed, with the address that would work", async () => {
		const { port } = await listenHttp(hello);
		expect(await ask({ url: `https://localhost:${port}/mcp` })).toMatchObject({
			code: "tls-failed",
			next: `write http://localhost:${port}/mcp`,
		});
	});

	it("http to a port of TLS is tls-failed, with the address that would work", async () => {
		const { port } = await listenTls(hello);
		expect(await ask({ url: `http://localhost:${port}/mcp` })).toMatchObject({
			code: "tls-failed",
			next: `write https://localhost:${port}/mcp`,
		});
	});

	it("http to a port of TLS that answers plain HTTP with 400 is told the same", async () => {
		const secure = createHttps(certificate(), hello);
		const { port } = await listenTcp((socket) => {
			socket.once("data", (start) => {
				if (start[0] !== 0x16)
					return socket.end(
						"HTTP/1.1 400 Bad Request\r\nconnection: close\r\n\r\nplain HTTP",
					);
				socket.pause();
				socket.unshift(start);
				secure.emit("connection", socket);
			});
		});
		expect(await ask({ url: `http://localhost:${port}/` })).toMatchObject({
			code: "tls-failed",
		});
	});

	it("something that speaks neither is told apart", async () => {
		const { port } = await listenTcp((socket) =>
			socket.end("SSH-2.0-OpenSSH_9\r\n"),
		);
		expect(await ask({ url: `http://localhost:${port}/` })).toMatchObject({
			code: "http-unexpected",
		});
		expect(await ask({ url: `https://localhost:${port}/` })).toMatchObject({
			code: "tls-failed",
		});
	});
});

describe("nobody there", () => {
	it("refused is connection-refused, with our own server as the next step", async () => {
		const free = await freePort();
		for (const host of ["127.0.0.1", "localhost"])
			expect(await ask({ url: `http://${host}:${free}/` })).toMatchObject({
				code: "connection-refused",
				next: expect.stringContaining(`mcp-events serve --port ${free}`),
			});
	});

	it("an unknown host is dns-failed", async () => {
		expect(await ask({ url: "https://no-such-host.invalid/" })).toMatchObject({
			code: "dns-failed",
		});
	});

	it("a connection that is closed at once is connection-failed", async () => {
		const { port } = await listenTcp((socket) => socket.destroy());
		for (const scheme of ["http", "https"])
			expect(
				await ask({ url: `${scheme}://127.0.0.1:${port}/` }),
			).toMatchObject({ code: "connection-failed" });
	});

	it("a handshake that never ends is timed-out, and names --connect-timeout", async () => {
		const { port } = await listenTcp(() => {});
		expect(
			await ask({
				url: `https://localhost:${port}/`,
				options: { connectTimeoutMs: 100 },
			}),
		).toMatchObject({
			code: "timed-out",
			next: expect.stringContaining("--connect-timeout"),
		});
	});

	it("the next request tries anew", async () => {
		let isUp = false;
		const server = createHttps(certificate(), hello);
		const { port } = await listenTcp((socket) => {
			if (isUp) server.emit("connection", socket);
			else socket.destroy();
		});
		const transport = await openTo({
			url: `https://localhost:${port}/`,
			ca: CA,
		});
		await failureOf(transport.exchange(request()));
		isUp = true;
		expect(await collect(transport.exchange(request()))).toHaveLength(1);
	});
});

interface Seen {
	line: string;
	authorization: string | undefined;
	hadUsersHeader: boolean;
}

/** A little proxy: tunnels and plain requests, all to one port of 127.0.0.1. */
async function listenProxy(port: number, { tls = false, status = 200 } = {}) {
	const seen: Seen[] = [];
	const note = (asked: {
		method?: string;
		url?: string;
		headers: Record<string, unknown>;
	}) =>
		seen.push({
			line: `${asked.method} ${asked.url}`,
			authorization: asked.headers["proxy-authorization"]?.toString(),
			hadUsersHeader: "x-secret" in asked.headers,
		});
	const server = tls ? createHttps(certificate()) : createHttp();
	server.on("request", (asked, response) => {
		note(asked);
		const { method, headers } = asked;
		const onward = httpRequest(
			{
				host: "127.0.0.1",
				port,
				method,
				headers,
				path: new URL(asked.url ?? "").pathname,
			},
			(answer) => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			},
		);
		asked.pipe(onward);
	});
	server.on("connect", (asked, socket: Socket) => {
		note(asked);
		socket.on("error", () => {});
		if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
		const onward = netConnect(port, "127.0.0.1", () => {
			socket.write("HTTP/1.1 200 OK\r\n\r\n");
			socket.pipe(onward).pipe(socket);
		});
		onward.on("error", () => socket.destroy());
		socket.on("close", () => onward.destroy());
	});
	return { ...(await listen(server as Server)), seen };
}

describe("a proxy", () => {
	it.each([
		[
			"HTTP/1.1",
			(): ReturnType<typeof listenTls> => listenTls(hello, "elsewhere"),
		],
		[
			"HTTP/2",
			(): ReturnType<typeof listenTls> =>
				listenH2((_asked, response) =>
					response.writeHead(200, JSON_TYPE).end(result(1)),
				),
		],
	])(
		"opens a tunnel for https (%s), with its own credentials and none of ours",
		async (protocol, start) => {
			const { port } = await start();
			const proxy = await listenProxy(port);
			const transport = await openTo({
				url: "https://elsewhere.example/mcp",
				env: { HTTPS_PROXY: `http://me:pw@127.0.0.1:${proxy.port}` },
				headers: [["X-Secret", "s"]],
				insecure: protocol === "HTTP/2",
				ca: CA,
			});
			expect(texts(await collect(transport.exchange(request())))).toEqual([
				result(1),
			]);
			const authorization = `Basic ${Buffer.from("me:pw").toString("base64")}`;
			expect(proxy.seen).toEqual([
				{
					line: "CONNECT elsewhere.example:443",
					authorization,
					hadUsersHeader: false,
				},
			]);
			expect(transport.notes.join()).not.toContain("pw");
		},
	);

	it("is asked for the whole URL over plain http", async () => {
		const { port } = await listenHttp(hello);
		const proxy = await listenProxy(port);
		const env = { http_proxy: `127.0.0.1:${proxy.port}` };
		const transport = await openTo({
			url: "http://elsewhere.example:81/mcp",
			env,
		});
		expect(texts(await collect(transport.exchange(request())))).toEqual([
			result(1),
		]);
		expect(proxy.seen.map(({ line }) => line)).toEqual([
			"POST http://elsewhere.example:81/mcp",
		]);
	});

	it("may itself be behind TLS", async () => {
		const { port } = await listenTls(hello, "elsewhere");
		const proxy = await listenProxy(port, { tls: true });
		const env = {
			HTTPS_PROXY: `https://localhost:${proxy.port}`,
			HTTP_PROXY: `https://localhost:${proxy.port}`,
		};
		const transport = await openTo({
			url: "https://elsewhere.example/",
			env,
			ca: CA,
		});
		expect(texts(await collect(transport.exchange(request())))).toEqual([
			result(1),
		]);
	});

	it("is not used for loopback", async () => {
		const { port } = await listenTls(hello);
		const env = { HTTPS_PROXY: "http://127.0.0.1:1" };
		const transport = await openTo({
			url: `https://localhost:${port}/`,
			env,
			ca: CA,
		});
		expect(texts(await collect(transport.exchange(request())))).toEqual([
			result(1),
		]);
	});

	it.each([
		[407, "unauthorized"],
		[403, "connection-failed"],
		[502, "connection-failed"],
	])("that answers %i is %s", async (status, code) => {
		const proxy = await listenProxy(1, { status });
		const env = { HTTPS_PROXY: `http://me:secret@127.0.0.1:${proxy.port}` };
		const fault = await ask({ url: "https://elsewhere.example/", env });
		expect(fault).toMatchObject({
			code,
			what: expect.stringContaining(`http://127.0.0.1:${proxy.port}`),
		});
		expect(JSON.stringify(fault)).not.toContain("secret");
	});

	it.each(["http", "https"])(
		"that is not there is told as the proxy's fault (%s)",
		async (scheme) => {
			const env = {
				HTTPS_PROXY: "http://127.0.0.1:1",
				HTTP_PROXY: "http://127.0.0.1:1",
			};
			expect(
				await ask({ url: `${scheme}://elsewhere.example/`, env }),
			).toMatchObject({
				code: "connection-failed",
				what: "the proxy http://127.0.0.1:1 made no connection",
			});
		},
	);

	it("that never answers is timed-out", async () => {
		const { port } = await listenTcp(() => {});
		const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` };
		expect(
			await ask({
				url: "https://elsewhere.example/",
				env,
				options: { connectTimeoutMs: 100 },
			}),
		).toMatchObject({
			code: "timed-out",
			what: expect.stringContaining("through http://127.0.0.1"),
		});
	});
});
