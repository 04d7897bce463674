import { describe, expect, it } from "vitest";
import { codesOf } from "../../src/grade/error-names.ts";

describe("the numbers that are right for a name", () => {
	it.each([
		["NotFound", "final", [-32023]],
		["NotFound", "sketch", [-32011, -32016]],
		["Forbidden", "sketch", [-32012]],
		["Unsupported", "sketch", [-32014, -32017]],
		["NotFound", "chatgpt", [-32023, -32011, -32016]],
		["ResourceExhausted", "chatgpt", [-32025, -32013]],
		["CallbackEndpointError", "chatgpt", [-32015]],
		["CallbackEndpointError", "final", [-32027]],
	] as const)("%s, under the profile %s", (name, profile, codes) => {
		expect(codesOf(name, profile)).toEqual(codes);
	});
});
