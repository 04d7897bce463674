// Which era a server speaks, found out by asking (base.md, "Which era does a server speak?").
import { Fault, type FaultCode } from "../faults/index.ts";
import {
	isRecord,
	META,
	METHODS,
	type Message,
	MODERN_VERSION,
} from "../protocol/index.ts";
import { type Answer, ask, requireComplete } from "./ask.ts";
import { type Agreement, MODERN_AGREEMENT, wrapRequest } from "./envelope.ts";
import { type HandshakeOptions, initialize } from "./initialize.ts";
import type { Transport } from "./transport.ts";
import { newestLegacy, noCommonVersion, readVersions } from "./versions.ts";
import { faultFromWire } from "./wire-fault.ts";

/** What both sides agreed on, and what the server said of itself on the way. */
export interface Agreed extends Agreement {
	capabilities: unknown;
	serverInfo: unknown;
	/** The method that settled it. */
	how: string;
}

export interface NegotiateOptions extends HandshakeOptions {
	note(text: string): void;
	/** How long a server on stdio may be silent before it is taken for a legacy one. */
	probeSilenceMs: number;
}

/** What `server/discover` told: a modern server, or with which revision to `initialize` (undefined: the newest). */
type Verdict =
	| { era: "modern"; agreed: Agreed }
	| { era: "legacy"; version: string | undefined };

/** Faults of an answer that a legacy server may give to a method it has never heard of. */
const LEGACY_FAULTS: ReadonlySet<FaultCode> = new Set([
	"http-not-found",
	"http-not-allowed",
	"http-not-acceptable",
	"http-unexpected",
	"not-json",
	"empty-body",
	"no-response",
	"wrong-shape",
	"wrong-id",
]);

/** Asks `server/discover` first and falls back to `initialize` only where the contract says so. */
export async function negotiate(
	transport: Transport,
	options: NegotiateOptions,
): Promise<Agreed> {
	if (transport.kind === "stdio") return negotiateStdio(transport, options);
	const verdict = await probe(transport, options);
	if (verdict.era === "modern") return verdict.agreed;
	return initialize(transport, options, verdict.version);
}

async function probe(
	transport: Transport,
	options: NegotiateOptions,
): Promise<Verdict> {
	const { clientInfo, newId, timeoutMs, signal } = options;
	const call = { id: newId(), method: METHODS.discover, params: {} };
	const request = wrapRequest(call, MODERN_AGREEMENT, clientInfo);
	let answer: Answer;
	try {
		answer = await ask(transport, request, { timeoutMs, signal });
	} catch (fault) {
		if (!(fault instanceof Fault) || !LEGACY_FAULTS.has(fault.code))
			throw fault;
		if (isMoment(fault.httpStatus)) throw fault;
		return { era: "legacy", version: undefined };
	}
	return judge(answer, options);
}

/**
 * On stdio silence counts as legacy. Yet a modern server may only be slow to start, so its late answer is still
 * taken while `initialize` is under way.
 */
async function negotiateStdio(
	transport: Transport,
	options: NegotiateOptions,
): Promise<Agreed> {
	const leave = new AbortController();
	const signal = options.signal
		? AbortSignal.any([options.signal, leave.signal])
		: leave.signal;
	const own = { ...options, signal };
	const asked = probe(transport, { ...own, timeoutMs: undefined });
	try {
		const verdict = await unlessSilent(asked, options.probeSilenceMs);
		if (verdict?.era === "modern") return verdict.agreed;
		if (verdict) return await initialize(transport, own, verdict.version);
		options.note(
			`no answer to ${METHODS.discover} within ${options.probeSilenceMs} ms: trying ${METHODS.initialize}`,
		);
		const late = asked.then(
			(told) => (told.era === "modern" ? told.agreed : undefined),
			() => undefined,
		);
		const handshake = initialize(transport, own).catch(async (fault) => {
			// Both answers may have come in one piece, and the first of them tells more than a refusal.
			const agreed = await Promise.race([late, nextTurn()]);
			if (agreed) return agreed;
			throw fault;
		});
		return await Promise.race([
			handshake,
			late.then((agreed) => agreed ?? handshake),
		]);
	} finally {
		leave.abort();
	}
}

async function unlessSilent<T>(
	answer: Promise<T>,
	silenceMs: number,
): Promise<T | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const silence = new Promise<undefined>((resolve) => {
		timer = setTimeout(() => resolve(undefined), silenceMs);
	});
	try {
		return await Promise.race([answer, silence]);
	} finally {
		clearTimeout(timer);
	}
}

function judge({ message, facts }: Answer, options: NegotiateOptions): Verdict {
	if (message.kind === "result") return readDiscovery(message, options);
	const { error } = message;
	const httpStatus = facts?.status;
	const asked = { method: METHODS.discover, httpStatus };
	if (error.name === "UnsupportedProtocolVersion") {
		const data = isRecord(error.data) ? error.data : {};
		return chooseVersion(readVersions(data.supported));
	}
	if (
		error.name === "HeaderMismatch" ||
		error.name === "MissingRequiredClientCapability"
	)
		throw faultFromWire(asked, error);
	if (error.name === "MethodNotFound" && httpStatus === 404) {
		options.odd(
			`the server does not know ${METHODS.discover}, which is compulsory`,
		);
		return { era: "modern", agreed: modern(undefined, undefined) };
	}
	if (isMoment(httpStatus)) throw faultFromWire(asked, error);
	return { era: "legacy", version: undefined };
}

/** Statuses that tell of authorization or of the moment, and so nothing of the era. */
function isMoment(status: number | undefined): boolean {
	if (status === undefined) return false;
	return status === 401 || status === 403 || status === 429 || status >= 500;
}

function readDiscovery(
	message: Message & { kind: "result" },
	{ odd }: NegotiateOptions,
): Verdict {
	requireComplete(message, { method: METHODS.discover, isModern: true }, odd);
	const { supportedVersions, capabilities, _meta, serverInfo } = message.result;
	const listed = readVersions(supportedVersions);
	if (listed.length === 0)
		odd(`the answer to ${METHODS.discover} lists no supportedVersions`);
	else if (!listed.includes(MODERN_VERSION)) return chooseVersion(listed);
	const ofMeta = isRecord(_meta) ? _meta[META.serverInfo] : undefined;
	if (ofMeta === undefined && serverInfo !== undefined)
		odd("serverInfo stands in the result, not in its _meta");
	return { era: "modern", agreed: modern(capabilities, ofMeta ?? serverInfo) };
}

/** For a server that does not speak the one modern revision that we know. */
function chooseVersion(listed: string[]): Verdict {
	const version = newestLegacy(listed);
	if (listed.includes(MODERN_VERSION))
		throw new Fault("version-unsupported", {
			what: `the server refuses ${MODERN_VERSION} and lists it as supported`,
			why: `it answered ${METHODS.discover} with UnsupportedProtocolVersion`,
		});
	if (version === undefined) throw noCommonVersion(listed, METHODS.discover);
	return { era: "legacy", version };
}

function modern(capabilities: unknown, serverInfo: unknown): Agreed {
	return {
		...MODERN_AGREEMENT,
		capabilities,
		serverInfo,
		how: METHODS.discover,
	};
}

const nextTurn = () =>
	new Promise<undefined>((resolve) => setImmediate(resolve, undefined));
