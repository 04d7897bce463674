import { createHmac } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { HeaderPair } from "../../src/protocol/index.ts";
import {
	parseSecret,
	signMessage,
	verifyDelivery,
} from "../../src/signing/index.ts";

const options = { seed: 20261130, numRuns: 3000 };
const key = fc
	.uint8Array({ minLength: 24, maxLength: 64 })
	.map((bytes) => Buffer.from(bytes));
const id = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
const seconds = fc.integer({ min: 0, max: 4_000_000_000 });

const headersOf = (
	id: string,
	seconds: number,
	signature: string,
): HeaderPair[] => [
	["webhook-id", id],
	["webhook-timestamp", String(seconds)],
	["webhook-signature", signature],
];

describe("held against the standardwebhooks package", () => {
	it("signs and verifies as it does, whatever the text", () => {
		const text = fc.string({ unit: "binary", maxLength: 200 });
		fc.assert(
			fc.property(key, id, seconds, text, (key, id, seconds, text) => {
				const secret = parseSecret(`whsec_${key.toString("base64")}`);
				const theirs = new Webhook(secret.reveal()).sign(
					id,
					new Date(seconds * 1000),
					text,
				);
				const body = Buffer.from(text);
				expect(
					signMessage({ id, timestampSeconds: seconds, body, secret }),
				).toBe(theirs);
				const verdict = verifyDelivery({
					headers: headersOf(id, seconds, theirs),
					body,
					secrets: [{ label: "s", secret }],
					nowMs: seconds * 1000,
				});
				expect(verdict.kind).toBe("valid");
			}),
			options,
		);
	});

	it("accepts nothing that it refuses, when one bit of body, id or signature is turned", () => {
		const flip = fc.record({
			where: fc.constantFrom("body", "id", "signature"),
			at: fc.nat(),
			bit: fc.integer({ min: 0, max: 6 }),
		});
		fc.assert(
			fc.property(
				key,
				id,
				fc.string({ minLength: 1, maxLength: 60 }),
				flip,
				(key, id, text, { where, at, bit }) => {
					const secret = parseSecret(`whsec_${key.toString("base64")}`);
					const parts = {
						id,
						body: text,
						signature: new Webhook(secret.reveal()).sign(
							id,
							new Date(1e12),
							text,
						),
					};
					const bytes = Buffer.from(parts[where as keyof typeof parts]);
					bytes[at % bytes.length] =
						(bytes[at % bytes.length] ?? 0) ^ (1 << bit);
					const forged = { ...parts, [where]: bytes.toString() };
					const verdict = verifyDelivery({
						headers: headersOf(forged.id, 1e9, forged.signature),
						body: Buffer.from(forged.body),
						secrets: [{ label: "s", secret }],
						nowMs: 1e12,
					});
					expect(verdict.kind).not.toBe("valid");
				},
			),
			options,
		);
	});

	it("goes on where it cannot follow: bodies that are no UTF-8 fit over their raw bytes", () => {
		const body = fc
			.uint8Array({ minLength: 1, maxLength: 100 })
			.map((bytes) => Buffer.from([0xff, ...bytes]));
		fc.assert(
			fc.property(key, id, seconds, body, (key, id, seconds, body) => {
				const secret = parseSecret(`whsec_${key.toString("base64")}`);
				const mac = createHmac("sha256", key)
					.update(`${id}.${seconds}.`)
					.update(body)
					.digest("base64");
				const theirs = new Webhook(secret.reveal()).sign(
					id,
					new Date(seconds * 1000),
					body,
				);
				expect(theirs).not.toBe(`v1,${mac}`);
				const verdict = verifyDelivery({
					headers: headersOf(id, seconds, `v1,${mac}`),
					body,
					secrets: [{ label: "s", secret }],
					nowMs: seconds * 1000,
				});
				expect(verdict.kind).toBe("valid");
			}),
			{ ...options, numRuns: 1000 },
		);
	});
});
