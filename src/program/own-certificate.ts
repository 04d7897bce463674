// --tls self-signed: a certificate for this run, and the file that a sender reads its CA from.
import { mkdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { Fault } from "../faults/index.ts";

const DAYS = 30;
const ANY_ADDRESS = new Set(["0.0.0.0", "::", ""]);

export interface OwnCertificate {
	/** PEM texts for the receiver. The key is in no file. */
	tls: { cert: string; key: string };
	caPem: string;
}

/** Makes a certificate for a receiver that listens on `host`, good for this machine's usual names too. */
export async function makeOwnCertificate(
	host: string,
	now: number,
): Promise<OwnCertificate> {
	const { makeSelfSigned } = await import("../receiver/index.ts");
	const own = ANY_ADDRESS.has(host) ? hostname() : host;
	const hosts = [...new Set([own, "localhost", "127.0.0.1", "::1"])];
	const made = makeSelfSigned({ hosts, now, days: DAYS });
	return { tls: { cert: made.certPem, key: made.keyPem }, caPem: made.caPem };
}

/** Writes the CA where a sender can read it, named by the port; returns the path. Throws `file-failed`. */
export async function writeCa(
	folder: string,
	port: number,
	caPem: string,
): Promise<string> {
	const path = join(folder, `receiver-ca-${port}.pem`);
	try {
		await mkdir(folder, { recursive: true, mode: 0o700 });
		await writeFile(path, caPem, { mode: 0o644 });
		return path;
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `the CA file ${path} cannot be written`,
			why: cause instanceof Error ? cause.message : undefined,
			next: "name a folder that can be written: --state DIR",
			cause,
		});
	}
}
