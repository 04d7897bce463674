import { describe, expect, it } from "vitest";
import { readWireError } from "../../src/protocol/index.ts";
import { faultFromWire } from "../../src/session/wire-fault.ts";

const poll = { method: "events/poll", name: "tick" };
const fault = (
	code: number,
	data?: unknown,
	asked: Parameters<typeof faultFromWire>[0] = poll,
) => {
	const error = readWireError({ code, message: "m\u001b", data });
	if (!error) throw new Error("no error");
	return faultFromWire(asked, error);
};

describe("an error of a server becomes a fault by its name, in every numbering", () => {
	it.each([
		[-32023, "event-unknown"],
		[-32011, "event-unknown"],
		[-32016, "event-unknown"],
		[-32024, "forbidden"],
		[-32012, "forbidden"],
		[-32602, "arguments-refused"],
		[-32025, "rate-limited"],
		[-32013, "rate-limited"],
		[-32026, "mode-not-offered"],
		[-32017, "mode-not-offered"],
		[-32601, "not-events"],
		[-32022, "version-unsupported"],
		[-32603, "server-failing"],
		[-32020, "rpc-error"],
		[-32700, "rpc-error"],
		[7, "rpc-error"],
	])("%i: %s", (number, code) => {
		expect(fault(number)).toMatchObject({
			code,
			why: expect.stringContaining(`(${number}): "m\\u001b"`),
		});
	});

	it.each([
		[401, "unauthorized"],
		[403, "http-forbidden"],
		[429, "rate-limited"],
		[502, "server-failing"],
		[400, "rpc-error"],
	])(
		"a number without a meaning leaves it to HTTP %i: %s",
		(httpStatus, code) => {
			expect(fault(-32000, undefined, { ...poll, httpStatus })).toMatchObject({
				code,
				httpStatus,
			});
		},
	);

	it("the refused cursor of events/list is no fault of the arguments", () => {
		expect(fault(-32602, undefined, { method: "events/list" }).code).toBe(
			"rpc-error",
		);
	});
});

describe("what the data says is told", () => {
	it.each([
		[
			-32025,
			{ limit: "streams", max: 10 },
			{
				what: "the server is at its limit of streams (10) for events/poll of tick",
			},
		],
		[-32025, { retryAfterMs: 1500 }, { retryAfterMs: 1500 }],
		[-32025, { retryAfterMs: 1e300 }, { retryAfterMs: 86_400_000 }],
		[-32025, { retryAfterMs: "soon" }, { retryAfterMs: undefined }],
		[
			-32026,
			{ feature: "deliveryMode", value: "push" },
			{
				what: "the server does not support deliveryMode push for events/poll of tick",
			},
		],
		[-32023, { kind: "subscription" }, { code: "rpc-error" }],
	])("%i with %j", (code, data, parts) => {
		expect(fault(code, data)).toMatchObject(parts);
	});

	it("but never at length", () => {
		const long = fault(-32603, { text: "x".repeat(5_000) });
		expect(long.why?.length).toBeLessThan(1_000);
	});
});
