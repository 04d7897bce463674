// The public keys that v1a signatures are checked with: files that --public-key names.
import { Fault } from "../../faults/index.ts";
import {
	type NamedPublicKey,
	parseJwks,
	parsePublicKey,
} from "../../signing/index.ts";
import { readTextFile } from "./files.ts";

/** Each file holds one key (whpk_ or PEM) or a JWK set. Throws a fault that names the file. */
export async function readPublicKeys(
	paths: readonly string[],
): Promise<NamedPublicKey[]> {
	const keys: NamedPublicKey[] = [];
	for (const path of paths) {
		const text = await readTextFile(path, "--public-key");
		try {
			keys.push(...parseKeys(text, path));
		} catch (cause) {
			if (!(cause instanceof Fault)) throw cause;
			const { why, next } = cause;
			const what = `--public-key ${path}: ${cause.what}`;
			throw new Fault(cause.code, { what, why, next, cause });
		}
	}
	return keys;
}

function parseKeys(text: string, path: string): NamedPublicKey[] {
	const isJwks = text.trimStart().startsWith("{");
	return isJwks ? parseJwks(Buffer.from(text)) : [parsePublicKey(text, path)];
}
