// A certificate for a receiver on this machine, and the CA that signed it (RFC 5280). The CA's key is forgotten at once:
// whoever trusts the CA trusts this one certificate, and nothing that comes later.
import {
	createHash,
	generateKeyPairSync,
	type KeyObject,
	randomBytes,
	sign,
} from "node:crypto";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { Fault } from "../faults/index.ts";
import {
	bitString,
	boolean,
	context,
	integer,
	octetString,
	oid,
	sequence,
	set,
	time,
	utf8String,
} from "./der.ts";

export interface SelfSigned {
	/** What a sender must trust. */
	caPem: string;
	certPem: string;
	/** For the receiver alone; it belongs in no file. */
	keyPem: string;
}

const OIDS = {
	ecdsaWithSha256: "1.2.840.10045.4.3.2",
	commonName: "2.5.4.3",
	subjectKeyIdentifier: "2.5.29.14",
	keyUsage: "2.5.29.15",
	subjectAltName: "2.5.29.17",
	basicConstraints: "2.5.29.19",
	authorityKeyIdentifier: "2.5.29.35",
	extendedKeyUsage: "2.5.29.37",
	serverAuth: "1.3.6.1.5.5.7.3.1",
} as const;

/** A sender's clock may be behind ours. */
const EARLIER_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Makes a CA and a certificate for `hosts` (names and IP addresses), good for `days` from `now` on (epoch
 * milliseconds). Throws `wrong-use` for a host that cannot stand in a certificate.
 */
export function makeSelfSigned(wanted: {
	hosts: readonly string[];
	now: number;
	days: number;
}): SelfSigned {
	const { now, days } = wanted;
	const hosts = sequence(...wanted.hosts.map(generalName));
	const ca = generateKeyPairSync("ec", { namedCurve: "P-256" });
	const leaf = generateKeyPairSync("ec", { namedCurve: "P-256" });
	// Several of these may stand in one store of trusted CAs.
	const caName = `mcp-events CA ${randomBytes(4).toString("hex")}`;
	const signed = {
		issuer: caName,
		signer: ca.privateKey,
		notBefore: now - EARLIER_MS,
		notAfter: now + days * DAY_MS,
	};
	return {
		caPem: certificate({
			...signed,
			subject: caName,
			key: ca.publicKey,
			extensions: [
				extension("basicConstraints", sequence(boolean(true), number(0)), true),
				// keyCertSign and cRLSign
				extension("keyUsage", bitString(Buffer.from([0x06]), 1), true),
				extension("subjectKeyIdentifier", octetString(keyId(ca.publicKey))),
			],
		}),
		certPem: certificate({
			...signed,
			subject: "mcp-events receiver",
			key: leaf.publicKey,
			extensions: [
				extension("basicConstraints", sequence(), true),
				// digitalSignature
				extension("keyUsage", bitString(Buffer.from([0x80]), 7), true),
				extension("extendedKeyUsage", sequence(oid(OIDS.serverAuth))),
				extension("subjectAltName", hosts),
				extension("subjectKeyIdentifier", octetString(keyId(leaf.publicKey))),
				extension(
					"authorityKeyIdentifier",
					sequence(context(0, keyId(ca.publicKey), { isPrimitive: true })),
				),
			],
		}),
		keyPem: leaf.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
	};
}

interface CertificateFacts {
	subject: string;
	issuer: string;
	key: KeyObject;
	signer: KeyObject;
	notBefore: number;
	notAfter: number;
	extensions: Buffer[];
}

function certificate(facts: CertificateFacts): string {
	const algorithm = sequence(oid(OIDS.ecdsaWithSha256));
	const signed = sequence(
		context(0, number(2)), // version 3
		integer(randomBytes(16)),
		algorithm,
		name(facts.issuer),
		sequence(time(facts.notBefore), time(facts.notAfter)),
		name(facts.subject),
		spki(facts.key),
		context(3, sequence(...facts.extensions)),
	);
	const signature = sign("sha256", signed, facts.signer);
	const der = sequence(signed, algorithm, bitString(signature));
	const lines = der.toString("base64").replace(/.{1,64}/g, "$&\n");
	return `-----BEGIN CERTIFICATE-----\n${lines}-----END CERTIFICATE-----\n`;
}

const number = (value: number) => integer(Buffer.from([value]));

const name = (commonName: string) =>
	sequence(set(sequence(oid(OIDS.commonName), utf8String(commonName))));

const spki = (key: KeyObject) => key.export({ type: "spki", format: "der" });

const keyId = (key: KeyObject) =>
	createHash("sha256").update(spki(key)).digest().subarray(0, 20);

const extension = (
	kind: keyof typeof OIDS,
	value: Buffer,
	isCritical = false,
) =>
	sequence(
		oid(OIDS[kind]),
		...(isCritical ? [boolean(true)] : []),
		octetString(value),
	);

/** A host as an alternative name: an IP address as its bytes, a name as ASCII. */
function generalName(host: string): Buffer {
	if (isIP(host)) return context(7, ipBytes(host), { isPrimitive: true });
	const ascii = domainToASCII(host);
	if (!/^[a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_])?$/.test(ascii))
		throw new Fault("wrong-use", {
			what: `${JSON.stringify(host)} cannot stand in a certificate`,
			why: "it is neither a host name nor an IP address",
			next: "name the host without scheme, port or zone: localhost",
		});
	return context(2, Buffer.from(ascii, "ascii"), { isPrimitive: true });
}

function ipBytes(ip: string): Buffer {
	if (isIP(ip) === 4) return Buffer.from(ip.split(".").map(Number));
	// A URL writes every form of an IPv6 address as groups of hexadecimal digits.
	const groups = new URL(`http://[${ip.replace(/%.*/, "")}]`).hostname.slice(
		1,
		-1,
	);
	const [before = [], after = []] = groups
		.split("::")
		.map((part) => part.split(":").filter(Boolean));
	const zeros = Array.from(
		{ length: 8 - before.length - after.length },
		() => "0",
	);
	const all = [...before, ...zeros, ...after].map((group) =>
		group.padStart(4, "0"),
	);
	return Buffer.from(all.join(""), "hex");
}
