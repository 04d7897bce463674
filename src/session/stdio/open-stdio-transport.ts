// The stdio transport: one child, one line a message, many exchanges side by side (base.md, stdio).
import { Fault } from "../../faults/index.ts";
import { NOTIFICATIONS } from "../../protocol/index.ts";
import { answerServerRequest } from "../server-requests.ts";
import type {
	ExchangeOptions,
	OutgoingRequest,
	RpcTraceEntry,
	Transport,
} from "../transport.ts";
import {
	commandLine,
	endChild,
	type StdioTarget,
	signalGroup,
	startChild,
} from "./child.ts";
import { createExchangeQueue, type ExchangeQueue } from "./exchange-queue.ts";
import { createLineRouter } from "./route-lines.ts";
import { createLineSplitter } from "./split-lines.ts";
import { readStderr } from "./stderr-lines.ts";
import { watchForEnd } from "./watch-for-end.ts";

/** A consumer this far behind stops the reading, unless somebody waits for an answer. */
const BEHIND_BYTES = 1024 * 1024;
/** A consumer this far behind stops the reading whoever waits: memory comes before an answer, which may time out. */
const FAR_BEHIND_BYTES = 16 * 1024 * 1024;
/** Answers to a server's own requests are not piled up for a child that does not read. */
const UNREAD_ANSWERS_BYTES = 1024 * 1024;

export interface StdioOptions {
	maxMessageBytes: number;
	/** Told about what was odd but harmless. */
	note(text: string): void;
	trace?: ((entry: RpcTraceEntry) => void) | undefined;
	/** Each line of the child's stderr, cut where it is very long; the last one too, complete or not. */
	onStderrLine(line: Buffer): void;
	/** Registers a synchronous last act for a forced exit; returns what takes it back. */
	atExit(act: () => void): () => void;
}

/** Starts the command and speaks to it. Throws `child-not-started`. The caller closes it. */
export async function openStdioTransport(
	target: StdioTarget,
	options: StdioOptions,
): Promise<Transport> {
	const child = await startChild(target);
	const label = commandLine(target);
	const forget = options.atExit(() => signalGroup(child, "SIGKILL"));
	const lastStderrLines = readStderr(child.stderr, options.onStderrLine);
	let end: Fault | undefined;
	let closing: Promise<void> | undefined;

	const write = (message: Record<string, unknown>) => {
		const text = JSON.stringify({ jsonrpc: "2.0", ...message });
		options.trace?.({ direction: "sent", message: text });
		if (child.stdin.writable) child.stdin.write(`${text}\n`);
	};
	const router = createLineRouter({
		odd: options.note,
		onRequest(request) {
			if (child.stdin.writableLength < UNREAD_ANSWERS_BYTES)
				write(answerServerRequest(request));
		},
	});
	const balance = () => {
		if (closing) return;
		if (mustWait(router.exchanges)) child.stdout.pause();
		else if (child.stdout.isPaused()) child.stdout.resume();
	};
	const splitter = createLineSplitter(options.maxMessageBytes, {
		onLine(line) {
			options.trace?.({ direction: "received", message: line });
			router.route(line);
		},
		onTooLong: (beginning) =>
			router.failAll(tooLarge(beginning, options.maxMessageBytes)),
	});
	child.stdout.on("data", (chunk: Buffer) => {
		splitter.push(chunk);
		router.flush();
		balance();
	});
	watchForEnd(child, (how) => {
		splitter.end();
		router.flush();
		end = endedFault({ label, how, stderr: lastStderrLines() }, router);
		router.failAll(end);
	});

	async function* exchange(
		request: OutgoingRequest,
		{ signal, timeoutMs }: ExchangeOptions = {},
	) {
		signal?.throwIfAborted();
		if (closing) throw closed(label);
		if (end) throw end;
		const queue = createExchangeQueue(request.id, timeoutMs !== undefined);
		const stop = failInTime(queue, signal, timeoutMs, () =>
			timedOut(request.method, timeoutMs, router.strayLines),
		);
		router.open(queue);
		balance();
		const { id, method, params } = request;
		write({ id, method, params });
		try {
			for (;;) {
				const batch = await queue.take();
				if (!batch) return;
				balance();
				yield batch;
			}
		} finally {
			stop();
			router.close(queue);
			if (!queue.isAnswered && !end && !closing && method !== "initialize")
				write({
					method: NOTIFICATIONS.cancelled,
					params: { requestId: id },
				});
			balance();
		}
	}

	const close = () => {
		closing ??= (async () => {
			router.failAll(closed(label));
			await endChild(child);
			forget();
		})();
		return closing;
	};

	return {
		kind: "stdio",
		label,
		exchange,
		async notify(method, params) {
			if (end) throw end;
			write({ method, params });
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

function mustWait(exchanges: Iterable<ExchangeQueue>): boolean {
	let isBehind = false;
	let isAnswerAwaited = false;
	for (const queue of exchanges) {
		if (queue.waitingBytes > FAR_BEHIND_BYTES) return true;
		if (queue.waitingBytes > BEHIND_BYTES) isBehind = true;
		// The same consumer may be the one that is behind and the one that waits: it cannot catch up before its answer.
		else if (!queue.isAnswered && (queue.isTimed || !queue.hasBegun))
			isAnswerAwaited = true;
	}
	return isBehind && !isAnswerAwaited;
}

/** Ends the exchange by the signal or the clock; returns what takes both back. */
function failInTime(
	queue: ExchangeQueue,
	signal: AbortSignal | undefined,
	timeoutMs: number | undefined,
	makeFault: () => Fault,
): () => void {
	const abort = () => queue.fail(signal?.reason, true);
	signal?.addEventListener("abort", abort, { once: true });
	const timer =
		timeoutMs === undefined
			? undefined
			: setTimeout(() => queue.fail(makeFault()), timeoutMs);
	return () => {
		clearTimeout(timer);
		signal?.removeEventListener("abort", abort);
	};
}

function tooLarge(beginning: Buffer, limitBytes: number): Fault {
	return new Fault("too-large", {
		what: `the server sent a message over the limit of ${limitBytes} bytes`,
		why: `a line on its stdout is longer; it begins ${JSON.stringify(beginning.toString("utf8", 0, 120))}`,
		next: "raise the limit: --max-message 64mb",
	});
}

function timedOut(
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

function closed(label: string): Fault {
	return new Fault("connection-failed", {
		what: `the session with ${label} was closed while it was in use`,
	});
}

function endedFault(
	facts: { label: string; how: string; stderr: string[] },
	router: { strayLines: string | undefined },
): Fault {
	const last = facts.stderr.map((line) => JSON.stringify(line)).join(", ");
	const said =
		last === ""
			? "it wrote nothing on stderr"
			: `the last it wrote on stderr: ${last}`;
	return new Fault("child-ended", {
		what: `the server command ${facts.how}`,
		why: [said, router.strayLines].filter(Boolean).join("; "),
		next: `run it by hand to see what it says: ${facts.label}`,
	});
}
