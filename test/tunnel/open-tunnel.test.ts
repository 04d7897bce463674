import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import {
	openTunnel,
	type Tunnel,
	type TunnelPieces,
} from "../../src/tunnel/index.ts";
import {
	type FakeRuns,
	isAlive,
	openFakeRuns,
} from "../helpers/fake-cloudflared.ts";
import { makePieces } from "./tunnel-pieces.ts";

const PORT = 4821;
const open: { close(): unknown }[] = [];
afterEach(async () => {
	for (const one of open.splice(0).reverse()) await one.close();
});

function fakeRuns(modes: string): FakeRuns {
	const runs = openFakeRuns(modes);
	open.push({ close: runs.remove });
	return runs;
}

function start(
	runs: FakeRuns,
	change: Partial<TunnelPieces> = {},
	port = PORT,
) {
	const pieces = makePieces({ env: runs.env, ...change });
	const opening = openTunnel({ kind: "cloudflared" }, port, pieces).then(
		(tunnel) => {
			open.push(tunnel);
			return tunnel;
		},
	);
	opening.catch(() => {});
	return { pieces, opening };
}

const nextChange = async (tunnel: Tunnel) =>
	(await tunnel.changes().next()).value;

describe("a quick tunnel", () => {
	it("carries a request from its address to the port, bytes untouched", async () => {
		const bodies: Buffer[] = [];
		const server = createServer(async (request, response) => {
			for await (const chunk of request) bodies.push(chunk);
			response.writeHead(204).end();
		}).listen(0, "127.0.0.1");
		open.push(server);
		await new Promise((resolve) => server.once("listening", resolve));
		const runs = fakeRuns("ok");
		const { opening } = start(runs, {}, (server.address() as AddressInfo).port);
		expect((await opening).url).toBe(
			"https://held-for-run-1.trycloudflare.com",
		);
		const { address } = await runs.run(1);
		const body = Buffer.from([0, 255, 123, 10]);
		const answer = await fetch(`${address}/hook`, { method: "POST", body });
		expect(answer.status).toBe(204);
		expect(Buffer.concat(bodies)).toEqual(body);
	});

	it("is ready when the edge has registered it, not when it has a name", async () => {
		const runs = fakeRuns("held");
		const { opening } = start(runs);
		let isOpen = false;
		opening.then(() => {
			isOpen = true;
		});
		const run = await runs.run(1);
		expect(isOpen).toBe(false);
		await runs.tell(run, "register");
		expect((await opening).url).toBe(run.url);
	});

	it("is told apart from the user's own configuration and updates", async () => {
		const runs = fakeRuns("ok");
		await start(runs).opening;
		const words = (await runs.run(1)).args.join(" ");
		expect(words).toMatch(
			/^tunnel --config \S+ --no-autoupdate --loglevel info --url http:\/\/127\.0\.0\.1:4821$/,
		);
	});

	it("starts again when it ends, and tells the new address", async () => {
		const runs = fakeRuns("ok");
		const { pieces, opening } = start(runs);
		const tunnel = await opening;
		await runs.tell(await runs.run(1), "die");
		const second = "https://held-for-run-2.trycloudflare.com";
		expect(await nextChange(tunnel)).toBe(second);
		expect(tunnel.url).toBe(second);
		expect(pieces.notes[0]).toMatch(/run-1\S+ ended \(exit status 1\)/);
		expect(pieces.notes[1]).toMatch(/up again at \S+run-2/);
		expect(pieces.pauses).toEqual([1000]);
	});

	it("tries a start that failed again, with growing waits", async () => {
		const runs = fakeRuns("refused,refused,ok");
		const { pieces, opening } = start(runs);
		expect((await opening).url).toMatch(/run-3/);
		expect(pieces.pauses).toEqual([1000, 2000]);
		expect(pieces.notes[0]).toMatch(/no such host.*trying again in 1 s$/);
	});

	it("that cannot be had is a fault with what cloudflared said, and ways out", async () => {
		const { opening } = start(fakeRuns("refused"));
		await expect(opening).rejects.toMatchObject({
			code: "tunnel-failed",
			exitStatus: 3,
			why: expect.stringContaining("api.trycloudflare.com: no such host"),
			next: expect.stringMatching(/--public-url URL.*--tunnel 'ngrok http/),
		});
	});

	it("that ends over and over is given up", async () => {
		const runs = fakeRuns("ok,dies");
		const { pieces, opening } = start(runs);
		const tunnel = await opening;
		await runs.tell(await runs.run(1), "die");
		const drain = async () => {
			for await (const _ of tunnel.changes());
		};
		await expect(drain()).rejects.toMatchObject({
			code: "tunnel-failed",
			why: expect.stringContaining("ended 9 times"),
		});
		expect(pieces.pauses.at(-1)).toBe(30_000);
	});

	it("that says nothing within a minute is a failed start, and does not stay", async () => {
		const runs = fakeRuns("silent,ok");
		const late = makePieces();
		let isFirst = true;
		const sleep: TunnelPieces["sleep"] = async (ms, signal) => {
			if (ms < 60_000 || !isFirst) return late.sleep(ms, signal);
			isFirst = false;
			await runs.run(1);
		};
		const { pieces, opening } = start(runs, { sleep });
		expect((await opening).url).toMatch(/run-2/);
		expect(pieces.notes[0]).toMatch(/not in 60 s/);
		expect(isAlive((await runs.run(1)).pid)).toBe(false);
	});
});

describe("nothing runs on", () => {
	it.each(["ok", "family"])("after close (%s)", async (mode) => {
		const runs = fakeRuns(mode);
		const { pieces, opening } = start(runs);
		const tunnel = await opening;
		const { pid, child } = await runs.run(1);
		expect([pid, child ?? pid].every(isAlive)).toBe(true);
		await tunnel.close();
		await expect.poll(() => [pid, child ?? pid].some(isAlive)).toBe(false);
		expect(pieces.lastActs.size).toBe(0);
		expect(await tunnel.changes().next()).toEqual({ done: true });
	});

	it("after close, where it does not heed SIGTERM", async () => {
		const runs = fakeRuns("stubborn");
		const tunnel = await start(runs).opening;
		await tunnel.close();
		expect(isAlive((await runs.run(1)).pid)).toBe(false);
	});

	it("after a stop while it is opened", async () => {
		const runs = fakeRuns("held");
		const { pieces, opening } = start(runs);
		const { pid } = await runs.run(1);
		pieces.stop.abort(new Error("stopped"));
		await expect(opening).rejects.toThrow("stopped");
		expect(isAlive(pid)).toBe(false);
	});

	it("after a close while it is started again", async () => {
		const runs = fakeRuns("ok,held");
		const tunnel = await start(runs).opening;
		await runs.tell(await runs.run(1), "die");
		const { pid } = await runs.run(2);
		await tunnel.close();
		expect(isAlive(pid)).toBe(false);
		expect(runs.count()).toBe(2);
	});

	it("after the last act of a forced exit", async () => {
		const runs = fakeRuns("family");
		const { pieces, opening } = start(runs);
		await opening;
		const { pid, child = 0 } = await runs.run(1);
		expect(isAlive(child)).toBe(true);
		for (const act of pieces.lastActs) act();
		await expect.poll(() => isAlive(pid) || isAlive(child)).toBe(false);
	});
});

describe("a program that is not there", () => {
	it.each([
		["/nowhere/cloudflared", /no such program/],
		[import.meta.filename, /may not be executed/],
	])("is a fault at once: %s", async (path, why) => {
		const pieces = makePieces({ env: { CLOUDFLARED_BIN: path } });
		const opening = openTunnel({ kind: "cloudflared" }, PORT, pieces);
		await expect(opening).rejects.toMatchObject({
			code: "tunnel-failed",
			what: expect.stringContaining(path),
			why: expect.stringMatching(why),
		});
		expect(pieces.pauses).toEqual([]);
	});
});
