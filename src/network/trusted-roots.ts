// Whom TLS trusts: the roots that Node has, and those of --ca beside them.
import { X509Certificate } from "node:crypto";
import {
	createSecureContext,
	rootCertificates,
	type SecureContext,
} from "node:tls";
import { Fault } from "../faults/index.ts";

/** A context that trusts the certificates of --ca too; undefined: the usual roots will do. Throws `wrong-use`. */
export function trustAlso(
	ca: string | Buffer | undefined,
): SecureContext | undefined {
	if (ca === undefined) return undefined;
	const blocks = ca
		.toString("latin1")
		.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
	try {
		for (const block of blocks ?? []) new X509Certificate(block);
	} catch (cause) {
		throw unusableCa("it holds a certificate that cannot be read", cause);
	}
	if (!blocks) throw unusableCa("it holds no PEM certificate");
	// A list of our own replaces the usual roots, so they are named as well.
	return createSecureContext({ ca: [...rootCertificates, ...blocks] });
}

function unusableCa(why: string, cause?: unknown): Fault {
	return new Fault("wrong-use", {
		what: "the file of --ca cannot be used",
		why,
		next: "--ca FILE with certificates in PEM form (-----BEGIN CERTIFICATE-----)",
		cause,
	});
}
