// Who we are at a server, without saying it: a keyed hash of the credentials. The key stays in the state folder, so that
// nobody who sees a record can try tokens against it.
import { createHmac } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Fault } from "../faults/index.ts";

/** What of a request says who asks. */
export interface Credential {
	name: string;
	value: string;
}

export interface PrincipalOptions {
	/** The state folder; the key is made there once there is something to hash. */
	folder: string;
	randomBytes: (size: number) => Buffer;
}

const KEY_BYTES = 32;
const SHOWN_DIGITS = 32;
/** Whoever shows no credentials. */
const NOBODY = "nobody";

/** The same text for the same credentials in any order, another for others. Throws `file-failed`. */
export async function principalOf(
	credentials: readonly Credential[],
	options: PrincipalOptions,
): Promise<string> {
	if (credentials.length === 0) return NOBODY;
	const key = await readKey(join(options.folder, "principal.key"), options);
	const texts = credentials.map(({ name, value }) =>
		JSON.stringify([name.toLowerCase(), value]),
	);
	const text = texts.sort().join("\n");
	const hash = createHmac("sha256", key).update(text).digest("hex");
	return hash.slice(0, SHOWN_DIGITS);
}

async function readKey(
	path: string,
	{ randomBytes }: PrincipalOptions,
): Promise<Buffer> {
	try {
		const kept = await readFile(path).catch(() => undefined);
		if (kept?.length === KEY_BYTES) return kept;
		// A torn one of a crash proves nothing any more: what it made can no longer be found.
		if (kept) await unlink(path).catch(() => {});
		await makeKey(path, randomBytes);
		return await readFile(path);
	} catch (cause) {
		throw new Fault("file-failed", {
			what: `the key of the state folder cannot be kept in ${path}`,
			why: cause instanceof Error ? cause.message : String(cause),
			next: "make room there, or name another folder: --state DIR",
			cause,
		});
	}
}

/** Written whole, then linked: of two processes that come at once, both get the key of the first. */
async function makeKey(
	path: string,
	randomBytes: PrincipalOptions["randomBytes"],
): Promise<void> {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	const draft = `${path}.${randomBytes(6).toString("hex")}.tmp`;
	const handle = await open(draft, "wx", 0o600);
	try {
		await handle.writeFile(randomBytes(KEY_BYTES));
		await handle.sync();
		await link(draft, path).catch((cause: unknown) => {
			if (!(cause instanceof Error && "code" in cause)) throw cause;
			if (cause.code !== "EEXIST") throw cause;
		});
	} finally {
		await handle.close();
		await unlink(draft).catch(() => {});
	}
}
