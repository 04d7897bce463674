import { createHmac, createPrivateKey, createPublicKey } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { HeaderPair } from "../../src/protocol/index.ts";
import {
	parseJwks,
	parsePublicKey,
	parseSecret,
	verifyDelivery,
} from "../../src/signing/index.ts";

const secret = parseSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
const other = parseSecret(`whsec_${Buffer.alloc(32, 9).toString("base64")}`);
const id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
const seconds = 1614265330;
const body = Buffer.from('{"test": 2432232314}');
const right = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const wrong = "v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=";

// Published v1a vectors: seed, signature.
const asymmetric = [
	[
		"VEVTVFNJR05JTkdLRVlET05PVFVTRVRISVNGT1JBTlk=",
		"v1a,tQ9V2XOqn7jL/DQenEFpqIugdBVtiMmER5mhSkXBNwM0mkATuDe6KYYUuxqtaiHeYGb7KaaBRdM5WqyeFiL8Ag==",
	],
	[
		"6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc=",
		"v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
	],
] as const;

const headers = (
	signature: string,
	timestamp = String(seconds),
): HeaderPair[] => [
	["Webhook-Id", id],
	["WEBHOOK-TIMESTAMP", timestamp],
	["webhook-signature", signature],
];
const delivery = {
	headers: headers(right),
	body,
	secrets: [{ label: "now", secret }],
	nowMs: seconds * 1000,
};

function publicKeyOf(seed: string) {
	const der = Buffer.concat([
		Buffer.from("302e020100300506032b657004220420", "hex"),
		Buffer.from(seed, "base64"),
	]);
	return createPublicKey(
		createPrivateKey({ key: der, format: "der", type: "pkcs8" }),
	);
}

describe("verifying a delivery", () => {
	it.each([
		["the published signature", right],
		[
			"the right signature after wrong ones and unknown versions",
			`${wrong} v2,x v1a,zz garbage ${right}`,
		],
		["the right signature before wrong ones", `${right}  ${wrong}`],
	])("accepts %s", (_, signature) => {
		const verdict = verifyDelivery({
			...delivery,
			headers: headers(signature),
		});
		expect(verdict).toEqual({ kind: "valid", version: "v1", label: "now" });
	});

	it("says which of several secrets fits", () => {
		const secrets = [
			{ label: "new", secret: other },
			{ label: "old", secret },
		];
		expect(verifyDelivery({ ...delivery, secrets })).toMatchObject({
			kind: "valid",
			label: "old",
		});
	});

	it.each([
		[
			"one byte of the body changed",
			{ body: Buffer.from('{"test": 2432232315}') },
		],
		[
			"another id",
			{
				headers: [
					["webhook-id", `${id}x`],
					...headers(right).slice(1),
				] as HeaderPair[],
			},
		],
		["another timestamp", { headers: headers(right, String(seconds + 1)) }],
		["another secret", { secrets: [{ label: "x", secret: other }] }],
		["no secret at all", { secrets: [] }],
		["only wrong signatures", { headers: headers(`${wrong} ${wrong}`) }],
	])("finds no match with %s", (_, change) => {
		expect(verifyDelivery({ ...delivery, ...change }).kind).toBe("no-match");
	});

	it.each([
		["without padding", right.replace("=", "")],
		["in base64url", right.replaceAll("+", "-").replaceAll("/", "_")],
		["with a last bit that means nothing", right.replace("E=", "F=")],
		[
			"in hexadecimal",
			`v1,${Buffer.from(right.slice(3), "base64").toString("hex")}`,
		],
		["cut short", "v1,g0hM"],
		["empty", "v1,"],
		["with more behind it", `${right}=`],
		[
			"with a letter whose low byte is that of the right one",
			right.replace("g", "\u0167"),
		],
	])("does not read a signature %s", (_, signature) => {
		// After the right one: nothing of it may count for the next.
		expect(verifyDelivery(delivery).kind).toBe("valid");
		expect(
			verifyDelivery({ ...delivery, headers: headers(signature) }),
		).toMatchObject({ kind: "malformed-header", header: "webhook-signature" });
	});

	it.each(["v2,abc", "v1a,abc", "garbage", " ", `V1${right.slice(2)}`])(
		"knows no version in %j",
		(signature) => {
			expect(
				verifyDelivery({ ...delivery, headers: headers(signature) }).kind,
			).toBe("no-known-version");
		},
	);

	it.each([0, 1, 2])(
		"names header %i when it is missing, sent twice or empty",
		(at) => {
			const all = headers(right);
			const [name, value] = all[at] as HeaderPair;
			const header = name.toLowerCase();
			const verdict = (headers: HeaderPair[]) =>
				verifyDelivery({ ...delivery, headers });
			expect(verdict(all.toSpliced(at, 1))).toEqual({
				kind: "missing-header",
				header,
			});
			expect(verdict([...all, [header, value]])).toMatchObject({
				kind: "malformed-header",
				header,
				why: "it was sent 2 times",
			});
			expect(verdict(all.with(at, [name, ""]))).toMatchObject({
				kind: "malformed-header",
				header,
			});
		},
	);

	it.each([
		"1614265330abc",
		"-1614265330",
		"+1614265330",
		"1614265330.5",
		"0x60380000",
		" ",
		"1614265330000",
		"１６１４",
		"1e9",
		"9".repeat(400),
	])("takes %j for no timestamp, even if it was signed", (timestamp) => {
		const mac = createHmac("sha256", secret.key)
			.update(`${id}.${timestamp}.`)
			.update(body)
			.digest("base64");
		expect(
			verifyDelivery({ ...delivery, headers: headers(`v1,${mac}`, timestamp) })
				.kind,
		).toBe("malformed-timestamp");
	});

	it.each([
		[300_999, "valid"],
		[301_000, "too-old"],
		[-300_000, "valid"],
		[-300_001, "too-new"],
	])("of which %i ms have passed is %s", (passedMs, kind) => {
		expect(
			verifyDelivery({ ...delivery, nowMs: seconds * 1000 + passedMs }).kind,
		).toBe(kind);
	});

	it("tells how old, by whom it was signed, and keeps to another tolerance", () => {
		const late = { ...delivery, nowMs: (seconds + 400) * 1000 };
		expect(verifyDelivery(late)).toEqual({
			kind: "too-old",
			seconds: 400,
			toleranceSeconds: 300,
			version: "v1",
			label: "now",
		});
		expect(verifyDelivery({ ...late, toleranceSeconds: 400 }).kind).toBe(
			"valid",
		);
	});

	it("says that a signature is wrong before it says that it is old", () => {
		const old = {
			...delivery,
			headers: headers(wrong),
			nowMs: (seconds + 9999) * 1000,
		};
		expect(verifyDelivery(old).kind).toBe("no-match");
	});

	it("reads no more signatures than a rotation needs", () => {
		const many = headers(`${`${wrong} `.repeat(40)}${right}`);
		expect(verifyDelivery({ ...delivery, headers: many })).toMatchObject({
			kind: "malformed-header",
		});
	});
});

describe("v1a", () => {
	it.each(asymmetric)(
		"fits the published vector of seed %s",
		(seed, signature) => {
			const publicKeys = [{ label: "kid-1", key: publicKeyOf(seed) }];
			const signed = {
				...delivery,
				headers: headers(`${wrong} ${signature}`),
				publicKeys,
			};
			expect(verifyDelivery(signed)).toEqual({
				kind: "valid",
				version: "v1a",
				label: "kid-1",
			});
			expect(verifyDelivery({ ...signed, body: Buffer.from("{}") }).kind).toBe(
				"no-match",
			);
			expect(verifyDelivery({ ...signed, nowMs: 0 }).kind).toBe("too-new");
		},
	);

	it.each(asymmetric)(
		"takes its key as whpk_, PEM or JWKS (%s)",
		(seed, signature) => {
			const key = publicKeyOf(seed);
			const jwk = key.export({ format: "jwk" });
			const raw = `whpk_${Buffer.from(jwk.x ?? "", "base64url").toString("base64")}`;
			const noise = [
				null,
				{ kty: "RSA" },
				{ kty: "OKP", crv: "Ed25519", x: "AA" },
			];
			const set = Buffer.from(
				JSON.stringify({ keys: [...noise, { ...jwk, kid: "k2" }] }),
			);
			const sources = [
				[parsePublicKey(raw, "raw")],
				[
					parsePublicKey(
						key.export({ format: "pem", type: "spki" }).toString(),
						"pem",
					),
				],
				parseJwks(set),
			];
			const labels = sources.map((publicKeys) =>
				verifyDelivery({
					...delivery,
					headers: headers(signature),
					publicKeys,
				}),
			);
			expect(labels).toMatchObject([
				{ label: "raw" },
				{ label: "pem" },
				{ label: "k2" },
			]);
		},
	);

	it("is skipped without a key", () => {
		expect(
			verifyDelivery({ ...delivery, headers: headers(asymmetric[0][1]) }),
		).toEqual({ kind: "no-known-version", versions: ["v1a"] });
	});

	it.each([
		"whpk_AAAA",
		"hello",
		"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----",
	])("refuses %j as a key", (text) => {
		expect(() => parsePublicKey(text, "x")).toThrow(
			/not one that can check v1a/,
		);
	});
});
