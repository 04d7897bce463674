// Which era a server speaks, found out by asking both ways where it must be, and what it said of itself on the way.
import {
	isRecord,
	LEGACY_VERSIONS,
	META,
	METHODS,
	MODERN_VERSION,
} from "../../protocol/index.ts";
import { type Answer, errorOf, resultOf } from "./answer.ts";
import { type Agreement, CLIENT_CAPABILITIES, MODERN } from "./envelope.ts";

/** Undefined agreement: neither handshake was answered. */
export interface Shaken {
	agreement: Agreement | undefined;
	/** The answer that told the capabilities; else the last that was got. */
	answer: Answer;
	capabilities: unknown;
	serverInfo: { name?: string; version?: string };
}

/** Asks under an agreement that may differ from the one of the wire. */
export type AskUnder = (
	agreement: Agreement,
	method: string,
	params: Record<string, unknown>,
) => Promise<Answer>;

export interface HandshakePieces {
	askUnder: AskUnder;
	notifyInitialized(agreement: Agreement): Promise<void>;
	clientInfo: object;
	/** Which era is tried first. */
	prefer: "modern" | "legacy";
}

const NAME_CHARACTERS = 200;
const SESSION_ID = /^[\x21-\x7e]{1,1024}$/;

export async function shakeHands(pieces: HandshakePieces): Promise<Shaken> {
	const [first, second] =
		pieces.prefer === "modern"
			? [discover, initialize]
			: [initialize, discover];
	const shaken = await first(pieces);
	if (
		shaken.agreement ||
		(shaken.answer.outcome.kind === "none" &&
			shaken.answer.outcome.reason === "unreachable")
	)
		return shaken;
	const other = await second(pieces);
	return other.agreement ? other : shaken;
}

async function discover({ askUnder }: HandshakePieces): Promise<Shaken> {
	const answer = await askUnder(MODERN, METHODS.discover, {});
	const result = resultOf(answer);
	if (!result) {
		const agreement = isModernRefusal(answer) ? MODERN : undefined;
		return { agreement, answer, capabilities: undefined, serverInfo: {} };
	}
	const versions = result.supportedVersions;
	const isModern =
		!Array.isArray(versions) ||
		versions.length === 0 ||
		versions.includes(MODERN_VERSION);
	const meta = isRecord(result._meta)
		? result._meta[META.serverInfo]
		: undefined;
	return {
		agreement: isModern ? MODERN : undefined,
		answer,
		capabilities: result.capabilities,
		serverInfo: readInfo(meta ?? result.serverInfo),
	};
}

/** A modern server that knows no server/discover (base.md, Which era does a server speak). */
function isModernRefusal(answer: Answer): boolean {
	const name = errorOf(answer)?.name;
	return name === "MethodNotFound" && answer.status === 404;
}

async function initialize(pieces: HandshakePieces): Promise<Shaken> {
	const version = LEGACY_VERSIONS[0];
	const plain: Agreement = {
		era: "legacy",
		protocolVersion: "",
		sessionId: undefined,
	};
	const answer = await pieces.askUnder(plain, METHODS.initialize, {
		protocolVersion: version,
		capabilities: CLIENT_CAPABILITIES,
		clientInfo: pieces.clientInfo,
	});
	const result = resultOf(answer);
	const agreed = result?.protocolVersion;
	if (!result || typeof agreed !== "string")
		return {
			agreement: undefined,
			answer,
			capabilities: undefined,
			serverInfo: {},
		};
	const sessionId = answer.headers["mcp-session-id"];
	const agreement: Agreement = {
		era: "legacy",
		protocolVersion: agreed.slice(0, 40),
		sessionId:
			sessionId !== undefined && SESSION_ID.test(sessionId)
				? sessionId
				: undefined,
	};
	await pieces.notifyInitialized(agreement);
	return {
		agreement,
		answer,
		capabilities: result.capabilities,
		serverInfo: readInfo(result.serverInfo),
	};
}

function readInfo(value: unknown): Shaken["serverInfo"] {
	if (!isRecord(value)) return {};
	const { name, version } = value;
	return {
		...(typeof name === "string" && { name: name.slice(0, NAME_CHARACTERS) }),
		...(typeof version === "string" && {
			version: version.slice(0, NAME_CHARACTERS),
		}),
	};
}
