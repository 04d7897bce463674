import { describe, expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import {
	connectFault,
	exchangeFault,
	plainToTlsFault,
	proxyFault,
} from "../../src/network/connection-faults.ts";

const LOCAL = new URL("https://localhost:8443/mcp");
const REMOTE = new URL("http://host.example/mcp");
const coded = (code: string, message = "text") =>
	Object.assign(new Error(message), { code });

describe("a connection that cannot be made", () => {
	it.each([
		["ENOTFOUND", "dns-failed"],
		["EAI_AGAIN", "dns-failed"],
		["ECONNREFUSED", "connection-refused"],
		["EMFILE", "connection-failed"],
		["ECONNRESET", "connection-failed"],
		["ENETUNREACH", "connection-failed"],
		["ETIMEDOUT", "timed-out"],
		["DEPTH_ZERO_SELF_SIGNED_CERT", "tls-failed"],
		["SELF_SIGNED_CERT_IN_CHAIN", "tls-failed"],
		["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "tls-failed"],
		["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "tls-failed"],
		["CERT_HAS_EXPIRED", "tls-failed"],
		["CERT_NOT_YET_VALID", "tls-failed"],
		["CERT_UNTRUSTED", "tls-failed"],
		["ERR_TLS_CERT_ALTNAME_INVALID", "tls-failed"],
		["ERR_SSL_WRONG_VERSION_NUMBER", "tls-failed"],
		["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", "tls-failed"],
		["EPROTO", "tls-failed"],
		["EWHATEVER", "connection-failed"],
	])("for %s is %s, with its evidence and a next step", (code, faultCode) => {
		const fault = connectFault(coded(code), LOCAL);
		expect(fault.code).toBe(faultCode);
		expect(fault.why).toContain(code);
		expect(fault.next).toBeTruthy();
	});

	it("to this machine offers our own server", () => {
		expect(connectFault(coded("ECONNREFUSED"), LOCAL).next).toContain(
			"mcp-events serve --port 8443",
		);
		expect(connectFault(coded("ECONNREFUSED"), REMOTE).next).not.toContain(
			"mcp-events",
		);
	});

	it("over several addresses tells of the first that says why", () => {
		const error = new AggregateError([
			new Error("?"),
			coded("ECONNREFUSED"),
			coded("ENETUNREACH"),
		]);
		expect(connectFault(error, REMOTE).code).toBe("connection-refused");
	});

	it("for an unknown CA names both flags, for another host neither --ca", () => {
		expect(
			connectFault(coded("SELF_SIGNED_CERT_IN_CHAIN"), LOCAL).next,
		).toMatch(/--ca FILE.*--insecure/);
		expect(
			connectFault(coded("ERR_TLS_CERT_ALTNAME_INVALID"), LOCAL).next,
		).not.toContain("--ca");
	});

	it("passes a fault on as it is", () => {
		const fault = new Fault("timed-out", { what: "slow" });
		expect(connectFault(fault, LOCAL)).toBe(fault);
	});

	it("is told on one line, whatever OpenSSL writes", () => {
		expect(connectFault(coded("EPROTO", "a\nb\n"), LOCAL).why).toBe(
			"a b (EPROTO)",
		);
	});
});

describe("an exchange that breaks", () => {
	it.each([
		"UND_ERR_SOCKET",
		"UND_ERR_INFO",
		"ECONNRESET",
		"EPIPE",
		"ERR_HTTP2_STREAM_ERROR",
		"UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
	])("with %s is connection-failed", (code) => {
		expect(exchangeFault(coded(code), REMOTE)).toMatchObject({
			code: "connection-failed",
			why: `text (${code})`,
		});
	});

	it("because it is no HTTP says so", () => {
		const error = Object.assign(new Error("Expected HTTP/"), {
			name: "HTTPParserError",
		});
		expect(exchangeFault(error, REMOTE)).toMatchObject({
			code: "http-unexpected",
			why: "Expected HTTP/",
		});
	});

	it("names our own limit where that is what is in the way", () => {
		const { what, why, next } = connectFault(coded("EMFILE"), LOCAL);
		expect(what).toContain("too many open files (ulimit -n)");
		expect(why).toContain("this process has as many files and sockets open");
		expect(next).toContain("ulimit -n");
	});

	it.each([new TypeError("ours"), coded("UND_ERR_INVALID_ARG"), "text"])(
		"by a defect of ours is not hidden: %s",
		(error) => {
			expect(exchangeFault(error, REMOTE)).toBe(error);
		},
	);
});

describe("a proxy", () => {
	const proxy = {
		url: new URL("http://me:secret@proxy:3128"),
		variable: "https_proxy",
		label: "http://proxy:3128",
		authorization: undefined,
	};
	it.each([
		[407, "unauthorized", "HTTP 407"],
		[502, "connection-failed", "HTTP 502"],
		[coded("ECONNREFUSED"), "connection-failed", "ECONNREFUSED"],
	])("that fails with %s is %s", (problem, code, why) => {
		const fault = proxyFault(problem, proxy);
		expect(fault.code).toBe(code);
		expect(fault.why).toContain(why);
		expect(`${fault.what} ${fault.why}`).not.toContain("secret");
		expect(fault.next).toContain("https_proxy");
	});
});

it("plain HTTP to a TLS port is told with the address that would work", () => {
	expect(
		plainToTlsFault(new URL("http://host:8443/mcp?k=secret"), undefined),
	).toMatchObject({
		code: "tls-failed",
		next: "write https://host:8443/mcp",
	});
});
