import { describe, expect, it } from "vitest";
import { quote, statusFault } from "../../../src/session/http/status-faults.ts";

const DATE = "Wed, 21 Oct 2026 07:28:00 GMT";
const AFTER_90_S = "Wed, 21 Oct 2026 07:29:30 GMT";

function judge(
	status: number,
	headers: Record<string, string> = {},
	more: { body?: string; nowMs?: number; hadCredentials?: boolean } = {},
) {
	return statusFault({
		status,
		header: (name) => headers[name],
		body: Buffer.from(more.body ?? ""),
		url: new URL("https://host.example/mcp"),
		hadCredentials: more.hadCredentials ?? false,
		nowMs: more.nowMs,
	});
}

describe("a status", () => {
	it.each([
		[301, "redirected", 3],
		[304, "redirected", 3],
		[308, "redirected", 3],
		[400, "http-unexpected", 5],
		[401, "unauthorized", 4],
		[403, "http-forbidden", 4],
		[404, "http-not-found", 3],
		[405, "http-not-allowed", 3],
		[406, "http-not-acceptable", 3],
		[415, "http-unexpected", 5],
		[418, "http-unexpected", 5],
		[429, "rate-limited", 3],
		[500, "server-failing", 3],
		[503, "server-failing", 3],
		[599, "server-failing", 3],
	])(
		"%i is the fault %s, exit %i, and names the host",
		(status, code, exitStatus) => {
			const fault = judge(status);
			expect(fault).toMatchObject({ code, exitStatus, httpStatus: status });
			expect(fault.what).toContain("host.example");
			expect(fault.why).toBeTruthy();
			expect(fault.next).toBeTruthy();
		},
	);

	it.each([404, 405])(
		"%i tells that the old HTTP+SSE is not supported",
		(status) => {
			expect(judge(status).next).toContain("2024-11-05");
		},
	);

	it("quotes the beginning of the body on one line", () => {
		const { why } = judge(
			500,
			{ "content-type": "text/plain" },
			{ body: `a\nb${"c".repeat(500)}` },
		);
		expect(why).toContain('text/plain, which begins "a\\nb');
		expect(why?.length).toBeLessThan(250);
	});
});

it("a redirect names its target without its secrets", () => {
	const fault = judge(302, {
		location: "//me:pw@other.example/login?t=secret",
	});
	expect(fault.what).toBe(
		"host.example redirects to https://other.example/login?t=***",
	);
});

describe("401", () => {
	it("tells what WWW-Authenticate says, and both flags", () => {
		const fault = judge(401, {
			"www-authenticate": 'Bearer error="invalid_token"',
		});
		expect(fault.why).toContain('Bearer error="invalid_token"');
		expect(fault.next).toMatch(/--bearer-env VAR.*--header/);
	});

	it.each([
		[true, "does not accept the credentials"],
		[false, "asks for credentials"],
	])(
		"where credentials were sent (%s) says that it %s",
		(hadCredentials, what) => {
			expect(judge(401, {}, { hadCredentials }).what).toContain(what);
		},
	);
});

describe("Retry-After", () => {
	it.each([
		[429, { "retry-after": "7" }, 7_000],
		[503, { "retry-after": " 0 " }, 0],
		[503, { "retry-after": "999999999" }, 86_400_000],
		[429, { "retry-after": AFTER_90_S, date: DATE }, 90_000],
		[429, { "retry-after": AFTER_90_S }, 60_000],
		[429, { "retry-after": DATE, date: AFTER_90_S }, 0],
		[429, { "retry-after": "-5" }, undefined],
		[429, { "retry-after": "1e3" }, undefined],
		[429, { "retry-after": "soon" }, undefined],
		[429, {}, undefined],
		[404, { "retry-after": "7" }, undefined],
	])("of a %i with %j is a wait of %s ms", (status, headers, waitMs) => {
		const nowMs = Date.parse(AFTER_90_S) - 60_000;
		expect(
			judge(status, headers as Record<string, string>, { nowMs }).retryAfterMs,
		).toBe(waitMs);
	});
});

it("quotes what is no UTF-8 without failing", () => {
	expect(quote(Buffer.from([0x61, 0xff]))).toBe('"a\ufffd"');
});
