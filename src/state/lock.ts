// One writer at a time: a lock is a file that names the process which holds it.
import {
	link,
	mkdir,
	readFile,
	rename,
	unlink,
	writeFile,
} from "node:fs/promises";
import { dirname } from "node:path";
import { Fault } from "../faults/index.ts";
import { isRecord } from "../protocol/index.ts";

/** The process that writes, as others can see it. */
export interface Owner {
	pid: number;
	host: string;
	/** Whether a process with this id runs on this host. */
	isAlive: (pid: number) => boolean;
}

export interface Lock {
	/** False once somebody has taken it over, or removed it. Never throws. */
	isOurs(): Promise<boolean>;
	/** Never throws, and leaves a lock alone that is no longer ours. */
	release(): Promise<void>;
}

export interface LockOptions {
	/** Take it over from whoever has it. A holder of this process keeps it all the same. */
	steal?: boolean | undefined;
}

/** Locks that this very process holds: here the process id cannot tell. */
const heldHere = new Set<string>();

/**
 * Takes a lock, or gives undefined where somebody has it who may be alive. A lock whose holder is gone is taken over.
 * `unique` is a name part that no other process has. Throws `file-failed`.
 */
export async function takeLock(
	path: string,
	owner: Owner,
	{ unique, steal = false }: LockOptions & { unique: string },
): Promise<Lock | undefined> {
	if (heldHere.has(path)) return undefined;
	heldHere.add(path);
	const { pid, host } = owner;
	const text = `${JSON.stringify({ pid, host, by: unique })}\n`;
	try {
		if (await claim(path, { owner, unique, text, steal }))
			return {
				isOurs: () => holds(path, text),
				release: () => free(path, text),
			};
	} catch (cause) {
		heldHere.delete(path);
		throw new Fault("file-failed", {
			what: `the lock ${path} cannot be taken`,
			why: cause instanceof Error ? cause.message : String(cause),
			next: "name a folder that can be written to: --state DIR",
			cause,
		});
	}
	heldHere.delete(path);
	return undefined;
}

/** Whether somebody who may be alive holds the lock. */
export async function isLocked(path: string, owner: Owner): Promise<boolean> {
	if (heldHere.has(path)) return true;
	const text = await readFile(path, "utf8").catch(() => "");
	return mayLive(parseOwner(text), owner);
}

/** Who holds a lock, in words; undefined where nobody can be read there. */
export async function lockHolder(path: string): Promise<string | undefined> {
	const text = await readFile(path, "utf8").catch(() => "");
	const { pid, host } = parseOwner(text) ?? {};
	return pid === undefined ? undefined : `process ${pid} on ${String(host)}`;
}

/** One that cannot be read for the moment is not taken for gone. */
async function holds(path: string, text: string): Promise<boolean> {
	try {
		return (await readFile(path, "utf8")) === text;
	} catch (cause) {
		const isMissing =
			cause instanceof Error && "code" in cause && cause.code === "ENOENT";
		return !isMissing;
	}
}

async function free(path: string, text: string): Promise<void> {
	heldHere.delete(path);
	const held = await readFile(path, "utf8").catch(() => undefined);
	if (held === text) await unlink(path).catch(() => {});
}

interface Claim {
	owner: Owner;
	unique: string;
	text: string;
	steal: boolean;
}

async function claim(path: string, { owner, unique, text, steal }: Claim) {
	await mkdir(dirname(path), { recursive: true, mode: 0o700 });
	// Written whole first, then linked: nobody sees a lock without its owner in it.
	const draft = `${path}.${unique}.tmp`;
	await writeFile(draft, text, { mode: 0o600 });
	try {
		if (await linkNew(draft, path)) return true;
		if (steal) {
			await rename(draft, path);
			return true;
		}
		const held = await readFile(path, "utf8").catch(() => "");
		if (mayLive(parseOwner(held), owner)) return false;
		if (!(await takeAway(path, held, unique))) return false;
		return await linkNew(draft, path);
	} finally {
		await unlink(draft).catch(() => {});
	}
}

async function linkNew(draft: string, path: string): Promise<boolean> {
	try {
		await link(draft, path);
		return true;
	} catch (cause) {
		const isTaken =
			cause instanceof Error && "code" in cause && cause.code === "EEXIST";
		if (isTaken) return false;
		throw cause;
	}
}

/** Removes a dead lock. Another may have replaced it meanwhile: then that one is put back. */
async function takeAway(path: string, held: string, unique: string) {
	const aside = `${path}.${unique}.gone`;
	try {
		await rename(path, aside);
	} catch {
		return true; // Its holder was quicker to release it.
	}
	const taken = await readFile(aside, "utf8").catch(() => "");
	const isSame = taken === held;
	if (!isSame) await link(aside, path).catch(() => {});
	await unlink(aside).catch(() => {});
	return isSame;
}

/** Whether the process that wrote its name somewhere may be alive; this very process, as far as its id tells, is not. */
export function mayLive(
	value: { pid: number; host: unknown } | undefined,
	owner: Owner,
): boolean {
	if (value === undefined) return false;
	if (value.host !== owner.host) return true;
	// A container gives its programs the same few ids at each start: our own id proves nothing.
	return value.pid !== owner.pid && owner.isAlive(value.pid);
}

function parseOwner(text: string): { pid: number; host: unknown } | undefined {
	try {
		const value: unknown = JSON.parse(text);
		if (!isRecord(value) || typeof value.pid !== "number") return undefined;
		return { pid: value.pid, host: value.host };
	} catch {
		return undefined;
	}
}
