// The certificates of test/fixtures/tls, as a TLS server wants them.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("../fixtures/tls/", import.meta.url);

/** The file of the CA that made them. */
export const CA_FILE = fileURLToPath(new URL("ca.pem", folder));

/** Key and certificate: `localhost`, `elsewhere` (another host) or `expired`. */
export function keyPair(name: "localhost" | "elsewhere" | "expired") {
	const read = (end: string) => readFileSync(new URL(`${name}.${end}`, folder));
	return { key: read("key"), cert: read("pem") };
}
