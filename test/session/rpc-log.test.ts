import {
	chmodSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { openRpcLog } from "../../src/session/index.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-events-log-"));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

function logged(message: string | Buffer, headers?: Record<string, string>) {
	const path = join(folder, `${count++}.ndjson`);
	const log = openRpcLog(path, { now: () => 0 });
	log.write({
		direction: "sent",
		transport: "http",
		message,
		...(headers && { headers }),
	});
	log.close();
	return readFileSync(path, "utf8");
}

describe("a message in the log", () => {
	it("stands there as it was written, on one line", () => {
		expect(logged('{"n":1.0,\n "t":"a b"}', { accept: "x" })).toBe(
			'{"at":"1970-01-01T00:00:00.000Z","direction":"sent","transport":"http","headers":{"accept":"x"},"message":{"n":1.0,"t":"a b"}}\n',
		);
	});

	it.each([
		["<html>\n", "<html>\n"],
		["whsec_c2VjcmV0 is no JSON", "*** is no JSON"],
	])("that is no JSON is a string: %j", (text, message) => {
		expect(JSON.parse(logged(text)).message).toBe(message);
	});

	it.each([
		['{"params":{"delivery":{"secret":"s3cret","url":"u"}}}'],
		['{"params":{"delivery":{"secret":"whsec_s3cret"}}}'],
		['{"params":{"delivery":{"\\u0073ecret":"s3cret"}}}'],
		['[{"params":{"delivery":{"secret":["s3cret"]}}}]'],
		['{"result":{"echo":"\\u0077hsec_s3cret="}}'],
		['{"whsec_s3cret":1}'],
	])("shows no secret: %s", (text) => {
		const line = logged(text);
		expect(line).not.toContain("s3cret");
		expect(JSON.parse(line).message).toBeDefined();
	});
});

it.each([
	['{"error":{"message":"no such token: t0k/en-12345"}}'],
	['{"result":{"headers":{"authorization":"Bearer t0k\\/en-12345"}}}'],
	["<p>t0k/en-12345</p>"],
])("does not show credentials that the server repeats: %s", (message) => {
	const path = join(folder, `${count++}.ndjson`);
	const secrets = ["Bearer t0k/en-12345", "ok"];
	const log = openRpcLog(path, { now: () => 0, secrets });
	const headers = { "x-echo": "Bearer t0k/en-12345", "x-all": "is ok" };
	log.write({ direction: "received", transport: "http", headers, message });
	log.close();
	const line = readFileSync(path, "utf8");
	expect(line).not.toContain("12345");
	expect(JSON.parse(line).headers["x-all"]).toBe("is ok");
});

it("is readable by its owner alone, and grows", () => {
	const path = join(folder, "old.ndjson");
	writeFileSync(path, "before\n");
	chmodSync(path, 0o644);
	const log = openRpcLog(path, { now: () => 0 });
	log.write({ direction: "received", transport: "stdio", message: "{}" });
	log.close();
	log.close();
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(readFileSync(path, "utf8")).toMatch(/^before\n\{.*\}\n$/);
});

it("that cannot be written is a fault that names it, once", () => {
	expect(() => openRpcLog(join(folder, "no", "log"), { now: () => 0 })).toThrow(
		expect.objectContaining({
			code: "file-failed",
			what: expect.stringContaining("no/log"),
		}),
	);
	const full = openRpcLog("/dev/full", { now: () => 0 });
	const write = () =>
		full.write({ direction: "sent", transport: "http", message: "{}" });
	expect(write).toThrow(
		expect.objectContaining({
			code: "file-failed",
			why: expect.stringContaining("ENOSPC"),
		}),
	);
	expect(write).not.toThrow();
});
