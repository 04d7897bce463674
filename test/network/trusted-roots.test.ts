import { expect, it } from "vitest";
import { trustAlso } from "../../src/network/trusted-roots.ts";
import { CA } from "../session/http/harness.ts";

it("takes text or bytes, and several certificates", () => {
	expect(trustAlso(CA)).toBeDefined();
	expect(trustAlso(`# ours\n${CA}\n${CA}`)).toBeDefined();
	expect(trustAlso(undefined)).toBeUndefined();
});

it.each([
	["nothing", ""],
	["text", "hello"],
	["a key", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"],
	[
		"a broken certificate",
		"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
	],
])("refuses %s", (_what, ca) => {
	expect(() => trustAlso(ca)).toThrow(
		expect.objectContaining({
			code: "wrong-use",
			what: expect.stringContaining("--ca"),
		}),
	);
});
