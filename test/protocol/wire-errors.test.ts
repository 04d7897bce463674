import { describe, expect, it } from "vitest";
import {
	nameWireError,
	readWireError,
} from "../../src/protocol/wire-errors.ts";

// The numbers stand here as the contract lists them (events.md 1), not as our table has them.
describe("an error number", () => {
	it.each([
		[-32023, "NotFound"],
		[-32011, "NotFound"],
		[-32016, "NotFound"],
		[-32024, "Forbidden"],
		[-32012, "Forbidden"],
		[-32025, "ResourceExhausted"],
		[-32013, "ResourceExhausted"],
		[-32026, "Unsupported"],
		[-32014, "Unsupported"],
		[-32017, "Unsupported"],
		[-32027, "CallbackEndpointError"],
		[-32015, "CallbackEndpointError"],
		[-32602, "InvalidParams"],
		[-32601, "MethodNotFound"],
		[-32603, "InternalError"],
		[-32020, "HeaderMismatch"],
		[-32021, "MissingRequiredClientCapability"],
		[-32022, "UnsupportedProtocolVersion"],
		[-32000, "Unknown"],
		[1, "Unknown"],
	])("%i is %s in whichever numbering", (code, name) => {
		expect(nameWireError(code)).toBe(name);
	});

	it.each([undefined, null, "x", {}, { code: "1" }, { code: 1.5 }])(
		"is not made up for %j",
		(value) => {
			expect(readWireError(value)).toBeUndefined();
		},
	);

	it("is kept without data that is nested too deeply to be written again", () => {
		const data = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
		expect(readWireError({ code: -32024, message: "no", data })).toEqual({
			name: "Forbidden",
			code: -32024,
			message: "no",
			data: undefined,
		});
	});

	it("is kept with its message and data", () => {
		const wire = { code: -32025, message: "full", data: { limit: "streams" } };
		expect(readWireError(wire)).toEqual({ name: "ResourceExhausted", ...wire });
	});
});
