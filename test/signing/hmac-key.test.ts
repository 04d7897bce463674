import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { HmacKey } from "../../src/signing/hmac-key.ts";

const bytes = (constraints: fc.IntArrayConstraints) =>
	fc.uint8Array(constraints).map((value) => Buffer.from(value));

it("gives the digests that OpenSSL gives, one after the other and with any key", () => {
	fc.assert(
		fc.property(
			bytes({ minLength: 1, maxLength: 64 }),
			bytes({ maxLength: 80 }),
			bytes({ maxLength: 600 }),
			(key, prefix, body) => {
				const mac = createHmac("sha256", key).update(prefix).update(body);
				expect(new HmacKey(key).digest(prefix, body)).toEqual(
					mac.digest("base64"),
				);
			},
		),
		{ seed: 1, numRuns: 1_000 },
	);
});

it.each([16_000, 16_300, 16_384, 100_000])(
	"gives it for a body of %i bytes",
	(length) => {
		const key = Buffer.alloc(32, 7);
		const prefix = Buffer.from("msg_1.1700000000.");
		const body = Buffer.alloc(length, "ab");
		const mac = createHmac("sha256", key).update(prefix).update(body);
		expect(new HmacKey(key).digest(prefix, body)).toEqual(mac.digest("base64"));
	},
);

it("refuses a key that does not fit into a block, and shows nothing of its key", () => {
	expect(() => new HmacKey(Buffer.alloc(65))).toThrow(RangeError);
	const shown = JSON.stringify(new HmacKey(Buffer.alloc(32, 1)));
	expect(shown).toBe("{}");
});
