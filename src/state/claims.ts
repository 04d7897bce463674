// Who acts on an event, settled on disk before anybody does: one claim for each event of a server and a principal,
// whichever process, subscription or mode brings it. A claim is let go of only once what came of it is on disk too.
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { canonicalJson } from "../protocol/index.ts";
import {
	type Claim,
	type ClaimState,
	type KeptClaim,
	linkClaim,
	linkClaimSync,
	readClaim,
	replaceClaim,
} from "./claim-file.ts";
import { notKept, unlinkQuietly } from "./durable-file.ts";
import { mayLive, type Owner } from "./lock.ts";
import { type SettledHow, SettledLog } from "./settled-log.ts";
import { takeOverClaims } from "./take-over-claims.ts";

export interface ClaimsKey {
	/** Without credentials. */
	server: string;
	/** principal.ts */
	principal: string;
}

export interface ClaimsOptions {
	/** The state folder. */
	folder: string;
	owner: Owner;
	now: () => number;
	randomBytes: (size: number) => Buffer;
	/** Told of each damaged file that was set aside. */
	damaged: (text: string) => void;
	/** How many settled events are remembered at least; twice as many at most. */
	most?: number;
}

/** What a claim was answered. */
export type Claimed =
	| "ours"
	/** It was acted on, or parked, before. */
	| "settled"
	/** Another process that lives has it. */
	| "theirs"
	/** A process that is gone was acting on it: nobody knows how far it came. Now it is ours, to be parked. */
	| "in-doubt";

export interface Claims {
	/** What runs that are gone have left, oldest first; it is ours now. */
	readonly left: readonly (Claim & { state: ClaimState })[];
	/** When commands were started since a moment, as far as that is kept. */
	runsSince(ms: number): number[];
	/** Keeps what no command was started for yet: at once, and for a kill of the process alone. Throws `file-failed`. */
	wait(claim: Claim): Claimed;
	/** To be called before a command is started. Durable when it resolves. Throws `file-failed`. */
	run(claim: Claim): Promise<Claimed>;
	/** The command has failed, and is to be run again. Throws `file-failed`. */
	failed(claim: Claim): Promise<void>;
	/** Durable when it resolves. Throws `file-failed`: then it is in doubt for the next run. */
	settle(
		claims: readonly Claim[],
		how: SettledHow,
		ranAt: number | undefined,
	): Promise<void>;
	/** Nothing was done for it: whoever gets it next may act. Never throws. */
	release(claim: Claim): void;
}

const MOST_SETTLED = 10_000;
const DIGITS = 32;
const KEPT = "what --exec has done";

/** Opens the claims of a server and a principal, and takes over what runs that are gone have left. Throws `file-failed`. */
export async function openClaims(
	key: ClaimsKey,
	options: ClaimsOptions,
): Promise<Claims> {
	const name = digest(canonicalJson([key.server, key.principal]));
	const folder = join(options.folder, "claims", name);
	const unique = () => options.randomBytes(6).toString("hex");
	try {
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const settled = new SettledLog(join(folder, "settled"), {
			owner: options.owner,
			most: options.most ?? MOST_SETTLED,
			unique,
		});
		const left = await takeOverClaims(folder, {
			isSettled: ({ id }) => settled.has(digest(id)),
			unique,
			...options,
		});
		return new KeptClaims({ folder, settled, unique, options }, left);
	} catch (cause) {
		throw notKept(KEPT, folder, cause);
	}
}

interface Parts {
	folder: string;
	settled: SettledLog;
	unique: () => string;
	options: ClaimsOptions;
}

class KeptClaims implements Claims {
	readonly left: readonly KeptClaim[];
	readonly #parts: Parts;
	/** By path. */
	readonly #ours = new Set<string>();
	#count = 0;

	constructor(parts: Parts, left: readonly KeptClaim[]) {
		this.#parts = parts;
		this.left = left;
		for (const claim of left) this.#ours.add(this.#pathOf(claim));
	}

	runsSince(ms: number): number[] {
		return this.#parts.settled.runsSince(ms);
	}

	wait(claim: Claim): Claimed {
		const path = this.#pathOf(claim);
		if (this.#ours.has(path)) return "ours";
		try {
			if (this.#isSettled(claim)) return "settled";
			const { unique } = this.#parts;
			if (!linkClaimSync(path, this.#kept(claim, "waiting"), unique()))
				return this.#meet(path);
			return this.#entered(claim, path);
		} catch (cause) {
			throw notKept(KEPT, path, cause);
		}
	}

	async run(claim: Claim): Promise<Claimed> {
		const path = this.#pathOf(claim);
		const { unique } = this.#parts;
		try {
			if (!this.#ours.has(path)) {
				if (this.#isSettled(claim)) return "settled";
				if (await linkClaim(path, this.#kept(claim, "running"), unique()))
					return this.#entered(claim, path);
				const met = this.#meet(path);
				if (met !== "ours") return met;
			}
			await replaceClaim(path, this.#kept(claim, "running"), unique());
			return "ours";
		} catch (cause) {
			throw notKept(KEPT, path, cause);
		}
	}

	async failed(claim: Claim): Promise<void> {
		const path = this.#pathOf(claim);
		try {
			const { unique } = this.#parts;
			await replaceClaim(path, this.#kept(claim, "failed"), unique());
		} catch (cause) {
			throw notKept(KEPT, path, cause);
		}
	}

	async settle(
		claims: readonly Claim[],
		how: SettledHow,
		ranAt: number | undefined,
	): Promise<void> {
		try {
			await this.#parts.settled.add(
				claims.map(({ id }, at) => ({
					key: digest(id),
					how,
					ranAt: at === 0 ? ranAt : undefined,
				})),
			);
		} catch (cause) {
			throw notKept(KEPT, this.#parts.folder, cause);
		}
		for (const claim of claims) this.release(claim);
	}

	release(claim: Claim): void {
		const path = this.#pathOf(claim);
		if (this.#ours.delete(path)) unlinkQuietly(path);
	}

	/** It was ours in the moment before; whoever settles says so first, and lets go then. */
	#entered(claim: Claim, path: string): Claimed {
		this.#ours.add(path);
		if (!this.#isSettled(claim)) return "ours";
		this.release(claim);
		return "settled";
	}

	/** Somebody has it: who lives keeps it, what the dead have not begun is ours. */
	#meet(path: string): Claimed {
		const held = readClaim(path);
		// Settled in this very moment, or damaged: either way it is not for us.
		if (!held || mayLive(held, this.#parts.options.owner)) return "theirs";
		this.#ours.add(path);
		return held.state === "waiting" ? "ours" : "in-doubt";
	}

	#isSettled({ id }: Claim): boolean {
		return this.#parts.settled.has(digest(id));
	}

	#pathOf({ id }: Claim): string {
		return join(this.#parts.folder, `${digest(id)}.claim`);
	}

	#kept(claim: Claim, state: ClaimState): KeptClaim {
		const { id, subscription, via, name, line, capture, at } = claim;
		const { pid, host } = this.#parts.options.owner;
		const order = ++this.#count;
		return {
			...{ id, subscription, via, name, line, capture, at },
			...{ state, order, pid, host },
		};
	}
}

/** A server chooses how long an id is, and what stands in it. */
const digest = (text: string) =>
	createHash("sha256").update(text).digest("hex").slice(0, DIGITS);
