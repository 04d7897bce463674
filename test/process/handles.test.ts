// After every stream is closed and every client gone, a server holds what it held before: timers, sockets, watchers.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { openRecorder } from "../helpers/open-recorder.ts";
import { BINARY, pinnedEnvironment } from "../helpers/run-cli.ts";
import { openTextCollector } from "../helpers/text-collector.ts";
import { messagesOf, openH2 } from "../reference/h2-client.ts";
import { HAS_SQLITE3 } from "../reference/sqlite-database.ts";
import {
	type Json,
	META,
	modernHeaders,
	take,
} from "../reference/wire-client.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-events-handles-"));
afterAll(() => rmSync(folder, { recursive: true }));
const probe = join(
	import.meta.dirname,
	"../fixtures/programs/tell-resources.cjs",
);
const tlsFolder = join(import.meta.dirname, "../fixtures/tls");
const TOKEN = "a-token-of-ann";
const SECRET = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;
const log = join(folder, "app.log");
writeFileSync(log, "");

/** Has another program write to the database; undefined where there is none that could. */
const sql = HAS_SQLITE3
	? (text: string) => execFileSync("sqlite3", [join(folder, "app.db"), text])
	: undefined;
sql?.("CREATE TABLE orders (id INTEGER PRIMARY KEY AUTOINCREMENT, n INTEGER)");
const SQLITE = { kind: "sqlite", path: "app.db", table: "orders" };

/** Gives each of the sources something to tell. */
function touchSources() {
	appendFileSync(log, "a line\n");
	sql?.("INSERT INTO orders (n) VALUES (1)");
}

const WANTED = [
	{ name: "clock.tick", arguments: { periodMs: 20 } },
	{ name: "dice.rolled", arguments: { sides: 6 } },
	{ name: "file.line", arguments: {} },
	...(sql ? [{ name: "order.added", arguments: {} }] : []),
];

async function startServer(words: string[], http: object = {}) {
	const config = join(folder, "serve.json");
	const sources = [
		{ kind: "demo" },
		{ kind: "file", path: "app.log" },
		{ kind: "dir", path: "." },
		...(sql ? [{ ...SQLITE, eventName: "order.added" }] : []),
	];
	writeFileSync(config, JSON.stringify({ sources, ...http }));
	const child = spawn(
		process.execPath,
		[BINARY, "serve", "--config", config, ...words],
		{
			env: {
				...pinnedEnvironment(folder),
				NODE_OPTIONS: `--require ${probe}`,
				ANN: TOKEN,
			},
			stdio: ["pipe", "pipe", "pipe"],
		},
	);
	onTestFinished(() => void child.kill("SIGKILL"));
	const stderr = openTextCollector(child.stderr);
	const stdout = openTextCollector(child.stdout);
	const told = () => stderr.text.match(/^resources .*$/gm) ?? [];
	const resources = async (): Promise<Json> => {
		const count = told().length;
		child.kill("SIGUSR2");
		await stderr.waitFor(() => told().length > count);
		return JSON.parse(told().at(-1)?.slice("resources ".length) ?? "");
	};
	const end = async () => {
		child.kill("SIGTERM");
		expect((await once(child, "exit"))[0]).toBe(143);
	};
	return { child, stdout, stderr, resources, end };
}

/** What it holds once it has settled after its start. */
async function settled(resources: () => Promise<Json>): Promise<Json> {
	let before: Json;
	await expect
		.poll(
			async () => {
				const last = before;
				before = await resources();
				return JSON.stringify(before) === JSON.stringify(last);
			},
			{ interval: 300, timeout: 10_000 },
		)
		.toBe(true);
	return before;
}

/** A stream on a connection of its own, which goes with it: fetch would open another in its place. */
async function* streamAlone(url: string, params: Json): AsyncGenerator<Json> {
	const method = "events/stream";
	const headers = modernHeaders(method, params);
	const call = request(url, { method: "POST", headers, agent: false });
	const withMeta = { _meta: META, ...params };
	call.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: withMeta }));
	const [response] = await once(call, "response");
	try {
		let text = "";
		for await (const chunk of response.setEncoding("utf8")) {
			text += chunk;
			const frames = text.split("\n\n");
			text = frames.pop() ?? "";
			for (const frame of frames)
				yield JSON.parse(frame.replace(/^data: /, ""));
		}
	} finally {
		call.destroy();
	}
}

/** One call, with a connection of its own, that must be granted. */
async function callAlone(url: string, method: string, params: Json) {
	const headers = {
		...modernHeaders(method, params),
		authorization: `Bearer ${TOKEN}`,
	};
	const call = request(url, { method: "POST", headers, agent: false });
	const withMeta = { _meta: META, ...params };
	call.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: withMeta }));
	const [response] = await once(call, "response");
	expect(await json(response)).toHaveProperty("result");
}

/** Two messages of each stream, then every client goes without a word. */
async function useStreams(open: (params: Json) => AsyncGenerator<Json>) {
	for (let round = 0; round < 2; round++) {
		const streams = WANTED.map(open);
		for (const stream of streams) await take(stream, 1);
		touchSources();
		for (const stream of streams) await take(stream, 1);
		for (const stream of streams) await stream.return(undefined);
	}
}

describe("a server whose clients are gone", () => {
	it("holds over HTTP what it held before", async () => {
		const { stderr, resources, end } = await startServer([]);
		const [, url = ""] = await stderr.until(/ at (http\S+)/);
		const before = await settled(resources);
		await useStreams((params) => streamAlone(url, params));
		await expect.poll(resources, { timeout: 10_000 }).toEqual(before);
		await end();
	});

	it("holds over TLS and HTTP/2 what it held before", async () => {
		const tls = {
			cert: join(tlsFolder, "localhost.pem"),
			key: join(tlsFolder, "localhost.key"),
		};
		const { stderr, resources, end } = await startServer([], { http: { tls } });
		const [, url = ""] = await stderr.until(/ at (https\S+)/);
		const before = await settled(resources);
		const client = await openH2(url);
		await useStreams((params) =>
			messagesOf(client.start("events/stream", params)),
		);
		client.leave();
		await expect.poll(resources, { timeout: 10_000 }).toEqual(before);
		await end();
	});

	it("holds what it held before its webhook subscriptions ended, once the receiver was quiet for a while", async () => {
		const receiver = await openRecorder({
			tls: {
				cert: readFileSync(join(tlsFolder, "localhost.pem")),
				key: readFileSync(join(tlsFolder, "localhost.key")),
			},
			answer: () => 204,
		});
		const origin = `https://127.0.0.1:${receiver.port}`;
		const webhooks = {
			allowCallbacks: [origin],
			allowPrivateCallbacks: ["127.0.0.0/8"],
			callbackCa: join(tlsFolder, "ca.pem"),
			store: `store-${receiver.port}`,
		};
		const access = { tokens: { ann: ["env:ANN"] }, webhooks };
		const { stderr, resources, end } = await startServer([], access);
		const [, url = ""] = await stderr.until(/ at (http\S+)/);
		const before = await settled(resources);
		const delivery = { mode: "webhook", url: `${origin}/hook`, secret: SECRET };
		for (const params of WANTED)
			await callAlone(url, "events/subscribe", { ...params, delivery });
		touchSources();
		const told = () =>
			new Set(receiver.requests.map(({ body }) => JSON.parse(`${body}`).name));
		await expect
			.poll(() => [...told()].sort(), { timeout: 10_000 })
			.toEqual(WANTED.map(({ name }) => name).sort());
		for (const params of WANTED)
			await callAlone(url, "events/unsubscribe", { ...params, delivery });
		await expect.poll(resources, { timeout: 25_000 }).toEqual(before);
		await end();
	}, 60_000);

	it("holds over stdio what it held before its streams were cancelled", async () => {
		const { child, stdout, resources, end } = await startServer(["--stdio"]);
		const send = (message: Json) =>
			child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
		const method = "events/stream";
		send({ id: "list", method: "events/list", params: { _meta: META } });
		await stdout.until(/"id":"list"/);
		const before = await settled(resources);
		for (const [id, params] of WANTED.entries())
			send({ id, method, params: { ...params, _meta: META } });
		await stdout.waitFor(
			(text) => text.match(/events\/active/g)?.length === WANTED.length,
		);
		touchSources();
		await stdout.until(/"a line"/);
		for (const requestId of WANTED.keys())
			send({ method: "notifications/cancelled", params: { requestId } });
		await expect.poll(resources, { timeout: 10_000 }).toEqual(before);
		await end();
	});
});
