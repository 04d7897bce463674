import { describe, expect, it } from "vitest";
import { parseSecret, signMessage } from "../../src/signing/index.ts";

// The published vector of Standard Webhooks; it stands in the specification's own libraries.
const vector = {
	id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
	timestampSeconds: 1614265330,
	body: Buffer.from('{"test": 2432232314}'),
	secret: parseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
};

describe("signing a message", () => {
	it("gives the published signature", () => {
		expect(signMessage(vector)).toBe(
			"v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		);
	});

	it.each([
		["an empty id", { id: "" }],
		["a line end in the id", { id: "a\nb" }],
		["a fraction of a second", { timestampSeconds: 1.5 }],
		["a time before 1970", { timestampSeconds: -1 }],
	])("refuses %s", (_, change) => {
		expect(() => signMessage({ ...vector, ...change })).toThrow(
			/cannot be a webhook-/,
		);
	});
});
