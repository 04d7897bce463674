import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import {
	parseSecret,
	signMessage,
	verifyDelivery,
} from "../../src/signing/index.ts";

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

describe.skipIf(!hasOpenssl)(
	"held against openssl (skipped where openssl is not installed)",
	() => {
		it.each([0, 1, 7, 1000, 70_000])(
			"signs and verifies %i random bytes as openssl does",
			(size) => {
				const key = randomBytes(24 + (size % 40));
				const secret = parseSecret(`whsec_${key.toString("base64")}`);
				const body = randomBytes(size);
				const signed = Buffer.concat([Buffer.from("msg_x.1700000000."), body]);
				const args = [
					"dgst",
					"-sha256",
					"-mac",
					"HMAC",
					"-macopt",
					`hexkey:${key.toString("hex")}`,
					"-binary",
				];
				const signature = `v1,${execFileSync("openssl", args, { input: signed }).toString("base64")}`;
				expect(
					signMessage({
						id: "msg_x",
						timestampSeconds: 1_700_000_000,
						body,
						secret,
					}),
				).toBe(signature);
				const headers = [
					["webhook-id", "msg_x"],
					["webhook-timestamp", "1700000000"],
					["webhook-signature", signature],
				] as const;
				const verdict = verifyDelivery({
					headers,
					body,
					secrets: [{ label: "s", secret }],
					nowMs: 1.7e12,
				});
				expect(verdict.kind).toBe("valid");
			},
		);
	},
);
