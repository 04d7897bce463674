// The reference server's webhooks over a kill: what a receiver has not taken comes again, and the position that it was
// told never passes it.
import {
	appendFileSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { expect, it, onTestFinished } from "vitest";
import {
	openRecorder,
	type RecordedRequest,
} from "../helpers/open-recorder.ts";
import { type CliProcess, startCli } from "../helpers/run-cli.ts";

const TLS = join(import.meta.dirname, "../fixtures/tls");
const SECRET = `whsec_${Buffer.alloc(32, 3).toString("base64")}`;
const TOKEN = "a-token-of-ann";

/** The line of a delivery, or its type. */
const lineOf = ({ body }: RecordedRequest): string => {
	const value = JSON.parse(body.toString());
	return value.type ?? value.data.line;
};
const cursorOf = ({ body }: RecordedRequest): string =>
	JSON.parse(body.toString()).cursor;

const isPost = ({ method }: RecordedRequest) => method === "POST";

/** Echoes the challenge, and takes no line that is refused now. */
async function openReceiver() {
	const refused = new Set<string>();
	const recorder = await openRecorder({
		tls: {
			cert: readFileSync(join(TLS, "localhost.pem")),
			key: readFileSync(join(TLS, "localhost.key")),
		},
		answer: (_n, request) => {
			// It has no document that gives consent.
			if (request.method === "GET") return 404;
			const { type, challenge } = JSON.parse(request.body.toString());
			if (type === "verification") return [200, JSON.stringify({ challenge })];
			return refused.has(lineOf(request)) ? 503 : 204;
		},
	});
	const posts = () => recorder.requests.filter(isPost);
	return { ...recorder, refused, posts };
}

async function serve(
	folder: string,
	retryDelays = Array(8).fill("300ms").join(","),
): Promise<{ run: CliProcess; url: string }> {
	const ready = join(folder, "ready");
	rmSync(ready, { force: true });
	const run = startCli(
		[
			...[
				"serve",
				"file",
				join(folder, "log"),
				"--port",
				"0",
				"--ready-file",
				ready,
			],
			...["--token", "ann=env:ANN_TOKEN", "--store", join(folder, "store")],
			...[
				"--allow-private-callbacks",
				"127.0.0.0/8",
				"--callback-ca",
				join(TLS, "ca.pem"),
			],
			...["--retry-delays", retryDelays],
		],
		{ env: { ANN_TOKEN: TOKEN }, deadlineMs: 60_000 },
	);
	onTestFinished(() => void run.kill("SIGKILL"));
	await expect.poll(() => readUrl(ready)).toBeDefined();
	return { run, url: readUrl(ready) ?? "" };
}

function readUrl(path: string): string | undefined {
	try {
		return JSON.parse(readFileSync(path, "utf8")).url;
	} catch {
		return undefined;
	}
}

async function subscribe(server: string, callback: string) {
	const method = "events/subscribe";
	const name = "file.line";
	const version = "2026-07-28";
	const _meta = {
		"io.modelcontextprotocol/protocolVersion": version,
		"io.modelcontextprotocol/clientCapabilities": {},
	};
	const delivery = { mode: "webhook", url: callback, secret: SECRET };
	const params = {
		name,
		arguments: {},
		delivery,
		cursor: null,
		ttlMs: null,
		_meta,
	};
	const response = await fetch(server, {
		method: "POST",
		headers: {
			authorization: `Bearer ${TOKEN}`,
			"content-type": "application/json",
			accept: "application/json, text/event-stream",
			"mcp-method": method,
			"mcp-name": name,
			"mcp-protocol-version": version,
		},
		body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
	});
	const answer = JSON.parse(await response.text());
	expect(answer.error).toBeUndefined();
	return answer.result;
}

it("what was not taken before kill -9 comes again from the store, with nothing lost and nothing passed", async () => {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-serve-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const log = join(folder, "log");
	writeFileSync(log, "");
	const receiver = await openReceiver();
	const callback = `https://127.0.0.1:${receiver.port}/hook`;
	const deliveries = () =>
		receiver.posts().filter((one) => lineOf(one) !== "verification");
	const told = () => [...new Set(deliveries().map(lineOf))];

	// Slowly enough that nothing is given up before the kill.
	const first = await serve(folder, Array(8).fill("2s").join(","));
	const { id, refreshBefore } = await subscribe(first.url, callback);
	expect(refreshBefore).toBeNull();
	receiver.refused.add("two");
	appendFileSync(log, "one\n");
	await expect.poll(told).toEqual(["one"]);
	appendFileSync(log, "two\nthree\n");
	await expect.poll(() => told().sort()).toEqual(["one", "three", "two"]);
	const afterOne = deliveries().find((one) => lineOf(one) === "one");
	const afterThree = deliveries().find((one) => lineOf(one) === "three");
	expect(afterThree && cursorOf(afterThree)).toBe(
		afterOne && cursorOf(afterOne),
	);
	const safe = `"cursor":"${afterOne && cursorOf(afterOne)}"`;
	await expect
		.poll(() => readFileSync(join(folder, "store"), "utf8"))
		.toContain(safe);
	first.run.kill("SIGKILL");
	await first.run.done;

	appendFileSync(log, "four\n");
	receiver.requests.length = 0;
	receiver.refused.clear();
	const second = await serve(folder);
	await expect.poll(() => told().sort()).toEqual(["four", "three", "two"]);
	const again = await subscribe(second.url, callback);
	expect(again.id).toBe(id);
	expect(again.deliveryStatus).toMatchObject({ active: true, lastError: null });
	// A position in the file is a place in its bytes.
	const end = new RegExp(`\\.${readFileSync(log).length}$`);
	await expect
		.poll(async () => (await subscribe(second.url, callback)).cursor)
		.toMatch(end);
	// The consent outlived the kill too.
	expect(receiver.posts().map(lineOf)).not.toContain("verification");
	for (const { body, headers } of receiver.posts())
		new Webhook(SECRET).verify(body.toString(), Object.fromEntries(headers));
});

/** A position in the file is a place in its bytes. */
const placeOf = (cursor: string) => Number(cursor.split(".").at(-1));

it("no position passes the line that is refused until it is given up, over kill -9 too", async () => {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-serve-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const log = join(folder, "log");
	writeFileSync(log, "");
	const receiver = await openReceiver();
	const callback = `https://127.0.0.1:${receiver.port}/hook`;
	const told = (what: string) =>
		receiver.posts().filter((one) => lineOf(one) === what);
	const isTold = (what: string, times = 1) =>
		expect
			.poll(() => told(what).length, { timeout: 25_000 })
			.toBeGreaterThanOrEqual(times);
	receiver.refused.add("two");

	const first = await serve(folder, "1s,4s,4s");
	await subscribe(first.url, callback);
	appendFileSync(log, "one\n");
	await isTold("one");
	appendFileSync(log, "two\nthree\n");
	await isTold("three");
	await isTold("two", 2);
	expect(placeOf((await subscribe(first.url, callback)).cursor)).toBe(4);
	first.run.kill("SIGKILL");
	await first.run.done;

	appendFileSync(log, "four\n");
	const second = await serve(folder, "1s,4s,4s");
	await isTold("four");
	expect(placeOf((await subscribe(second.url, callback)).cursor)).toBe(4);
	await isTold("gap");
	const untilGap = receiver.posts().map(lineOf).indexOf("gap");
	const later = ["three", "four"];
	const early = receiver
		.posts()
		.slice(0, untilGap)
		.filter((one) => later.includes(lineOf(one)));
	expect(early.map(lineOf)).toEqual(["three", ...later]);
	expect(early.map(cursorOf).map(placeOf)).toEqual([4, 4, 4]);
	// Given up, with nothing else open: the position is behind the last line.
	expect(told("gap").map(cursorOf).map(placeOf)).toEqual([19]);
	expect(placeOf((await subscribe(second.url, callback)).cursor)).toBe(19);
	appendFileSync(log, "five\n");
	await isTold("five");
	expect(told("five").map(cursorOf).map(placeOf)).toEqual([24]);
	// Two before the kill, or one more, and the four of a new process.
	expect(told("two").length).toBeLessThanOrEqual(3 + 4);
});
