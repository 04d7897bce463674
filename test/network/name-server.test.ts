import type { LookupFunction } from "node:net";
import { describe, expect, it } from "vitest";
import { lookupBy, parseNameServer } from "../../src/network/name-server.ts";
import {
	type NameServer,
	openNameServer,
} from "../helpers/open-name-server.ts";
import {
	answering,
	CA,
	collect,
	failureOf,
	JSON_TYPE,
	listenH2,
	listenHttp,
	listenTcp,
	listenTls,
	openTo,
	request,
	result,
	texts,
} from "../session/http/harness.ts";

const HERE = { "elsewhere.example": ["127.0.0.1"] };
const hello = answering(200, JSON_TYPE, result(1));

/** What one exchange with the server answers. */
async function answersOf(target: Parameters<typeof openTo>[0]) {
	const transport = await openTo(target);
	return texts(await collect(transport.exchange(request())));
}

const ask = async (target: Parameters<typeof openTo>[0]) =>
	failureOf((await openTo(target)).exchange(request(), { timeoutMs: 9_000 }));

type NameAnswer = readonly string[] | "silence" | "failure";

describe("--resolver HOST:PORT", () => {
	it.each([
		["127.0.0.1:5353", "127.0.0.1", 5353],
		["192.0.2.1", "192.0.2.1", 53],
		["[::1]:5353", "::1", 5353],
		["[2001:db8::1]", "2001:db8::1", 53],
	])("%s is a name server", (text, host, port) => {
		expect(parseNameServer(text)).toEqual({ host, port });
	});

	it.each([
		...["localhost", "localhost:53", "1.2", "999.1.1.1", "", "::1"],
		...["127.0.0.1:0", "127.0.0.1:65536", "[1::2::3]:53", "[127.0.0.1:53"],
	])("%j is none", (text) => {
		expect(() => parseNameServer(text)).toThrow(
			expect.objectContaining({
				code: "wrong-use",
				next: "--resolver 127.0.0.1:5353",
			}),
		);
	});
});

describe("a server that another name server knows", () => {
	it.each([
		["plain HTTP", "http", () => listenHttp(hello)],
		["TLS, by its name", "https", () => listenTls(hello, "elsewhere")],
	])("is reached over %s", async (_how, scheme, start) => {
		const resolver = await openNameServer(HERE);
		const { port } = await start();
		const url = `${scheme}://elsewhere.example:${port}/mcp`;
		expect(await answersOf({ url, ca: CA, resolver })).toEqual([result(1)]);
		expect(new Set(resolver.questions)).toEqual(
			new Set(["A elsewhere.example", "AAAA elsewhere.example"]),
		);
	});

	it("is reached over HTTP/2", async () => {
		const resolver = await openNameServer(HERE);
		const asked: string[] = [];
		const { port } = await listenH2(({ authority }, response) => {
			asked.push(authority);
			response.writeHead(200, JSON_TYPE).end(result(1));
		});
		const url = `https://elsewhere.example:${port}/`;
		await answersOf({ url, insecure: true, resolver });
		expect(asked).toEqual([`elsewhere.example:${port}`]);
	});

	it("has its certificate held against that name", async () => {
		const resolver = await openNameServer(HERE);
		const { port } = await listenTls(hello, "localhost");
		const url = `https://elsewhere.example:${port}/`;
		expect(await ask({ url, ca: CA, resolver })).toMatchObject({
			code: "tls-failed",
			why: expect.stringContaining("another host"),
		});
	});

	it("is reached at the address that works, where it has several", async () => {
		const addresses = ["::1", "127.0.0.1"];
		const resolver = await openNameServer({ "elsewhere.example": addresses });
		const { port } = await listenHttp(hello);
		const url = `http://elsewhere.example:${port}/`;
		expect(await answersOf({ url, resolver })).toEqual([result(1)]);
	});

	it("is reached at once where questions for the other family have no answer", async () => {
		const resolver = await openNameServer(HERE);
		resolver.deafTo = "AAAA";
		const { port } = await listenHttp(hello);
		const url = `http://elsewhere.example:${port}/`;
		const options = { connectTimeoutMs: 1_500 };
		expect(await answersOf({ url, resolver, options })).toEqual([result(1)]);
	});

	it.each(["localhost", "127.0.0.1"])(
		"is not asked for as %s",
		async (host) => {
			const resolver = await openNameServer();
			const { port } = await listenHttp(hello);
			const url = `http://${host}:${port}/`;
			expect(await answersOf({ url, resolver })).toEqual([result(1)]);
			expect(resolver.questions).toEqual([]);
		},
	);

	it.each(["http", "https"])(
		"may be a proxy, which finds the other end by itself (%s)",
		async (scheme) => {
			const resolver = await openNameServer({ "proxy.example": ["127.0.0.1"] });
			const { port } = await listenTcp((socket) =>
				socket.end("HTTP/1.1 407 No\r\ncontent-length: 0\r\n\r\n"),
			);
			const env = { [`${scheme}_proxy`]: `http://proxy.example:${port}` };
			await ask({ url: `${scheme}://elsewhere.example/`, env, resolver });
			expect(new Set(resolver.questions)).toEqual(
				new Set(["A proxy.example", "AAAA proxy.example"]),
			);
		},
	);
});

describe("a name server that does not help", () => {
	const nameOf = ({ host, port }: NameServer) => `${host}:${port}`;

	it.each<[string, NameAnswer | undefined, string]>([
		["no name of it", undefined, "knows no address of it"],
		["no address of it", [], "knows no address of it"],
		["a failure", "failure", "could not tell (ESERVFAIL)"],
		["only silence", "silence", "did not answer (ETIMEOUT)"],
	])("because it has %s is told of", async (_what, answer, why) => {
		const resolver = await openNameServer();
		if (answer) resolver.answers.set("a.example", answer);
		const options = { connectTimeoutMs: 1_000 };
		const fault = await ask({ url: "http://a.example/", resolver, options });
		expect(fault).toMatchObject({
			code: "dns-failed",
			exitStatus: 3,
			what: "the host name a.example could not be resolved",
			why: `the name server ${nameOf(resolver)} of --resolver ${why}`,
			next: expect.stringContaining("--resolver"),
		});
	});

	it("because nothing is there is told of at once", async () => {
		const resolver = { host: "127.0.0.1", port: 1 };
		expect(await ask({ url: "http://a.example/", resolver })).toMatchObject({
			code: "dns-failed",
			why: expect.stringContaining("did not answer"),
		});
	});

	it.each(["http", "https"])(
		"with a proxy's name is told as the proxy's fault (%s)",
		async (scheme) => {
			const resolver = await openNameServer();
			const env = { [`${scheme}_proxy`]: "http://proxy.example:81" };
			const url = `${scheme}://elsewhere.example/`;
			expect(await ask({ url, env, resolver })).toMatchObject({
				code: "connection-failed",
				what: expect.stringContaining("proxy.example:81"),
				why: expect.stringContaining("knows no address"),
			});
		},
	);

	it("is asked no longer when nobody waits any more", async () => {
		const server = await openNameServer({ "a.example": "silence" });
		const gone = new AbortController();
		const lookup = lookupBy(server, { timeoutMs: 60_000, signal: gone.signal });
		const failed = failureOfLookup(lookup);
		gone.abort(new Error("gone"));
		expect(await failed).toBe(gone.signal.reason);
	});
});

const failureOfLookup = (lookup: LookupFunction) =>
	new Promise((resolve) => lookup("a.example", { all: true }, resolve));
