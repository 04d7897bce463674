// From a target and options to a session: the parts are joined here, and the server is asked what it speaks.
import type { RequestId } from "../protocol/index.ts";
import { type ConnectOptions, connect, type SessionTarget } from "./connect.ts";
import type { ClientInfo } from "./envelope.ts";
import { LiveSession } from "./live-session.ts";
import type { RpcLog } from "./rpc-log.ts";
import type { Patiently, Session } from "./session.ts";
import { tellOnce } from "./tell-once.ts";
import type { RpcTraceEntry } from "./transport.ts";

const PROBE_SILENCE_MS = 5_000;

export interface SessionOptions {
	/** For the whole answer to a request. */
	timeoutMs: number;
	connectTimeoutMs: number;
	maxMessageBytes: number;
	clientInfo: ClientInfo;
	/** Told what is worth a line at --verbose. */
	note(text: string): void;
	/** Whether a server that declared no Events will be asked all the same. */
	force?: boolean | undefined;
	/** Gets every message; closed with the session. */
	log?: RpcLog | undefined;
	onStderrLine?: ((line: Buffer) => void) | undefined;
	/** Registers a synchronous last act for a forced exit; returns what takes it back. */
	atExit?: ((act: () => void) => () => void) | undefined;
	/** Ends the opening, not the session. */
	signal?: AbortSignal | undefined;
	/** Makes an id for a request, another each time. */
	newId?: (() => RequestId) | undefined;
	/** How long a server on stdio may be silent before it is taken for a legacy one. */
	probeSilenceMs?: number | undefined;
	/** How many streams will be open side by side, where that is known. */
	streams?: number | undefined;
	/** Asks again what a busy server may answer later; without it everything is asked once. */
	patiently?: Patiently | undefined;
}

/**
 * Reaches a server and finds out what it speaks. Succeeds where it does not declare Events, too: see `requireEvents`.
 * Throws the faults of the transport and of the negotiation. The caller closes the session.
 */
export async function openSession(
	target: SessionTarget,
	options: SessionOptions,
): Promise<Session> {
	const how = connectOptions(target, options);
	const connection = await connect(target, how, options.signal);
	const session = new LiveSession({
		target,
		how,
		connection,
		onClosed: () => options.log?.close(),
		patiently: options.patiently,
	});
	if (!session.server.events && options.force)
		options.note("Events was not declared; asked all the same (--force)");
	return session;
}

function connectOptions(
	target: SessionTarget,
	options: SessionOptions,
): ConnectOptions {
	let count = 0;
	return {
		timeoutMs: options.timeoutMs,
		connectTimeoutMs: options.connectTimeoutMs,
		maxMessageBytes: options.maxMessageBytes,
		clientInfo: options.clientInfo,
		newId: options.newId ?? (() => `r${++count}`),
		odd: tellOnce(options.note),
		note: options.note,
		trace: traceTo(options.log, target.kind, options.note),
		onStderrLine: options.onStderrLine ?? (() => {}),
		atExit: options.atExit ?? (() => () => {}),
		probeSilenceMs: options.probeSilenceMs ?? PROBE_SILENCE_MS,
		streams: options.streams,
	};
}

/** A log that cannot be written ends with a note: it must not end what it only watches. */
function traceTo(
	log: RpcLog | undefined,
	transport: "http" | "stdio",
	note: (text: string) => void,
): ((entry: RpcTraceEntry) => void) | undefined {
	if (!log) return undefined;
	return (entry) => {
		try {
			log.write({ ...entry, transport });
		} catch (fault) {
			note(fault instanceof Error ? fault.message : String(fault));
		}
	};
}
