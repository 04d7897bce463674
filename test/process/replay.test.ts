// replay and send as users run them, against a handler that keeps what came and the standardwebhooks package, which
// says whether it was signed well.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCaptureLine } from "../../src/captures/index.ts";
import { NOW_MS, SECRET_TEXT, signedHeaders } from "../fixtures/deliveries.ts";
import {
	openRecorder,
	type RecordedRequest,
} from "../helpers/open-recorder.ts";
import { runCli } from "../helpers/run-cli.ts";

let folder: string;
let secret: string[];
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-events-replay-"));
	const file = join(folder, "hook.secret");
	writeFileSync(file, `${SECRET_TEXT}\n`);
	secret = ["--secret-file", file];
});
afterAll(() => rmSync(folder, { recursive: true }));

const bodyOf = (n: number) =>
	`{"eventId":"evt_${n}", "name":"a.made","data":{"n":${n}.50,"odd":${n % 2 === 1}}}`;

/** What a listener would have kept: signed long ago by the standardwebhooks package. */
const line = (n: number, verdict = "valid") =>
	writeCaptureLine(`cap_x_0b1c2d3e_${n}`, {
		receivedAtMs: NOW_MS + n * 100,
		method: "POST",
		path: "/hooks/a",
		headers: [
			["Host", "old.example"],
			...signedHeaders({ body: bodyOf(n), id: `msg_${n}` }),
		],
		body: Buffer.from(bodyOf(n)),
		verdict: { kind: verdict },
		answer: { status: 204 },
	});

const four = () => Buffer.concat([1, 2, 3, 4].map((n) => line(n)));

function verify({ headers, body }: RecordedRequest): unknown {
	const named = headers.map(([name, value]) => [name.toLowerCase(), value]);
	return new Webhook(SECRET_TEXT).verify(
		body.toString(),
		Object.fromEntries(named),
	);
}

const records = (lines: string[]) => lines.map((text) => JSON.parse(text));

describe("replay", () => {
	it("signs each delivery afresh, with its id and its bytes, so that another verifier takes it", async () => {
		const handler = await openRecorder();
		const words = ["replay", "-", "--to", handler.url, ...secret];
		const run = await runCli(words, { stdin: four() });
		expect(run.status).toBe(0);
		expect(handler.requests).toHaveLength(4);
		for (const [at, request] of handler.requests.entries()) {
			verify(request);
			expect(request.body.toString()).toBe(bodyOf(at + 1));
			expect(request.header("webhook-id")).toBe(`msg_${at + 1}`);
			expect(request.header("host")).toBe(`127.0.0.1:${handler.port}`);
		}
		expect(records(run.lines)[0]).toMatchObject({
			kind: "forwarded",
			capture: "cap_x_0b1c2d3e_1",
			id: "evt_1",
			webhookId: "msg_1",
			to: handler.url,
			attempt: 1,
			status: 204,
		});
	});

	it("sends what was captured byte for byte, and says that it is too old", async () => {
		const handler = await openRecorder();
		const words = ["replay", "-", "--to", handler.url, "--as-captured"];
		const run = await runCli(words, { stdin: line(1) });
		const [request] = handler.requests;
		expect(request?.headers.slice(1, 6)).toEqual(
			signedHeaders({ body: bodyOf(1), id: "msg_1" }),
		);
		expect(run.stderr).toContain("without --as-captured it is signed afresh");
	});

	it("changes what it is told to, and signs that", async () => {
		const handler = await openRecorder();
		const file = join(folder, "four.ndjson");
		writeFileSync(file, four());
		const content = ["--set", "data.x=1", "--webhook-id", "event"];
		const which = ["--filter", "data.odd=true", "--subscription-id", "sub_9"];
		const words = ["replay", file, "--to", handler.url, ...secret];
		await runCli([...words, ...content, ...which]);
		expect(handler.requests).toHaveLength(2);
		for (const request of handler.requests) {
			const event = verify(request);
			expect(event).toMatchObject({ data: { x: 1, odd: true } });
			expect(event).toMatchObject({ eventId: request.header("webhook-id") });
			expect(request.header("x-mcp-subscription-id")).toBe("sub_9");
		}
	});

	it("sends what was rejected only where it is asked for", async () => {
		const handler = await openRecorder();
		const stdin = Buffer.concat([line(1), line(2, "no-match")]);
		const words = ["replay", "-", "--to", handler.url, ...secret];
		await runCli(words, { stdin });
		expect(handler.requests).toHaveLength(1);
		await runCli([...words, "--verdict", "no-match"], { stdin });
		expect(handler.requests[1]?.header("webhook-id")).toBe("msg_2");
	});

	it("ends with 1 where an answer is not 2xx, and tries again only on request", async () => {
		const handler = await openRecorder({
			answer: (n) => (n === 0 ? [500, "not now"] : 204),
		});
		const words = ["replay", "-", "--to", handler.url, ...secret];
		const run = await runCli(words, { stdin: line(1) });
		expect(run.status).toBe(1);
		expect(records(run.lines)).toMatchObject([
			{ status: 500, bodyStart: "not now" },
		]);
	});

	it("signs anew for each attempt", async () => {
		const handler = await openRecorder({ answer: (n) => (n < 2 ? 503 : 204) });
		const words = ["replay", "-", "--to", handler.url, ...secret];
		const run = await runCli([...words, "--retry", "2"], { stdin: line(1) });
		expect(run.status).toBe(0);
		expect(records(run.lines).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
		// A signature covers whole seconds, and two attempts can share one; the first and the third stand 2.4 s apart.
		const [first, , third] = handler.requests;
		expect(first?.header("webhook-id")).toBe(third?.header("webhook-id"));
		for (const name of ["webhook-timestamp", "webhook-signature"])
			expect(first?.header(name)).not.toBe(third?.header(name));
	});

	it("keeps the original gaps on request, here five times as long", async () => {
		const handler = await openRecorder();
		const words = ["replay", "-", "--to", handler.url, ...secret];
		const flags = ["--speed", "0.2x"];
		const run = await runCli([...words, ...flags], { stdin: four() });
		expect(handler.requests).toHaveLength(4);
		// Not from the first request on, which arrives late by what it takes to connect. Timers may be a little early.
		expect(run.elapsedMs).toBeGreaterThan(1_490);
	});

	it.concurrent.each([
		["nothing to send", ["-"], 2, "there is nothing to replay"],
		["nothing named", [], 2, "replay needs a CAPTURE"],
		["both ways at once", ["-", "--as-captured", "--new-id"], 2, "--new-id"],
		["an unknown speed", ["-", "--speed", "fast"], 2, "1x, 0.5x or 10x"],
	])("with %s is wrong use", async (_what, words, status, told) => {
		const to = ["--to", "http://127.0.0.1:1/"];
		const run = await runCli(["replay", ...words, ...to]);
		expect(run.status).toBe(status);
		expect(run.stderr).toContain(told);
	});

	it("without a secret names the ways out", async () => {
		const words = ["replay", "-", "--to", "http://127.0.0.1:1/"];
		const run = await runCli(words, { stdin: line(1) });
		expect(run.status).toBe(2);
		expect(run.stderr).toContain("--secret-file PATH, or send what was");
	});

	it("ends with 3 where nobody answers", async () => {
		const words = ["replay", "-", "--to", "http://127.0.0.1:1/", ...secret];
		const run = await runCli(words, { stdin: line(1) });
		expect(run.status).toBe(3);
		expect(records(run.lines)).toMatchObject([
			{ status: null, fault: { code: "connection-refused" } },
		]);
	});
});

describe("send", () => {
	const send = (url: string, ...words: string[]) =>
		runCli(["send", "--to", url, ...secret, ...words]);

	it("sends an event that another verifier takes, with its data as it was written", async () => {
		const handler = await openRecorder();
		const words = ["--event", "a.made", "--data", '{"n":1.50}'];
		const run = await send(handler.url, ...words);
		const [request] = handler.requests;
		if (!request) throw new Error(run.stderr);
		expect(verify(request)).toMatchObject({ name: "a.made", data: { n: 1.5 } });
		expect(request.body.toString()).toContain('"data":{"n":1.50}');
		expect(request.header("webhook-id")).toMatch(/^msg_\w{16}$/);
		expect(request.header("x-mcp-subscription-id")).toBe("sub_made_by_send");
		expect(run.status).toBe(0);
	});

	it("takes data from stdin, and the eventId as webhook-id", async () => {
		const handler = await openRecorder();
		const words = ["send", "--to", handler.url, ...secret, "--event", "a.made"];
		const ids = ["--event-id", "evt_7", "--webhook-id", "event"];
		await runCli([...words, ...ids, "--data", "-"], { stdin: '{"a":1}\n' });
		expect(handler.requests[0]?.header("webhook-id")).toBe("evt_7");
		expect(handler.requests[0]?.body.toString()).toMatch(/"data":\{"a":1\}\}$/);
	});

	it("knows whether a challenge was echoed", async () => {
		const echo = (_n: number, { body }: RecordedRequest): [number, string] => [
			200,
			JSON.stringify({ challenge: JSON.parse(body.toString()).challenge }),
		];
		const good = await openRecorder({ answer: echo });
		const bad = await openRecorder();
		const run = await send(good.url, "--type", "verification");
		expect(records(run.lines)).toMatchObject([{ echoed: true, status: 200 }]);
		expect(run.status).toBe(0);
		const failed = await send(bad.url, "--type", "verification");
		expect(records(failed.lines)).toMatchObject([{ echoed: false }]);
		expect(failed.status).toBe(1);
	});

	it.each(["gap", "terminated"])(
		"sends an envelope of type %s",
		async (type) => {
			const handler = await openRecorder();
			await send(handler.url, "--type", type);
			const [request] = handler.requests;
			expect(request && verify(request)).toMatchObject({ type });
			expect(request?.header("webhook-id")).toMatch(
				new RegExp(`^msg_${type}_`),
			);
		},
	);

	it("spoils what it is told to, so that another verifier refuses it", async () => {
		const handler = await openRecorder({ answer: () => 401 });
		const words = ["--event", "a.made", "--corrupt", "signature"];
		const run = await send(handler.url, ...words);
		const [request] = handler.requests;
		if (!request) throw new Error(run.stderr);
		expect(() => verify(request)).toThrow("No matching signature");
		expect(run.status).toBe(1);
	});

	it.concurrent.each([
		["no event", [], "no event is named"],
		["data that is no object", ["--event", "a", "--data", "[1]"], "--data is"],
		["both kinds", ["--event", "a", "--type", "gap"], "type"],
	])("with %s is wrong use", async (_what, words, told) => {
		const run = await send("http://127.0.0.1:1/", ...words);
		expect(run.status).toBe(2);
		expect(run.stderr).toContain(told);
	});
});
