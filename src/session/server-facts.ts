// What a session knows of its server, made from what both agreed on; and the gate before the first events/* request.
import { Fault } from "../faults/index.ts";
import { EXTENSION_ID, isRecord, type Odd } from "../protocol/index.ts";
import { readCapabilities } from "./capabilities.ts";
import type { Connection } from "./connect.ts";
import type { ServerFacts, Session } from "./session.ts";

const NAME_CHARACTERS = 200;

/** Reads the facts, and tells the result of the probe in one line. */
export function readServerFacts(
	{ transport, agreed }: Connection,
	{ note, odd }: { note(text: string): void; odd: Odd },
): ServerFacts {
	const { offers, events, place } = readCapabilities(agreed.capabilities, odd);
	const info = isRecord(agreed.serverInfo) ? agreed.serverInfo : {};
	const facts: ServerFacts = {
		label: transport.label,
		transport: transport.kind,
		era: agreed.era,
		protocolVersion: agreed.protocolVersion,
		name: shortText(info.name),
		version: shortText(info.version),
		offers,
		events,
	};
	note(probeResult(facts, { how: agreed.how, place }));
	return facts;
}

/** How a command line names the server. */
export function serverWords({
	transport,
	label,
}: Pick<ServerFacts, "transport" | "label">): string {
	return transport === "http" ? label : `-- ${label}`;
}

function probeResult(
	facts: ServerFacts,
	{ how, place }: { how: string; place: string },
): string {
	const server = [facts.name ?? "a server without a name", facts.version]
		.filter(Boolean)
		.join(" ");
	const events = facts.events
		? `Events declared in ${place}`
		: "Events not declared";
	return `${server} speaks MCP ${facts.protocolVersion} (${facts.era}, by ${how}); ${events}`;
}

/**
 * Throws `not-events` where the server did not declare the extension: a client must not ask it then (events.md 1).
 * `isForced` asks all the same.
 */
export function requireEvents(session: Session, isForced = false): void {
	const { server } = session;
	if (server.events || isForced) return;
	const offers =
		server.offers.length === 0
			? "nothing else either"
			: `it offers ${server.offers.join(", ")}`;
	throw new Fault("not-events", {
		what: `${server.label} does not offer MCP Events`,
		why: `it declares neither the extension ${EXTENSION_ID} nor the older events capability; ${offers}`,
		next: "to ask it all the same: --force",
	});
}

function shortText(value: unknown): string | undefined {
	return typeof value === "string" && value !== ""
		? value.slice(0, NAME_CHARACTERS)
		: undefined;
}
