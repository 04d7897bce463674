// Where there is nobody to grade: a server that cannot be reached, or that lets nobody in, is no server with a fault.
import { Fault } from "../faults/index.ts";
import type { Shaken } from "./wire/handshake.ts";
import type { Wire } from "./wire/wire.ts";

/** Throws the fault of a handshake that met nobody; returns where there was any answer to judge. */
export function tellUnreachable({ answer }: Shaken, wire: Wire): void {
	const { outcome, status } = answer;
	if (status === 401 || status === 403)
		throw new Fault(status === 401 ? "unauthorized" : "http-forbidden", {
			what: `${wire.label} does not let us in`,
			why: `it answered ${answer.method} with HTTP ${status}`,
			next: "give credentials: --bearer-env VAR, or --header 'Authorization: …'",
			httpStatus: status,
		});
	if (outcome.kind !== "none") return;
	if (wire.kind === "stdio" && outcome.reason === "cut")
		throw new Fault("child-ended", {
			what: `the server command ended before it answered ${answer.method}`,
			why: outcome.told,
			next: `run it by hand to see what it says: ${wire.label}`,
		});
	// A server that is reached and says nothing useful is graded; one that cannot be reached is not.
	if (outcome.reason === "unreachable" && outcome.fault) throw outcome.fault;
}
