// The claims of runs that are gone: taken over by one process alone, so that each is dealt with once.
import { readdirSync, renameSync, statSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { type KeptClaim, readClaim, replaceClaim } from "./claim-file.ts";
import { mayLive, type Owner, takeLock } from "./lock.ts";

export interface TakeOverOptions {
	owner: Owner;
	now: () => number;
	unique: () => string;
	/** Its end was written down, and it was only not let go of. */
	isSettled(claim: KeptClaim): boolean;
	/** Told of each damaged file that was set aside. */
	damaged: (text: string) => void;
}

const CLAIM_NAME = /^[0-9a-f]{32}\.claim$/;
/** A draft is there for some milliseconds. */
const OLD_DRAFT_MS = 3_600_000;

/** Those that are ours now, oldest first. None where another process does the same in this moment. */
export async function takeOverClaims(
	folder: string,
	options: TakeOverOptions,
): Promise<KeptClaim[]> {
	const { owner, unique } = options;
	const lockPath = join(folder, "take-over.lock");
	const lock = await takeLock(lockPath, owner, { unique: unique() });
	if (!lock) return [];
	const taken: KeptClaim[] = [];
	try {
		for (const name of readdirSync(folder)) {
			const path = join(folder, name);
			if (name.endsWith(".tmp")) removeOldDraft(path, options.now());
			if (!CLAIM_NAME.test(name)) continue;
			const claim = readClaim(path);
			if (!claim) setAside(path, options);
			else if (mayLive(claim, owner)) continue;
			else if (options.isSettled(claim)) unlinkSync(path);
			else {
				const { pid, host } = owner;
				await replaceClaim(path, { ...claim, pid, host }, unique());
				taken.push(claim);
			}
		}
	} finally {
		await lock.release();
	}
	return taken.sort((a, b) => a.at - b.at || a.order - b.order);
}

function removeOldDraft(path: string, nowMs: number): void {
	const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
	if (changed !== undefined && changed < nowMs - OLD_DRAFT_MS) unlinkSync(path);
}

/** One that was let go of in this moment is not damaged: it is not there. */
function setAside(path: string, { unique, damaged }: TakeOverOptions): void {
	if (!statSync(path, { throwIfNoEntry: false })) return;
	const aside = `${path}.damaged-${unique()}`;
	renameSync(path, aside);
	damaged(
		`${path} is damaged; it was set aside as ${aside}: whether its event was acted on is not known`,
	);
}
