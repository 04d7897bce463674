// What a check is handed: the server as it was found, ways to ask it, clocks, and what was found so far.
import type { Profile, Scenario } from "./catalogue/row.ts";
import type { Finding } from "./finding.ts";
import type { GradeOptions } from "./options.ts";
import type { Receiving } from "./receiving/receiving.ts";
import type { Controls } from "./traffic/controls.ts";
import type { Listing } from "./traffic/list-types.ts";
import type { Subjects } from "./traffic/subject.ts";
import type { Waits } from "./waits.ts";
import type { Shaken } from "./wire/handshake.ts";
import type { Scribe } from "./wire/record.ts";
import type { Trail } from "./wire/trail.ts";
import type { Wire } from "./wire/wire.ts";

/** What was learned before the first check, shared by all scenarios. */
export interface Ground {
	shaken: Shaken;
	/** What the server declared, in the place where the profile has it. */
	declared: Declared;
	listing: Listing;
	controls: Controls;
	subjects: Subjects;
}

export interface Declared {
	/** What stands under the extension's key of the extensions map; undefined where nothing does. */
	inMap: unknown;
	/** What stands under the older top-level key. */
	onTop: unknown;
	/** The one that the profile reads; `isDeclared` where it stands there, whatever its type. */
	value: unknown;
	isDeclared: boolean;
	listChanged: boolean;
}

export interface GradeContext extends Ground {
	readonly scenario: Scenario;
	readonly profile: Profile;
	readonly options: GradeOptions;
	readonly waits: Waits;
	/** Writes into the trail of this scenario. */
	readonly wire: Wire;
	readonly trail: Trail;
	readonly scribe: Scribe;
	/** Aborted when the run must end, by the user or by the budget. */
	readonly signal: AbortSignal;
	now(): number;
	/** Rejects with the signal's reason once that aborts. */
	sleep(ms: number): Promise<void>;
	setTimer(act: () => void, ms: number): () => void;
	/** A word that nothing else in this run has: for names, paths and nonces. */
	unique(): string;
	/** Where callbacks of the server arrive; nothing is opened before a scenario needs it. */
	readonly receiving: Receiving;
	/** What was found of this scenario so far, by id. */
	found(): ReadonlyMap<string, Finding>;
}
