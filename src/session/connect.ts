// Opens a transport and agrees on an era over it, starting a child a second time where it could not bear the question.
import { Fault } from "../faults/index.ts";
import type { Odd, RequestId } from "../protocol/index.ts";
import type { ClientInfo } from "./envelope.ts";
import type { HttpTarget } from "./http/index.ts";
import { initialize } from "./initialize.ts";
import { type Agreed, negotiate } from "./negotiate.ts";
import type { StdioTarget } from "./stdio/child.ts";
import type { RpcTraceEntry, Transport } from "./transport.ts";

/** How to reach a server. */
export type SessionTarget =
	| ({ kind: "http" } & HttpTarget)
	| ({ kind: "stdio" } & StdioTarget);

/** What is needed to reach it, and to start again. */
export interface ConnectOptions {
	timeoutMs: number;
	connectTimeoutMs: number;
	maxMessageBytes: number;
	clientInfo: ClientInfo;
	newId(): RequestId;
	odd: Odd;
	note(text: string): void;
	trace: ((entry: RpcTraceEntry) => void) | undefined;
	onStderrLine(line: Buffer): void;
	atExit(act: () => void): () => void;
	probeSilenceMs: number;
	/** How many streams will be open side by side, where that is known. */
	streams: number | undefined;
}

export interface Connection {
	transport: Transport;
	agreed: Agreed;
}

/** Held-back lines of a child's stderr, at most. */
const HELD_LINES = 200;

/** Reaches the server and negotiates. The caller closes the transport. */
export async function connect(
	target: SessionTarget,
	options: ConnectOptions,
	signal?: AbortSignal,
): Promise<Connection> {
	const first = await openTransport(target, options);
	try {
		return await agree(first, () => negotiate(first, { ...options, signal }));
	} catch (fault) {
		if (!(fault instanceof Fault) || fault.code !== "child-ended") throw fault;
	}
	// Some legacy servers end at any first message but `initialize`.
	options.note(
		"the command ended when it was asked server/discover: started again, with initialize",
	);
	// If it ends again, its words were all heard the first time.
	const stderr = holdBack(options.onStderrLine);
	const second = await openTransport(target, {
		...options,
		onStderrLine: stderr.take,
	});
	const connection = await agree(second, () =>
		initialize(second, { ...options, signal }),
	);
	stderr.release();
	return connection;
}

async function agree(
	transport: Transport,
	handshake: () => Promise<Agreed>,
): Promise<Connection> {
	try {
		return { transport, agreed: await handshake() };
	} catch (fault) {
		await transport.close();
		throw fault;
	}
}

/** Each transport is loaded only when it is used: stdio needs no HTTP client. */
async function openTransport(
	target: SessionTarget,
	options: ConnectOptions,
): Promise<Transport> {
	const { connectTimeoutMs, maxMessageBytes, trace, streams } = options;
	if (target.kind === "http") {
		const { openHttpTransport } = await import("./http/index.ts");
		return openHttpTransport(target, {
			connectTimeoutMs,
			maxMessageBytes,
			note: options.odd,
			trace,
			streams,
		});
	}
	const { openStdioTransport } = await import(
		"./stdio/open-stdio-transport.ts"
	);
	const { onStderrLine, atExit, odd } = options;
	return openStdioTransport(target, {
		maxMessageBytes,
		note: odd,
		trace,
		onStderrLine,
		atExit,
	});
}

function holdBack(onLine: (line: Buffer) => void) {
	const held: Buffer[] = [];
	let isReleased = false;
	return {
		take(line: Buffer) {
			if (isReleased) onLine(line);
			// A copy: a line is a view of a chunk that is reused.
			else if (held.length < HELD_LINES) held.push(Buffer.from(line));
		},
		release() {
			isReleased = true;
			for (const line of held.splice(0)) onLine(line);
		},
	};
}
