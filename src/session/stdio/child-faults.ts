// The faults of talking to a child, each with what the child said.
import { Fault } from "../../faults/index.ts";

/** A line over the limit; it is skipped, and all that was under way may have been meant. */
export function tooLarge(beginning: Buffer, limitBytes: number): Fault {
	return new Fault("too-large", {
		what: `the server sent a message over the limit of ${limitBytes} bytes`,
		why: `a line on its stdout is longer; it begins ${JSON.stringify(beginning.toString("utf8", 0, 120))}`,
		next: "raise the limit: --max-message 64mb",
	});
}

/** No answer in time; `strayLines` are what the child said instead. */
export function timedOut(
	method: string,
	timeoutMs: number | undefined,
	strayLines: string | undefined,
): Fault {
	return new Fault("timed-out", {
		what: `the server did not answer ${method} within ${timeoutMs} ms`,
		why: strayLines ?? "the command runs, and said nothing for this request",
		next: "allow more time: --timeout DURATION",
	});
}

/** What was under way when the session was closed, or came after. */
export function closed(label: string): Fault {
	return new Fault("connection-failed", {
		what: `the session with ${label} was closed while it was in use`,
	});
}

/** The child ended by itself; its last words are quoted. */
export function endedFault(facts: {
	label: string;
	how: string;
	stderr: string[];
	strayLines: string | undefined;
}): Fault {
	const last = facts.stderr.map((line) => JSON.stringify(line)).join(", ");
	const said =
		last === ""
			? "it wrote nothing on stderr"
			: `the last it wrote on stderr: ${last}`;
	return new Fault("child-ended", {
		what: `the server command ${facts.how}`,
		why: [said, facts.strayLines].filter(Boolean).join("; "),
		next: `run it by hand to see what it says: ${facts.label}`,
	});
}
