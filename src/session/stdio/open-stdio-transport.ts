// The stdio transport: one child, one line a message, many exchanges side by side (base.md, stdio).
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { signalGroup } from "../../children/index.ts";
import type { Fault } from "../../faults/index.ts";
import {
	LineSplitter,
	METHODS,
	type Message,
	NOTIFICATIONS,
	type RequestId,
} from "../../protocol/index.ts";
import { answerServerRequest } from "../server-requests.ts";
import type {
	ExchangeOptions,
	OutgoingRequest,
	RpcTraceEntry,
	Transport,
} from "../transport.ts";
import { Backlog } from "./backlog.ts";
import {
	commandLine,
	endChild,
	type StdioTarget,
	startChild,
} from "./child.ts";
import { closed, endedFault, timedOut, tooLarge } from "./child-faults.ts";
import { createExchangeQueue, type ExchangeQueue } from "./exchange-queue.ts";
import { LineRouter } from "./route-lines.ts";
import { readStderr } from "./stderr-lines.ts";
import { watchForEnd } from "./watch-for-end.ts";

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
	return new StdioTransport(child, commandLine(target), options);
}

class StdioTransport implements Transport {
	readonly kind = "stdio";
	readonly label: string;
	readonly #child: ChildProcessWithoutNullStreams;
	readonly #options: StdioOptions;
	readonly #router: LineRouter;
	readonly #backlog = new Backlog();
	readonly #splitter: LineSplitter;
	readonly #forgetLastAct: () => void;
	#end: Fault | undefined;
	#closing: Promise<void> | undefined;

	constructor(
		child: ChildProcessWithoutNullStreams,
		label: string,
		options: StdioOptions,
	) {
		this.label = label;
		this.#child = child;
		this.#options = options;
		this.#forgetLastAct = options.atExit(() => signalGroup(child, "SIGKILL"));
		this.#router = new LineRouter({
			odd: options.note,
			onRequest: (request) => this.#answer(request),
		});
		this.#splitter = new LineSplitter(options.maxMessageBytes, {
			onLine: (line) => this.#take(line),
			onTooLong: (beginning) =>
				this.#router.failAll(tooLarge(beginning, options.maxMessageBytes)),
		});
		const lastStderrLines = readStderr(child.stderr, options.onStderrLine);
		child.stdout.on("data", (chunk: Buffer) => {
			this.#splitter.push(chunk);
			this.#router.flush();
			this.#balance();
		});
		watchForEnd(child, (how) => this.#finish(how, lastStderrLines()));
	}

	async *exchange(
		request: OutgoingRequest,
		{ signal, timeoutMs }: ExchangeOptions = {},
	): AsyncGenerator<Message[]> {
		signal?.throwIfAborted();
		if (this.#closing) throw closed(this.label);
		if (this.#end) throw this.#end;
		const { id, method, params } = request;
		const share = this.#backlog.open();
		const isTimed = timeoutMs !== undefined;
		const queue = createExchangeQueue({ id, isTimed, share });
		const stop = failInTime(queue, { signal, timeoutMs }, () =>
			timedOut(method, timeoutMs, this.#router.strayLines),
		);
		this.#router.open(queue);
		this.#balance();
		this.#write({ id, method, params });
		try {
			for (;;) {
				const batch = await queue.take();
				if (!batch) return;
				this.#balance();
				yield batch;
			}
		} finally {
			stop();
			this.#router.close(queue);
			share.close();
			if (!queue.isAnswered && method !== METHODS.initialize) this.#cancel(id);
			this.#balance();
		}
	}

	async notify(method: string, params: Record<string, unknown>): Promise<void> {
		if (this.#end) throw this.#end;
		this.#write({ method, params });
	}

	close(): Promise<void> {
		this.#closing ??= this.#close();
		return this.#closing;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	async #close(): Promise<void> {
		this.#router.failAll(closed(this.label));
		await endChild(this.#child);
		this.#forgetLastAct();
	}

	#write(message: Record<string, unknown>): void {
		const text = JSON.stringify({ jsonrpc: "2.0", ...message });
		this.#options.trace?.({ direction: "sent", message: text });
		const { stdin } = this.#child;
		if (stdin.writable) stdin.write(`${text}\n`);
	}

	#cancel(requestId: RequestId): void {
		if (this.#end || this.#closing) return;
		this.#write({ method: NOTIFICATIONS.cancelled, params: { requestId } });
	}

	#answer(request: Message & { kind: "request" }): void {
		if (this.#child.stdin.writableLength < UNREAD_ANSWERS_BYTES)
			this.#write(answerServerRequest(request));
	}

	#take(line: Buffer): void {
		this.#options.trace?.({ direction: "received", message: line });
		this.#router.route(line);
	}

	/** Reads on, or stops reading, as its consumers keep up. */
	#balance(): void {
		const { stdout } = this.#child;
		if (this.#closing) return;
		if (this.#backlog.mustWait) stdout.pause();
		else if (stdout.isPaused()) stdout.resume();
	}

	#finish(how: string, stderr: string[]): void {
		this.#splitter.end();
		this.#router.flush();
		const { strayLines } = this.#router;
		this.#end = endedFault({ label: this.label, how, stderr, strayLines });
		this.#router.failAll(this.#end);
	}
}

/** Ends the exchange by the signal or the clock; returns what takes both back. */
function failInTime(
	queue: ExchangeQueue,
	{ signal, timeoutMs }: Pick<ExchangeOptions, "signal" | "timeoutMs">,
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
