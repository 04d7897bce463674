// The server's own key, held to node:crypto and to the reader of public keys that receivers use.
import { generateKeyPairSync, verify } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signAsymmetrically } from "../../src/signing/index.ts";
import { jwksText, parsePrivateKey } from "../../src/signing/private-key.ts";
import { parseJwks } from "../../src/signing/public-key.ts";

/** RFC 8032 7.1, TEST 1. */
const SEED = Buffer.from(
	"9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
	"hex",
);
const PUBLIC = Buffer.from(
	"d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
	"hex",
);

const pem = (type: "ed25519" | "x25519") =>
	generateKeyPairSync(type as "ed25519")
		.privateKey.export({ type: "pkcs8", format: "pem" })
		.toString();

describe("a private key", () => {
	it.each([
		["the seed alone", SEED],
		["the seed with its public half", Buffer.concat([SEED, PUBLIC])],
	])("is read from whsk_ and %s", (_, bytes) => {
		const key = parsePrivateKey(`whsk_${bytes.toString("base64")}\n`);
		const { keys } = JSON.parse(jwksText(key));
		expect(keys[0].x).toBe(PUBLIC.toString("base64url"));
		// RFC 8037 A.3 gives the thumbprint of this very key.
		expect(keys[0].kid).toBe("kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k");
	});

	it("signs what the published half of it verifies", () => {
		const key = parsePrivateKey(pem("ed25519"));
		const body = Buffer.from('{"eventId":"1"}');
		const message = { id: "msg_1", timestampSeconds: 1_800_000_000, body };
		const signature = signAsymmetrically({ ...message, key });
		const [published] = parseJwks(Buffer.from(jwksText(key)));
		const text = Buffer.from('msg_1.1800000000.{"eventId":"1"}');
		const bytes = Buffer.from(signature.slice("v1a,".length), "base64");
		expect(published && verify(null, text, published.key, bytes)).toBe(true);
	});

	it.each([
		["a public key's text", `whpk_${PUBLIC.toString("base64")}`],
		["too few bytes", `whsk_${SEED.subarray(1).toString("base64")}`],
		["another kind of key", pem("x25519")],
		["nothing", ""],
	])("is not read from %s", (_, text) => {
		expect(() => parsePrivateKey(text)).toThrow(
			"the private key is not one that can make v1a signatures",
		);
	});
});
