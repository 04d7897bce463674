// The sessions of `initialize` clients. Bounded: the one that has been idle longest makes room for a new one.
import { randomUUID } from "node:crypto";
import type { RequestId } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";

export interface HttpSession {
	readonly id: string;
	/** What is being answered, so that it can be cancelled. */
	readonly calls: Map<RequestId, AbortController>;
}

export interface Sessions {
	open(): HttpSession;
	/** Marks it as used. */
	find(id: string): HttpSession | undefined;
	/** Cancels what it has open; false where there is no such session. */
	end(id: string): boolean;
	readonly size: number;
}

export function createSessions(maxSessions: number): Sessions {
	// In the order of last use.
	const sessions = new Map<string, HttpSession>();

	function makeRoom() {
		if (sessions.size < maxSessions) return;
		for (const { id, calls } of sessions.values())
			if (calls.size === 0) {
				sessions.delete(id);
				return;
			}
		throw new Refusal("ResourceExhausted", "too many sessions are open", {
			data: { limit: "sessions", max: maxSessions },
		});
	}

	return {
		open() {
			makeRoom();
			const session = { id: randomUUID(), calls: new Map() };
			sessions.set(session.id, session);
			return session;
		},
		find(id) {
			const session = sessions.get(id);
			if (!session) return undefined;
			sessions.delete(id);
			sessions.set(id, session);
			return session;
		},
		end(id) {
			const session = sessions.get(id);
			for (const call of session?.calls.values() ?? []) call.abort();
			return sessions.delete(id);
		},
		get size() {
			return sessions.size;
		},
	};
}
