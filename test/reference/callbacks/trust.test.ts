import { describe, expect, it } from "vitest";
import { makeTrust } from "../../../src/reference/callbacks/trust.ts";
import { readTls, TEST_CA } from "./guarded-world.ts";

describe("the CA of --callback-ca", () => {
	it("may stand between other text", () => {
		const trust = makeTrust(`a note\n${TEST_CA}\nanother\n${TEST_CA}`);
		expect(trust()).toBe(trust());
	});

	it.each([
		["nothing", ""],
		["a key", readTls("localhost.key").toString()],
		[
			"a broken certificate",
			"-----BEGIN CERTIFICATE-----\nbroken\n-----END CERTIFICATE-----",
		],
	])("cannot be %s", (_what, text) => {
		const wrongUse = expect.objectContaining({ code: "wrong-use" });
		expect(() => makeTrust(text)).toThrow(wrongUse);
	});
});
