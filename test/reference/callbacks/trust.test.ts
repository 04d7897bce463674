import { describe, expect, it, onTestFinished, vi } from "vitest";
import { makeTrust } from "../../../src/reference/callbacks/trust.ts";
import {
	LOOPBACK,
	openEndpoint,
	openGuarded,
	postTo,
	readTls,
	TEST_CA,
} from "./guarded-world.ts";

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

it("no endpoint is trusted for a variable that the environment happens to have", async () => {
	vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
	onTestFinished(() => void vi.unstubAllEnvs());
	const { url } = await openEndpoint((_request, response) => response.end());
	const { callbacks } = openGuarded({
		allowPrivateCidrs: LOOPBACK,
		ca: undefined,
	});
	expect(await postTo(callbacks, url("/"))).toEqual({
		kind: "failed",
		reason: "tls_error",
	});
});
