import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import {
	type Capture,
	captureUrl,
	curlCommand,
	harEntry,
	harFrame,
} from "../../src/captures/index.ts";
import { openRecorder } from "../helpers/open-recorder.ts";

const capture = (parts: Partial<Capture> = {}): Capture => ({
	id: "cap_x_00000000_1",
	receivedAtMs: Date.parse("2026-01-01T00:00:00Z"),
	method: "POST",
	path: "/hooks/a?k=v",
	headers: [
		["Host", "hooks.example"],
		["Content-Type", "application/json"],
		["webhook-id", "it's $(id) `id`"],
		["X-Empty", ""],
		["Content-Length", "2"],
	],
	body: Buffer.from("{}"),
	verdict: { kind: "valid" },
	answer: { status: 204 },
	...parts,
});

const hasCurl = spawnSync("curl", ["--version"]).status === 0;

describe.skipIf(!hasCurl)("a curl command (skipped without curl)", () => {
	it.each([
		["JSON", Buffer.from('{"a":"it\'s $HOME"}')],
		["bytes that are no text", Buffer.from([0xff, 0x00, 0x0a, 0x0d, 0x27])],
		["what looks like a file", Buffer.from("@/etc/passwd")],
		["a large body", Buffer.alloc(200_000, "x")],
		["nothing", Buffer.alloc(0)],
	])("run by a shell sends the same headers and %s", async (_what, body) => {
		const handler = await openRecorder();
		const command = curlCommand(capture({ body }), handler.url);
		const shell = spawn("sh", { stdio: ["pipe", "ignore", "ignore"] });
		shell.stdin.end(command);
		expect(await once(shell, "exit")).toEqual([0, null]);
		const [request] = handler.requests;
		expect(request?.body).toEqual(body);
		expect(request?.headers).toEqual([
			["Host", `127.0.0.1:${handler.port}`],
			["Content-Type", "application/json"],
			["webhook-id", "it's $(id) `id`"],
			["X-Empty", ""],
			["Content-Length", String(body.length)],
		]);
	});
});

it("a header of bytes is written so that a shell gives them back", () => {
	const command = curlCommand(
		capture({ headers: [["X-Latin", "caf\u00e9 it's"]] }),
		"http://x/",
	);
	expect(command).toContain(String.raw`-H $'X-Latin: caf\xe9 it\'s'`);
});

it("the URL is told from the host and the path", () => {
	expect(captureUrl(capture())).toBe("http://hooks.example/hooks/a?k=v");
	expect(captureUrl(capture({ headers: [] }))).toBe(
		"http://127.0.0.1/hooks/a?k=v",
	);
});

describe("a HAR log", () => {
	it("has the fields that HAR 1.2 demands", () => {
		const { start, end } = harFrame({ name: "mcp-events", version: "1" });
		const entry = harEntry(capture(), "http://hooks.example/hooks/a?k=v");
		const { log } = JSON.parse(start + JSON.stringify(entry) + end);
		expect(log.version).toBe("1.2");
		expect(log.entries[0]).toMatchObject({
			startedDateTime: "2026-01-01T00:00:00.000Z",
			request: {
				method: "POST",
				queryString: [{ name: "k", value: "v" }],
				postData: { mimeType: "application/json", text: "{}" },
				bodySize: 2,
			},
			response: { status: 204 },
		});
	});

	it("keeps bytes that are no text in base64", () => {
		const entry = harEntry(capture({ body: Buffer.from([0xff]) }), "http://x/");
		expect(entry).toMatchObject({
			request: { postData: { text: "/w==", _encoding: "base64" } },
		});
	});
});
