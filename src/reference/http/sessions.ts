// The sessions of `initialize` clients. Bounded: the one that has been idle longest makes room for a new one.
import { randomUUID } from "node:crypto";
import type { RequestId } from "../../protocol/index.ts";
import { Refusal } from "../refusal.ts";

export interface HttpSession {
	readonly id: string;
	/** Whose it is: nobody else finds it. */
	readonly principal: string | undefined;
	/** What is being answered, so that it can be cancelled; what belongs to no request has a symbol of its own. */
	readonly calls: Map<RequestId | symbol, AbortController>;
}

export interface Sessions {
	open(principal: string | undefined): HttpSession;
	/** The caller's own session of that id, which counts as used. */
	find(id: string, principal: string | undefined): HttpSession | undefined;
	/** Cancels what it has open; false where the caller has no such session. */
	end(id: string, principal: string | undefined): boolean;
	/** Ends all of them. */
	endAll(): void;
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
		open(principal) {
			makeRoom();
			const session = { id: randomUUID(), principal, calls: new Map() };
			sessions.set(session.id, session);
			return session;
		},
		find(id, principal) {
			const session = sessions.get(id);
			if (!session || session.principal !== principal) return undefined;
			sessions.delete(id);
			sessions.set(id, session);
			return session;
		},
		end(id, principal) {
			const session = sessions.get(id);
			if (!session || session.principal !== principal) return false;
			for (const call of session.calls.values()) call.abort();
			return sessions.delete(id);
		},
		endAll() {
			for (const { calls } of sessions.values())
				for (const call of calls.values()) call.abort();
			sessions.clear();
		},
		get size() {
			return sessions.size;
		},
	};
}
