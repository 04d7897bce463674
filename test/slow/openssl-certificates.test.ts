// Certificates that openssl must take: it shares no code with what writes them.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeSelfSigned } from "../../src/receiver/index.ts";

const hasOpenssl = (() => {
	try {
		execFileSync("openssl", ["version"]);
		return true;
	} catch {
		return false;
	}
})();

describe.skipIf(!hasOpenssl)("openssl (skipped where it is missing)", () => {
	let folder: string;
	const openssl = (...words: string[]) =>
		execFileSync("openssl", words, { cwd: folder, encoding: "utf8" });

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), "certificates-"));
		const hosts = ["localhost", "127.0.0.1", "::1"];
		const made = makeSelfSigned({ hosts, now: Date.now(), days: 30 });
		writeFileSync(join(folder, "ca.pem"), made.caPem);
		writeFileSync(join(folder, "cert.pem"), made.certPem);
		writeFileSync(join(folder, "key.pem"), made.keyPem);
	});
	afterAll(() => rmSync(folder, { recursive: true, force: true }));

	it.each([
		["-verify_hostname", "localhost"],
		["-verify_ip", "127.0.0.1"],
		["-verify_ip", "::1"],
	])("verifies the chain, strictly, for a server: %s %s", (flag, host) => {
		const words = ["-x509_strict", "-purpose", "sslserver", flag, host];
		expect(openssl("verify", "-CAfile", "ca.pem", ...words, "cert.pem")).toBe(
			"cert.pem: OK\n",
		);
	});

	it("does not verify it for another host", () => {
		const words = [
			"-CAfile",
			"ca.pem",
			"-verify_hostname",
			"elsewhere.example",
		];
		expect(() => openssl("verify", ...words, "cert.pem")).toThrow(/mismatch/i);
	});

	it("reads every part", () => {
		const text = openssl("x509", "-in", "cert.pem", "-noout", "-text");
		for (const part of [
			/Version: 3/,
			/Signature Algorithm: ecdsa-with-SHA256/,
			/X509v3 Basic Constraints: critical\s+CA:FALSE/,
			/X509v3 Key Usage: critical\s+Digital Signature\n/,
			/X509v3 Extended Key Usage: \s*TLS Web Server Authentication/,
			/DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1/,
		])
			expect(text).toMatch(part);
		const ca = openssl("x509", "-in", "ca.pem", "-noout", "-text");
		expect(ca).toMatch(/critical\s+CA:TRUE, pathlen:0/);
		expect(ca).toMatch(
			/X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign/,
		);
	});

	it("finds the certificate's key to be its own", () => {
		const ofKey = openssl("pkey", "-in", "key.pem", "-pubout");
		expect(openssl("x509", "-in", "cert.pem", "-noout", "-pubkey")).toBe(ofKey);
	});
});
