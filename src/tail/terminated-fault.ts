// What ends a subscription when the server says that it is over (events.md 7).
import { Fault, type WireErrorFacts } from "../faults/index.ts";

/** `forbidden` where we may not have it any more, else `terminated`. */
export function terminatedFault(error: WireErrorFacts, label: string): Fault {
	const isForbidden = error.name === "Forbidden";
	return new Fault(isForbidden ? "forbidden" : "terminated", {
		what: `the server ended the subscription ${label}: ${error.name} (${error.code})`,
		why:
			error.message === "" ? "it gave no reason" : `it says: ${error.message}`,
		next: isForbidden
			? "ask whoever runs the server for access to this event"
			: "see what it offers now: mcp-events list SERVER",
		wire: error,
	});
}
