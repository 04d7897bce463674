// What send and replay produce, and what verify says, held against openssl and a shell.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
	openRecorder,
	type RecordedRequest,
} from "../helpers/open-recorder.ts";
import { runCli } from "../helpers/run-cli.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const KEY = Buffer.alloc(32, 5);
const SECRET = `whsec_${KEY.toString("base64")}`;

/** Signs as a shell script would; `key` is a -macopt of openssl. */
function openssl(text: Buffer, key: string): string {
	const mac = ["dgst", "-sha256", "-mac", "HMAC", "-macopt", key, "-binary"];
	return execFileSync("openssl", mac, { input: text }).toString("base64");
}

const HEX_KEY = `hexkey:${KEY.toString("hex")}`;

/** The signature that openssl makes of what came. */
function signatureOf({ header, body }: RecordedRequest): string {
	const start = `${header("webhook-id")}.${header("webhook-timestamp")}.`;
	return `v1,${openssl(Buffer.concat([Buffer.from(start), body]), HEX_KEY)}`;
}

describe.skipIf(!hasOpenssl)(
	"deliveries held against openssl (skipped where openssl is not installed)",
	() => {
		let folder: string;
		let secret: string[];
		beforeAll(() => {
			folder = mkdtempSync(join(tmpdir(), "mcp-events-openssl-"));
			const file = join(folder, "hook.secret");
			writeFileSync(file, SECRET);
			secret = ["--secret-file", file];
		});
		afterAll(() => rmSync(folder, { recursive: true }));

		const request = (signed: Buffer, key: string, body: Buffer): Buffer => {
			const signature = `v1,${openssl(signed, key)}`;
			const head = `POST /hook HTTP/1.1\r\nwebhook-id: msg_1\r\nwebhook-timestamp: 1700000000\r\nwebhook-signature: ${signature}\r\n\r\n`;
			return Buffer.concat([Buffer.from(head), body]);
		};
		const BODY = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]);
		const RIGHT = Buffer.concat([Buffer.from("msg_1.1700000000."), BODY]);

		it("send signs as openssl does", async () => {
			const handler = await openRecorder();
			const words = ["--event", "a.made", "--data", '{"é":1.50}'];
			await runCli(["send", "--to", handler.url, ...secret, ...words]);
			const [sent] = handler.requests;
			if (!sent) throw new Error("nothing came");
			expect(sent.header("webhook-signature")).toBe(signatureOf(sent));
		});

		it("replay signs bytes that are no text as openssl does", async () => {
			const handler = await openRecorder();
			const stdin = request(RIGHT, HEX_KEY, BODY);
			const words = ["replay", "-", "--to", handler.url, ...secret];
			await runCli(words, { stdin });
			const [sent] = handler.requests;
			if (!sent) throw new Error("nothing came");
			expect(sent.body).toEqual(BODY);
			expect(sent.header("webhook-signature")).toBe(signatureOf(sent));
		});

		it.each([
			["valid", RIGHT, HEX_KEY, undefined],
			["the secret as text", RIGHT, `key:${SECRET}`, "secret-as-text"],
			["the body alone", BODY, HEX_KEY, "body-alone"],
			[
				"a line feed that echo adds",
				Buffer.concat([RIGHT, Buffer.from("\n")]),
				HEX_KEY,
				"trailing-newline",
			],
		])("verify names %s", async (_what, signed, key, cause) => {
			const words = ["verify", "-", "--now", "1700000000", ...secret];
			const stdin = request(signed, key, BODY);
			const run = await runCli(words, { stdin });
			const found = JSON.parse(run.stdout);
			expect(found.cause?.kind).toBe(cause);
			expect(run.status).toBe(cause === undefined ? 0 : 1);
		});
	},
);
