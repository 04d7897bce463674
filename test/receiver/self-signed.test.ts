import { X509Certificate } from "node:crypto";
import { Agent, request } from "undici";
import { describe, expect, it } from "vitest";
import { makeSelfSigned, openReceiver } from "../../src/receiver/index.ts";
import {
	eventBody,
	makeRoute,
	NOW_MS,
	PATH,
	signedHeaders,
} from "../fixtures/deliveries.ts";

const DAY_MS = 86_400_000;
const made = makeSelfSigned({
	hosts: ["localhost", "127.0.0.1", "::1", "2001:db8::a:0:1", "bücher.example"],
	now: NOW_MS,
	days: 30,
});
const ca = new X509Certificate(made.caPem);
const leaf = new X509Certificate(made.certPem);

describe("a self-signed certificate", () => {
	it("is signed by its CA, which is one, and has its key", () => {
		expect(leaf.verify(ca.publicKey)).toBe(true);
		expect(leaf.checkIssued(ca)).toBe(true);
		expect(ca.verify(ca.publicKey)).toBe(true);
		expect([ca.ca, leaf.ca]).toEqual([true, false]);
		expect(leaf.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
		expect(leaf.publicKey.asymmetricKeyDetails).toEqual({
			namedCurve: "prime256v1",
		});
	});

	it.each(["localhost", "xn--bcher-kva.example"])(
		"is for the name %s",
		(name) => {
			expect(leaf.checkHost(name)).toBe(name);
		},
	);

	it.each(["127.0.0.1", "::1", "2001:db8:0:0:0:a:0:1"])(
		"is for the address %s",
		(ip) => {
			expect(leaf.checkIP(ip)).toBe(ip);
		},
	);

	it("is for nothing else", () => {
		expect(leaf.checkHost("elsewhere.example")).toBeUndefined();
		expect(leaf.checkIP("127.0.0.2")).toBeUndefined();
	});

	it("is good from an hour before now for as many days as asked", () => {
		expect(Date.parse(leaf.validFrom)).toBe(NOW_MS - DAY_MS / 24);
		expect(Date.parse(leaf.validTo)).toBe(NOW_MS + 30 * DAY_MS);
	});

	it("says years from 2050 on in the longer form", () => {
		const now = Date.UTC(2049, 11, 31, 12);
		const { certPem } = makeSelfSigned({ hosts: ["a"], now, days: 1 });
		const { validFrom, validTo } = new X509Certificate(certPem);
		expect([validFrom, validTo]).toEqual([
			"Dec 31 11:00:00 2049 GMT",
			"Jan  1 12:00:00 2050 GMT",
		]);
	});

	it.each(["", "a b", "http://x", "fe80::1::", "-a", `${"a".repeat(254)}`])(
		"cannot be for %j",
		(host) => {
			expect(() =>
				makeSelfSigned({ hosts: [host], now: NOW_MS, days: 1 }),
			).toThrow(expect.objectContaining({ code: "wrong-use" }));
		},
	);

	it("serves deliveries to a sender that trusts the CA, and to no other", async () => {
		const now = Date.now();
		const {
			caPem,
			certPem: cert,
			keyPem: key,
		} = makeSelfSigned({ hosts: ["127.0.0.1"], now, days: 1 });
		await using receiver = await openReceiver({
			host: "127.0.0.1",
			port: 0,
			routes: [makeRoute()],
			now: () => now,
			accept: async () => undefined,
			tls: { cert, key },
		});
		const post = async (connect: { ca?: string }) => {
			const dispatcher = new Agent({ connect });
			const headers = signedHeaders({ signedMs: now }).flat();
			const sending = {
				method: "POST",
				headers,
				body: eventBody(),
				dispatcher,
			} as const;
			return request(receiver.origin + PATH, sending)
				.then(
					(answer) => answer.statusCode,
					(error) => error.code,
				)
				.finally(() => dispatcher.destroy());
		};
		expect(await post({ ca: caPem })).toBe(204);
		expect(await post({})).toMatch(/SELF_SIGNED|UNABLE_TO_VERIFY/);
	});
});
