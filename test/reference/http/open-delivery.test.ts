import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	openDemoSource,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import { LOOPBACK, openEndpoint, TEST_CA } from "../callbacks/guarded-world.ts";
import { createManualClock, realClock } from "../manual-clock.ts";
import { openStdinServer } from "../open-stdin-server.ts";
import { openStorePath } from "../webhooks/store-folder.ts";
import { type Json, post, rawRequest } from "../wire-client.ts";

const TOKENS = [{ principal: "me", token: "mine" }];
const base = { random: () => 0.5, randomBytes };
const headers = { authorization: "Bearer mine" };

async function modesOf(url: string, bend = {}) {
	const answer = await post(url, "events/list", {}, bend);
	return ((await answer.json()) as Json).result.events[0].delivery;
}

describe("webhook delivery", () => {
	it("is offered where callers have tokens, and nowhere else", async () => {
		await using open = (await openStdinServer({ delivery: base })).server;
		expect(await modesOf(open.url)).toEqual(["poll", "push"]);
		const options = { delivery: base, tokens: TOKENS };
		await using closed = (await openStdinServer(options)).server;
		expect(await modesOf(closed.url, { headers })).toContain("webhook");
	});

	it.each([
		["http://hooks.example.com/", /https/],
		["https://127.0.0.1/", /may not be called/],
		["https://[::ffff:10.0.0.1]/", /may not be called/],
	])("calls no %s, and says no more of it", async (url, words) => {
		const options = { delivery: base, tokens: TOKENS };
		await using server = (await openStdinServer(options)).server;
		const secret = `whsec_${randomBytes(32).toString("base64")}`;
		const delivery = { mode: "webhook", url, secret };
		const params = { name: "stdin.line", arguments: {}, delivery };
		const bend = { headers };
		const answer = await post(server.url, "events/subscribe", params, bend);
		const { error } = (await answer.json()) as Json;
		expect(error.code).toBe(-32602);
		expect(error.message).toMatch(words);
	});
});

describe("a subscription of somebody who has no token any longer", () => {
	it("is ended with Forbidden when the server starts again, and those of others go on", async () => {
		const posted: Json[] = [];
		const { url } = await openEndpoint((request, response) => {
			request.on("data", (body) => posted.push(JSON.parse(String(body))));
			response.end();
		});
		const owner = { pid: process.pid, host: "here", isAlive: () => true };
		const allowCallbacks = [url("/")];
		const rules = { allowPrivateCidrs: LOOPBACK, ca: TEST_CA };
		const store = { path: openStorePath(), owner };
		const delivery = {
			...base,
			store,
			callbacks: { allowCallbacks, ...rules },
		};
		const you = { principal: "you", token: "yours" };
		const tokens = [...TOKENS, you];
		const before = await openStdinServer({ tokens, delivery });
		for (const { token } of tokens) {
			const bend = { headers: { authorization: `Bearer ${token}` } };
			const secret = `whsec_${randomBytes(32).toString("base64")}`;
			const to = { mode: "webhook", url: url("/hook"), secret };
			const params = { name: "stdin.line", delivery: to, ttlMs: null };
			await post(before.url, "events/subscribe", params, bend);
		}
		await before.server.close();
		const after = await openStdinServer({ tokens: TOKENS, delivery });
		await using _ = after.server;
		await expect.poll(() => posted.length).toBe(1);
		expect(posted[0]).toMatchObject({
			type: "terminated",
			error: { code: -32024 },
		});
		await after.emit(1);
		await expect.poll(() => posted.length).toBe(2);
		expect(posted[1]).toMatchObject({ data: { n: 1 } });
	});
});

describe("the key of v1a signatures", () => {
	const { privateKey, publicKey } = generateKeyPairSync("ed25519");
	const delivery = { ...base, signingKey: privateKey };

	it("is served as a JWK set to whoever asks, without a token", async () => {
		const options = { delivery, tokens: TOKENS };
		await using server = (await openStdinServer(options)).server;
		const url = server.url.replace(
			"/mcp",
			"/.well-known/mcp-webhook-jwks.json",
		);
		const answer = await fetch(url);
		expect(answer.headers.get("content-type")).toBe("application/jwk-set+json");
		const { keys } = (await answer.json()) as Json;
		expect(keys).toMatchObject([publicKey.export({ format: "jwk" })]);
		expect(keys[0].d).toBeUndefined();
		expect((await rawRequest(url, "POST", {})).status).toBe(405);
	});

	it("is nowhere where nothing is signed with one", async () => {
		await using server = (await openStdinServer({ tokens: TOKENS })).server;
		const url = server.url.replace(
			"/mcp",
			"/.well-known/mcp-webhook-jwks.json",
		);
		expect((await fetch(url)).status).toBe(404);
	});
});

describe("a server that cannot be opened", () => {
	it("lets go of its store and its sources", async () => {
		const folder = mkdtempSync(join(tmpdir(), "mcp-events-store-"));
		const owner = { pid: process.pid, host: "here", isAlive: () => true };
		const store = { path: join(folder, "store"), owner };
		const clock = createManualClock();
		const source = openDemoSource({ clock, seed: "1", epoch: "run" });
		const options = { clock: realClock, version: "0", tokens: TOKENS };
		const delivery = { ...base, store };
		const sources = [source, source];
		await expect(
			openReferenceServer({ ...options, delivery, sources }),
		).rejects.toMatchObject({ code: "wrong-use" });
		expect(clock.timers).toBe(0);
		const again = await openStdinServer({ tokens: TOKENS, delivery });
		await again.server.close();
		rmSync(folder, { recursive: true });
	});
});
