// What a run is asked to do, and what it is given to do it with.
import type { SessionTarget } from "../session/index.ts";
import type { CatalogueRow, Profile, Scenario } from "./catalogue/row.ts";
import type { TriggerOptions } from "./traffic/trigger.ts";
import type { Waits } from "./waits.ts";

/** How callbacks reach this machine. Without an address of its own: plain loopback. */
export interface ReceiverPlace {
	/** A public https base that leads to the port that is told here; undefined: there is none. */
	openPublicAddress?:
		| ((port: number) => Promise<{ url: string } & AsyncDisposable>)
		| undefined;
	/** The address comes to this machine by a program of ours: nothing else need reach the port. */
	isTunnelled?: boolean | undefined;
	/** A free one by default. */
	port?: number | undefined;
	/** PEM texts: the receiver then speaks TLS itself. */
	tls?: { cert: string; key: string } | undefined;
}

export interface GradeOptions {
	target: SessionTarget;
	profile: Profile;
	/** At least one. */
	scenarios: readonly Scenario[];
	/** Only these rows; empty: all of the scenarios. */
	only: readonly CatalogueRow[];
	/** Compares the modes with each other, too, whatever else is chosen. */
	comparesModes?: boolean;
	/** By the name of the event type. */
	arguments: ReadonlyMap<string, Record<string, unknown>>;
	trigger: TriggerOptions | undefined;
	/** Headers that make a request one of the second principal; empty: there is none. */
	secondHeaders: readonly [string, string][];
	receiver: ReceiverPlace;
	/** For one answer. */
	timeoutMs: number;
	connectTimeoutMs: number;
	/** For the whole run. */
	budgetMs: number;
	/** In place of the usual ones. */
	waits?: Partial<Waits>;
}

export interface GradePieces {
	/** Epoch milliseconds. */
	now(): number;
	/** Calls `act` once after `ms`; returns the way to call it off. */
	setTimer(act: () => void, ms: number): () => void;
	random(): number;
	/** Ends the run: what is not judged yet is told as such. */
	signal: AbortSignal;
	clientInfo: { name: string; version: string };
	/** Told of what a child writes on its stderr. */
	onStderr(chunk: Buffer): void;
	/** Registers a synchronous last act for a forced exit; returns what takes it back. */
	atExit(act: () => void): () => void;
}
