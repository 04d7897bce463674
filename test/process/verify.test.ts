// verify as users run it. The deliveries, right and wrong ones, are signed by node:crypto and the standardwebhooks
// package, never by our own code.
import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import {
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { writeCaptureLine } from "../../src/captures/index.ts";
import type { HeaderPair } from "../../src/protocol/index.ts";
import { NOW_MS, OTHER_TEXT, SECRET_TEXT } from "../fixtures/deliveries.ts";
import { CUT_OFF_MS, runCli, startCli } from "../helpers/run-cli.ts";

const KEY = Buffer.alloc(32, 3);
const SECONDS = NOW_MS / 1_000;
const BODY = '{"eventId":"evt_1","name":"a.made","data":{"n":1.50}}';

let folder: string;
let secretFile: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-events-verify-"));
	secretFile = join(folder, "hook.secret");
	writeFileSync(secretFile, `${SECRET_TEXT}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const hmac = (text: string, key: Buffer | string = KEY) =>
	createHmac("sha256", key).update(text);
const signed = (text: string, key?: Buffer | string) =>
	`v1,${hmac(text, key).digest("base64")}`;

interface Sent {
	body?: string;
	timestamp?: string;
	signature: string;
	more?: HeaderPair[];
}

const RIGHT = signed(`msg_1.${SECONDS}.${BODY}`);
const REWRITTEN = JSON.stringify(JSON.parse(BODY));
const MISTAKES: [string, Sent][] = [
	[
		"secret-as-text",
		{ signature: signed(`msg_1.${SECONDS}.${BODY}`, SECRET_TEXT) },
	],
	[
		"signature-encoding",
		{ signature: `v1,${hmac(`msg_1.${SECONDS}.${BODY}`).digest("hex")}` },
	],
	["body-rewritten", { signature: signed(`msg_1.${SECONDS}.${REWRITTEN}`) }],
	["trailing-newline", { body: `${BODY}\n`, signature: RIGHT }],
	[
		"line-ends",
		{ body: '{\r\n"a":1}', signature: signed(`msg_1.${SECONDS}.{\n"a":1}`) },
	],
	["wrong-id", { signature: signed(`evt_1.${SECONDS}.${BODY}`) }],
	["wrong-timestamp", { signature: signed(`msg_1.${SECONDS - 7}.${BODY}`) }],
	["milliseconds", { signature: signed(`msg_1.${NOW_MS}.${BODY}`) }],
	[
		"clock-skew",
		{
			timestamp: String(SECONDS - 400),
			signature: signed(`msg_1.${SECONDS - 400}.${BODY}`),
		},
	],
	[
		"truncated-body",
		{
			body: BODY.slice(0, 20),
			signature: RIGHT,
			more: [["Content-Length", String(BODY.length)]],
		},
	],
];

function captureLine(id: string, sent: Sent): Buffer {
	return writeCaptureLine(id, {
		receivedAtMs: NOW_MS,
		method: "POST",
		path: "/hooks/a",
		headers: [
			["webhook-id", "msg_1"],
			["webhook-timestamp", sent.timestamp ?? String(SECONDS)],
			["webhook-signature", sent.signature],
			...(sent.more ?? []),
		],
		body: Buffer.from(sent.body ?? BODY),
		verdict: { kind: "valid" },
		answer: { status: 204 },
	});
}

/** Two files of more than 8 MiB in all: 1,200 right deliveries in each, and all kinds of lines between them. */
function writeHostileFiles(): string[] {
	const body = JSON.stringify({ text: "Crème \\ \n ☕ ".repeat(200) });
	const right = (at: number) => {
		const signature = signed(`msg_1.${SECONDS}.${body}`);
		const line = captureLine(`right_${at}`, { body, signature });
		return line.toString().replace("{", '{"subscription":"right",');
	};
	const odd = [
		"",
		"nonsense",
		'{"id":1}',
		` ${captureLine("after a space", { signature: RIGHT })}`.trimEnd(),
		`${`${captureLine("before a return", { signature: RIGHT })}`.trimEnd()}\r`,
		...MISTAKES.map(([kind, sent]) => `${captureLine(kind, sent)}`.trimEnd()),
		`${captureLine("escape", { signature: RIGHT })}`
			.replace("evt_1", "\\u0065vt_1")
			.trimEnd(),
	];
	return ["one", "two"].map((name) => {
		const path = join(folder, `${name}.ndjson`);
		const lines = Array.from({ length: 1_200 }, (_, at) =>
			at % 70 === 0 ? `${odd[at / 70] ?? ""}\n${right(at)}` : right(at),
		);
		writeFileSync(path, `${lines.join("")}{"id":"torn`);
		return path;
	});
}

let hostile: string[] | undefined;
/** Written once: another test may be reading them. */
function hostileFiles(): string[] {
	hostile ??= writeHostileFiles();
	return hostile;
}

describe.concurrent("verify", () => {
	it("names the mistake behind each delivery, as of its arrival", async () => {
		const lines = MISTAKES.map(([kind, sent]) => captureLine(kind, sent));
		const run = await runCli(["verify", "-", "--secret-file", secretFile], {
			stdin: Buffer.concat(lines),
		});
		const found = run.lines.map((line) => JSON.parse(line));
		expect(found.map(({ capture, cause }) => [capture, cause?.kind])).toEqual(
			MISTAKES.map(([kind]) => [kind, kind]),
		);
		expect(run.status).toBe(1);
	});

	it("says where a body was never read, in place of calling it cut short", async () => {
		const stdin = writeCaptureLine("early", {
			receivedAtMs: NOW_MS,
			method: "POST",
			path: "/elsewhere",
			headers: [
				["webhook-id", "msg_1"],
				["webhook-timestamp", String(SECONDS)],
				["webhook-signature", RIGHT],
				["Content-Length", String(BODY.length)],
			],
			body: Buffer.alloc(0),
			verdict: { kind: "unknown-path" },
			answer: { status: 404 },
		});
		const words = ["verify", "--secret-file", secretFile];
		const run = await runCli(words, { stdin });
		expect(JSON.parse(run.stdout).cause).toMatchObject({
			kind: "not-read",
			told: expect.stringContaining("unknown-path, answered 404"),
		});
	});

	it("does not take two mistakes for one", async () => {
		const signature = signed(`evt_1.${SECONDS}.${REWRITTEN}`, SECRET_TEXT);
		const run = await runCli(["verify", "--secret-file", secretFile], {
			stdin: captureLine("two", { signature }),
		});
		const [found] = run.lines.map((line) => JSON.parse(line));
		expect(found).toMatchObject({
			valid: false,
			verdict: { kind: "no-match" },
		});
		expect(found.cause).toBeUndefined();
	});

	it("finds what the standardwebhooks package signs valid, in HTTP text and now", async () => {
		const now = new Date();
		const signature = new Webhook(SECRET_TEXT).sign("msg_1", now, BODY);
		const head = `POST / HTTP/1.1\nwebhook-id: msg_1\nwebhook-timestamp: ${Math.floor(now.getTime() / 1000)}\nwebhook-signature: ${signature}\n\n`;
		const file = join(folder, "request.txt");
		writeFileSync(file, head + BODY);
		const run = await runCli(["verify", file, "--secret-file", secretFile]);
		expect(run.status).toBe(0);
		expect(JSON.parse(run.stdout)).toMatchObject({ valid: true });
	});

	it("takes the headers as flags and the body from stdin", async () => {
		const words = ["--id", "msg_1", "--timestamp", String(SECONDS)];
		const as = ["--signature", RIGHT, "--now", String(SECONDS + 10)];
		const secret = ["--secret-file", secretFile, "-o", "text"];
		const run = await runCli(["verify", ...words, ...as, ...secret], {
			stdin: BODY,
		});
		expect(run.stdout).toBe(
			`stdin msg_1: valid, signed with ${secretFile} (v1)\n`,
		);
		expect(run.status).toBe(0);
	});

	it("checks v1a signatures with a public key", async () => {
		const { publicKey, privateKey } = generateKeyPairSync("ed25519");
		const key = join(folder, "key.jwks");
		const jwk = { ...publicKey.export({ format: "jwk" }), kid: "k1" };
		writeFileSync(key, JSON.stringify({ keys: [jwk] }));
		const text = Buffer.from(`msg_1.${SECONDS}.${BODY}`);
		const signature = `v1a,${sign(null, text, privateKey).toString("base64")}`;
		const run = await runCli(["verify", "--public-key", key], {
			stdin: captureLine("one", { signature }),
		});
		expect(JSON.parse(run.stdout).told).toBe("signed with k1 (v1a)");
	});

	it("tells a delivery that cannot be read from one that is valid", async () => {
		const right = captureLine("one", { signature: RIGHT });
		const run = await runCli(["verify", "--secret-file", secretFile], {
			stdin: Buffer.concat([right, Buffer.from('{"id":1}\n')]),
		});
		expect(run.status).toBe(1);
		expect(run.lines).toHaveLength(1);
		expect(run.stderr).toContain("stdin, line 2 is no capture");
	});

	it("ends at once at an interrupt, however much there is to check", async () => {
		const file = join(folder, "many.ndjson");
		const wrong = captureLine("wrong", { signature: signed("another text") });
		writeFileSync(file, Buffer.concat(Array(5_000).fill(wrong)));
		const run = startCli(["verify", file, "--secret-file", secretFile]);
		await run.stdout.until(/wrong/);
		const interruptedAt = performance.now();
		run.kill("SIGINT");
		const { status } = await run.done;
		expect(status).toBe(130);
		expect(performance.now() - interruptedAt).toBeLessThan(CUT_OFF_MS);
	});

	it("prints the same of large files, which threads check, as of the same bytes on stdin", async () => {
		const files = hostileFiles();
		const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
		expect(bytes).toBeGreaterThan(8 * 1024 * 1024);
		const secret = ["--secret-file", secretFile];
		const large = await runCli(["verify", ...files, ...secret]);
		const small = await Promise.all(
			files.map((file) =>
				runCli(["verify", ...secret], { stdin: readFileSync(file) }),
			),
		);
		expect(large.stdout).toBe(small.map(({ stdout }) => stdout).join(""));
		const told = small.map(({ stderr }, at) =>
			stderr.replaceAll("stdin, line", `${files[at]}, line`),
		);
		expect(large.stderr).toBe(told.join(""));
		expect([large, ...small].map(({ status }) => status)).toEqual([1, 1, 1]);
		expect(large.lines.length).toBeGreaterThan(2_000);
	});

	it("leaves out of large files what the filters leave out, and finds all that is left valid", async () => {
		const files = hostileFiles();
		const secret = ["--secret-file", secretFile];
		const run = await runCli(
			["verify", ...files, ...secret, "--subscription", "right"],
			{ stdoutForm: "ndjson" },
		);
		expect(run.lines).toHaveLength(2_400);
		expect(run.lines.every((line) => line.includes('"valid":true'))).toBe(true);
	});

	it("ends at once at an interrupt while threads check", async () => {
		const file = join(folder, "large.ndjson");
		const right = captureLine("right", { signature: RIGHT });
		const wrong = captureLine("wrong", { signature: signed("another text") });
		const lines = [...Array(1_000).fill(right), ...Array(30_000).fill(wrong)];
		writeFileSync(file, Buffer.concat(lines));
		const run = startCli(["verify", file, "--secret-file", secretFile]);
		await run.stdout.until(/right/);
		const interruptedAt = performance.now();
		run.kill("SIGINT");
		expect((await run.done).status).toBe(130);
		expect(performance.now() - interruptedAt).toBeLessThan(CUT_OFF_MS);
	});

	it.each([
		["without a secret", [], "there is no secret to check with"],
		["without a delivery", ["SECRET"], "there is nothing to verify"],
		["of a name that is no file", ["SECRET", "gone.txt"], "neither a file nor"],
		[
			"of half the headers",
			["SECRET", "--id", "m"],
			"--timestamp and --signature",
		],
		["with a bad time", ["SECRET", "--now", "noon"], '--now "noon"'],
	])("%s is wrong use", async (_what, words, told) => {
		const args = words.flatMap((word) =>
			word === "SECRET" ? ["--secret-file", secretFile] : [word],
		);
		const run = await runCli(["verify", ...args]);
		expect(run.status).toBe(2);
		expect(run.stderr).toContain(told);
	});

	it("never shows a secret, even where it cannot be read", async () => {
		const bad = join(folder, "bad.secret");
		writeFileSync(bad, `${OTHER_TEXT}\nwhsec_SECRETSECRET!!\n`);
		const run = await runCli(["verify", "--secret-file", bad], { stdin: "{}" });
		expect(run.status).toBe(2);
		expect(run.stderr).toContain("bad.secret, line 2");
		expect(run.stderr).not.toContain("SECRETSECRET");
	});
});
