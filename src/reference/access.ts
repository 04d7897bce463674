// Who may have which events, now: a rule that whoever starts the server may hand in, and what was taken away since.
import type { EventArguments } from "./source.ts";
import { createWakers } from "./wakers.ts";

/** Whether a principal may have an event with these arguments; undefined is everybody, where no tokens are known. */
export type AccessRule = (
	principal: string | undefined,
	name: string,
	args: EventArguments,
) => boolean;

export interface Access {
	/** Asked at subscribe time, again by streams with each heartbeat, and whenever something was revoked. */
	mayHave: AccessRule;
	/** From now on the principal may not have the event, whatever the arguments; without a name, none. */
	revoke(principal: string | undefined, name?: string): void;
	/** From now on nobody may have the event… */
	withdraw(name: string): void;
	/** …until it is given back: whether it had been withdrawn. */
	giveBack(name: string): boolean;
	/** Gives back all that was withdrawn. */
	giveAllBack(): void;
	/** Calls back after each revocation; returns the way to stop it. */
	onRevoked(check: () => void): () => void;
}

export function createAccess(rule: AccessRule = () => true): Access {
	const revoked = new Set<string>();
	const withdrawn = new Set<string>();
	const checks = createWakers();
	const keyOf = (principal: string | undefined, name?: string) =>
		JSON.stringify([principal ?? null, name ?? null]);
	return {
		mayHave: (principal, name, args) =>
			!withdrawn.has(name) &&
			!revoked.has(keyOf(principal)) &&
			!revoked.has(keyOf(principal, name)) &&
			rule(principal, name, args),
		revoke(principal, name) {
			revoked.add(keyOf(principal, name));
			checks.wakeAll();
		},
		withdraw(name) {
			withdrawn.add(name);
			checks.wakeAll();
		},
		giveBack: (name) => withdrawn.delete(name),
		giveAllBack: () => withdrawn.clear(),
		onRevoked: (check) => checks.add(check),
	};
}
