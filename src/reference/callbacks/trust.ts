// Whom the guarded path trusts over TLS: the roots that Node has, and those of --callback-ca beside them.
import { X509Certificate } from "node:crypto";
import {
	createSecureContext,
	rootCertificates,
	type SecureContext,
} from "node:tls";
import { Fault } from "../../faults/index.ts";

const CERTIFICATE =
	/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws `wrong-use` where `ca` is no PEM of certificates. What it returns reads all the roots, once, when it is asked. */
export function makeTrust(ca: string | undefined): () => SecureContext {
	const certificates = ca === undefined ? undefined : parseCertificates(ca);
	let context: SecureContext | undefined;
	return () =>
		(context ??= createSecureContext(
			// A list of our own replaces the usual roots, so they are named as well.
			certificates && { ca: [...rootCertificates, ...certificates] },
		));
}

function parseCertificates(ca: string): string[] {
	const blocks = ca.match(CERTIFICATE) ?? [];
	if (blocks.length === 0) throw unusable("it holds no PEM certificate");
	try {
		for (const block of blocks) new X509Certificate(block);
	} catch (cause) {
		throw unusable("it holds a certificate that cannot be read", cause);
	}
	return blocks;
}

function unusable(why: string, cause?: unknown): Fault {
	return new Fault("wrong-use", {
		what: "the file of --callback-ca cannot be used",
		why,
		next: "--callback-ca FILE with certificates in PEM form (-----BEGIN CERTIFICATE-----)",
		cause,
	});
}
