// Which events of each subscription are still with --exec: a position is saved once everything before it is settled, and
// an event counts as shown once it is settled itself.
import { Fault } from "../../faults/index.ts";
import type { FollowMemory } from "../../tail/index.ts";
import type { ExecOutcome } from "../handlers/exec-event.ts";

interface Account {
	/** By event id. */
	open: Map<string, Promise<ExecOutcome>>;
	/** Those that were left for the next run: no position beyond them is saved any more. */
	left: Set<string>;
}

export class ExecLedger {
	readonly #accounts = new Map<string, Account>();

	/** One that was handed on. */
	enter(label: string, id: string, coming: Promise<ExecOutcome>): void {
		const { open, left } = this.#account(label);
		open.set(id, coming);
		void coming.then(({ isSettled }) => {
			if (open.get(id) === coming) open.delete(id);
			if (!isSettled) left.add(id);
		});
	}

	/** The memory of a subscription that is told no sooner than it may be. */
	guard(label: string, memory: FollowMemory): FollowMemory {
		const account = this.#account(label);
		const { open, left } = account;
		return {
			earlier: memory.earlier,
			seen: memory.seen,
			lost: memory.lost,
			async save(...position) {
				// What came before the call is before this position; what comes later need not be waited for.
				await Promise.all(open.values());
				if (left.size === 0) await memory.save(...position);
			},
			addSeen(eventIds) {
				const waiting = eventIds.filter((id) => open.has(id));
				const settled = eventIds.filter((id) => !open.has(id) && !left.has(id));
				for (const id of waiting)
					void open.get(id)?.then(({ isSettled }) => {
						if (isSettled) addQuietly(memory, id);
					});
				if (settled.length > 0) memory.addSeen(settled);
			},
		};
	}

	#account(label: string): Account {
		const known = this.#accounts.get(label);
		if (known) return known;
		const made = { open: new Map(), left: new Set<string>() };
		this.#accounts.set(label, made);
		return made;
	}
}

/** A restart that does not know it is told so by its claim. */
function addQuietly(memory: FollowMemory, id: string): void {
	try {
		memory.addSeen([id]);
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
	}
}
