import { connect, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { describe, expect, it, vi } from "vitest";
import { openNameServer } from "../../helpers/open-name-server.ts";
import { createManualClock } from "../manual-clock.ts";
import {
	closedPort,
	LOOPBACK,
	newPromise,
	openCounter,
	openEndpoint,
	openGuarded,
	openPlain,
	PUBLIC,
	postTo,
} from "./guarded-world.ts";

const ANSWERED = { kind: "answered", status: 204 };
const allowPrivateCidrs = LOOPBACK;
const OK = "HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n";

describe("a call over TLS", () => {
	it("asks for the name and says it in Host, whatever address is dialled", async () => {
		const seen: unknown[] = [];
		const { port } = await openEndpoint((request, response) => {
			const { servername } = request.socket as TLSSocket;
			seen.push([servername, request.headers.host, request.url]);
			response.writeHead(204).end();
		}, "elsewhere");
		const resolver = await openNameServer({ "elsewhere.example": [PUBLIC] });
		const { callbacks, dialled } = openGuarded({ resolver });
		const url = `https://elsewhere.example:${port}/in?key=1`;
		expect(await postTo(callbacks, url)).toEqual(ANSWERED);
		const host = `elsewhere.example:${port}`;
		expect(seen).toEqual([["elsewhere.example", host, "/in?key=1"]]);
		expect(dialled).toEqual([`${PUBLIC}:${port}`]);
	});

	it.each([
		["another host", "elsewhere", undefined],
		["a time that is over", "expired", undefined],
		["an unknown CA", "localhost", { ca: undefined }],
	])("fails at a certificate of %s", async (_what, name, options) => {
		let requests = 0;
		const { url } = await openEndpoint((_request, response) => {
			requests += 1;
			response.end();
		}, name);
		const { callbacks } = openGuarded({ allowPrivateCidrs, ...options });
		const failed = { kind: "failed", reason: "tls_error" };
		expect(await postTo(callbacks, url("/"))).toEqual(failed);
		expect(requests).toBe(0);
	});

	it("tries the next address of a name where one does not answer", async () => {
		const { port } = await openEndpoint((_request, response) =>
			response.writeHead(204).end(),
		);
		const addresses = ["127.0.0.9", "127.0.0.1"];
		const resolver = await openNameServer({ localhost: addresses });
		const { callbacks } = openGuarded({
			allowPrivateCidrs,
			resolver,
			dial: undefined,
		});
		const url = `https://localhost:${port}/`;
		expect(await postTo(callbacks, url)).toEqual(ANSWERED);
	});
});

describe("an address that stays silent", () => {
	it("gets a second, where the name has another one", async () => {
		const { port } = await openEndpoint((_request, response) =>
			response.writeHead(204).end(),
		);
		const resolver = await openNameServer({ localhost: ["::1", "127.0.0.1"] });
		const clock = createManualClock();
		const begun = newPromise();
		const silent = new Socket();
		const { callbacks } = openGuarded({
			allowPrivateCidrs: ["::1", ...LOOPBACK],
			resolver,
			clock,
			dial: ({ address }) => {
				if (address !== "127.0.0.1")
					return connect({ host: "127.0.0.1", port });
				begun.resolve();
				return silent;
			},
		});
		const call = postTo(callbacks, `https://localhost:${port}/`);
		await begun.promise;
		await clock.advance(1_000);
		expect(await call).toEqual(ANSWERED);
		expect(silent.destroyed).toBe(true);
	});
});

describe("an answer", () => {
	it("of a redirect is an answer: nobody goes where it points", async () => {
		const target = await openCounter();
		const { url } = await openEndpoint((request, response) => {
			const location = `https://127.0.0.1:${target.port}${request.url}`;
			response.writeHead(307, { location }).end();
		});
		const { callbacks, dialled } = openGuarded({ allowPrivateCidrs });
		const answer = await postTo(callbacks, url("/"));
		expect(answer).toEqual({ kind: "answered", status: 307 });
		expect(dialled).toHaveLength(1);
		expect(target.connections).toBe(0);
	});

	it("without end is left after a few KiB", async () => {
		let sentBytes = 0;
		const gone = newPromise();
		const { url } = await openEndpoint((_request, response) => {
			const more = () => {
				sentBytes += 1024;
				if (response.write("x".repeat(1024))) setImmediate(more);
				else response.once("drain", more);
			};
			more();
			response.once("close", gone.resolve);
		});
		const { callbacks } = openGuarded({ allowPrivateCidrs });
		const answer = await postTo(callbacks, url("/"));
		expect(answer).toEqual({ kind: "answered", status: 200 });
		await gone.promise;
		// What the sockets between them hold; more was never asked for.
		expect(sentBytes).toBeLessThan(8 * 1024 * 1024);
	});

	it("with endless headers fails", async () => {
		const plain = await openPlain((socket) =>
			socket.write(
				`HTTP/1.1 200 OK\r\n${"x-more: and more\r\n".repeat(5_000)}`,
			),
		);
		const { callbacks } = openGuarded();
		callbacks.allowOrigin(plain.origin);
		const failed = { kind: "failed", reason: "connection_refused" };
		expect(await postTo(callbacks, plain.origin)).toEqual(failed);
	});

	it.each([
		["garbage", "hello\r\n\r\n"],
		["nothing", ""],
		[
			"a switch of protocols",
			"HTTP/1.1 101 On\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n",
		],
		["half a body", "HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf"],
	])("of %s, then the end, fails", async (_what, text) => {
		const plain = await openPlain((socket) => socket.end(text));
		const { callbacks } = openGuarded();
		callbacks.allowOrigin(plain.origin);
		const failed = { kind: "failed", reason: "connection_refused" };
		expect(await postTo(callbacks, plain.origin)).toEqual(failed);
	});
});

describe("the deadline", () => {
	it.each([
		["TCP without TLS", () => {}],
		["the headers", (socket) => socket.write("HTTP/1.1 200 OK\r\n")],
		["the body", (socket) => socket.write(`${OK}a`)],
	] as [string, (socket: { write(text: string): void }) => void][])(
		"ends a call that waits for %s",
		async (what, act) => {
			const plain = await openPlain(act);
			const clock = createManualClock();
			const { callbacks } = openGuarded({ clock, allowPrivateCidrs });
			callbacks.allowOrigin(plain.origin);
			const scheme = what.includes("TLS") ? "https" : "http";
			const call = postTo(callbacks, `${scheme}://127.0.0.1:${plain.port}/`);
			await plain.asked;
			await clock.advance(5_000);
			expect(await call).toEqual({ kind: "failed", reason: "timeout" });
			await plain.left;
			expect(clock.timers).toBe(0);
		},
	);

	it("ends a slow drip, however often something comes", async () => {
		const plain = await openPlain((socket) => {
			socket.write(OK);
			const drip = setInterval(() => socket.write("x"), 5);
			socket.once("close", () => clearInterval(drip));
		});
		const { callbacks } = openGuarded({ deadlineMs: 150 });
		callbacks.allowOrigin(plain.origin);
		const answer = await postTo(callbacks, plain.origin);
		expect(answer).toEqual({ kind: "failed", reason: "timeout" });
		await plain.left;
	});

	it("ends a question for a name", async () => {
		const resolver = await openNameServer({ "silent.example": "silence" });
		const { callbacks, dialled } = openGuarded({ resolver, deadlineMs: 100 });
		const answer = await postTo(callbacks, "https://silent.example/");
		expect(answer).toEqual({ kind: "failed", reason: "timeout" });
		expect(dialled).toEqual([]);
	});
});

describe("connections", () => {
	it("are used again, but not for long: an address is judged anew within a minute", async () => {
		const { url } = await openEndpoint((_request, response) =>
			response.writeHead(204).end(),
		);
		const clock = createManualClock();
		const { callbacks, dialled } = openGuarded({ clock, allowPrivateCidrs });
		for (let call = 0; call < 3; call += 1)
			expect(await postTo(callbacks, url("/"))).toEqual(ANSWERED);
		expect(dialled).toHaveLength(1);
		await clock.advance(60_000);
		for (let call = 0; call < 2; call += 1)
			expect(await postTo(callbacks, url("/"))).toEqual(ANSWERED);
		expect(dialled).toHaveLength(2);
	});

	it("that the endpoint closed in the meantime cost no delivery", async () => {
		const plain = await openPlain((socket) => {
			// One answer, then deaf, and gone at the second request.
			socket.once("data", () => socket.destroy());
			socket.write("HTTP/1.1 204 No Content\r\n\r\n");
		});
		const { callbacks, dialled } = openGuarded();
		callbacks.allowOrigin(plain.origin);
		expect(await postTo(callbacks, plain.origin)).toEqual(ANSWERED);
		expect(await postTo(callbacks, plain.origin)).toEqual(ANSWERED);
		expect(dialled).toHaveLength(2);
	});

	it("are refused where nobody listens", async () => {
		const { callbacks } = openGuarded({ allowPrivateCidrs });
		const url = `https://127.0.0.1:${await closedPort()}/`;
		const failed = { kind: "failed", reason: "connection_refused" };
		expect(await postTo(callbacks, url)).toEqual(failed);
	});

	it("end with the callbacks, and so do calls under way, many or few", async () => {
		const warned = vi.fn();
		process.once("warning", warned);
		const plain = await openPlain(() => {});
		const { callbacks } = openGuarded();
		callbacks.allowOrigin(plain.origin);
		const calls = Array.from({ length: 20 }, () =>
			postTo(callbacks, plain.origin),
		);
		await plain.asked;
		await callbacks.close();
		for (const answer of await Promise.all(calls))
			expect(answer).toMatchObject({ kind: "failed" });
		await plain.left;
		process.off("warning", warned);
		expect(warned).not.toHaveBeenCalled();
	});

	it("are left by a call that its caller aborts", async () => {
		const plain = await openPlain(() => {});
		const { callbacks } = openGuarded();
		callbacks.allowOrigin(plain.origin);
		const caller = new AbortController();
		const call = callbacks.post({
			url: plain.origin,
			headers: {},
			body: "",
			signal: caller.signal,
		});
		await plain.asked;
		caller.abort(new Error("no longer wanted"));
		await expect(call).rejects.toThrow("no longer wanted");
		await plain.left;
	});
});
