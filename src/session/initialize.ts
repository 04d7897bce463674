// The legacy handshake: `initialize`, then `notifications/initialized` (base.md, Legacy in short).
import { Fault } from "../faults/index.ts";
import {
	excerpt,
	HEADERS,
	isRecord,
	LEGACY_VERSIONS,
	METHODS,
	MODERN_VERSION,
	NOTIFICATIONS,
	type Odd,
	type RequestId,
} from "../protocol/index.ts";
import { type Answer, ask } from "./ask.ts";
import { CLIENT_CAPABILITIES, type ClientInfo, headersOf } from "./envelope.ts";
import type { Agreed } from "./negotiate.ts";
import type { Transport } from "./transport.ts";
import { noCommonVersion, readVersions } from "./versions.ts";
import { faultFromWire } from "./wire-fault.ts";

/** The revision whose HTTP transport was another one altogether; some servers never left it. */
const BEFORE_OURS = "2024-11-05";
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

export interface HandshakeOptions {
	clientInfo: ClientInfo;
	newId(): RequestId;
	timeoutMs: number | undefined;
	odd: Odd;
	signal?: AbortSignal | undefined;
}

/** Opens a legacy session at `version`, or at the revision that the server names instead, if we know it. */
export async function initialize(
	transport: Transport,
	options: HandshakeOptions,
	version: string = LEGACY_VERSIONS[0],
): Promise<Agreed> {
	let answer = await askInitialize(transport, options, version);
	if (answer.message.kind === "error") {
		const other = otherVersion(answer, version);
		answer = await askInitialize(transport, options, other);
	}
	if (answer.message.kind === "error") throw refused(answer);
	const { result } = answer.message;
	const agreed: Agreed = {
		era: "legacy",
		protocolVersion: readAgreedVersion(result.protocolVersion, options.odd),
		sessionId: readSessionId(answer, options.odd),
		capabilities: result.capabilities,
		serverInfo: result.serverInfo,
		how: METHODS.initialize,
	};
	await transport.notify(
		NOTIFICATIONS.initialized,
		{},
		headersOf(agreed),
		options.signal,
	);
	return agreed;
}

function askInitialize(
	transport: Transport,
	{ clientInfo, newId, timeoutMs, signal }: HandshakeOptions,
	version: string,
): Promise<Answer> {
	const request = {
		id: newId(),
		method: METHODS.initialize,
		params: {
			protocolVersion: version,
			capabilities: CLIENT_CAPABILITIES,
			clientInfo,
		},
		headers: {},
	};
	return ask(transport, request, { timeoutMs, signal });
}

/** A server may refuse a revision and name those it knows: then one of them, once. Throws what it answered else. */
function otherVersion(answer: Answer, asked: string): string {
	const { message } = answer;
	const data = message.kind === "error" ? message.error.data : undefined;
	const listed = isRecord(data) ? readVersions(data.supported) : [];
	if (listed.length === 0) throw refused(answer);
	const other = LEGACY_VERSIONS.find(
		(version) => version !== asked && listed.includes(version),
	);
	if (other === undefined) throw noCommonVersion(listed, METHODS.initialize);
	return other;
}

function refused({ message, facts }: Answer): unknown {
	if (message.kind !== "error") return undefined;
	const httpStatus = facts?.status;
	return faultFromWire(
		{ method: METHODS.initialize, httpStatus },
		message.error,
	);
}

function readAgreedVersion(value: unknown, odd: Odd): string {
	if (typeof value !== "string")
		throw new Fault("wrong-shape", {
			what: "the server answered initialize without a protocolVersion",
			why: `it sent ${excerpt(value, 120)}`,
		});
	if (LEGACY_VERSIONS.some((version) => version === value)) return value;
	if (value === MODERN_VERSION) {
		odd(
			`the server agrees to ${value} by initialize, and is spoken to in the manner of initialize`,
		);
		return value;
	}
	if (value === BEFORE_OURS)
		throw new Fault("version-unsupported", {
			what: `the server speaks only MCP ${BEFORE_OURS}, which is not supported`,
			why: `it answered initialize with ${BEFORE_OURS}; we know ${LEGACY_VERSIONS.join(", ")} and ${MODERN_VERSION}`,
			next: "update the server to a newer revision of MCP",
		});
	throw noCommonVersion([value], METHODS.initialize);
}

function readSessionId({ facts }: Answer, odd: Odd): string | undefined {
	const value = facts?.header(HEADERS.sessionId);
	if (value === undefined || SESSION_ID.test(value)) return value;
	odd(
		"the server's Mcp-Session-Id is no visible ASCII, or very long; not sent back",
	);
	return undefined;
}
