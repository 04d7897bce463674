// The reference server over stdio: a message a line, both ways, streams side by side on the one output.
import type { Readable, Writable } from "node:stream";
import {
	isRecord,
	META,
	METHODS,
	type Message,
	NOTIFICATIONS,
	type RequestId,
} from "../../protocol/index.ts";
import { createLineCutter } from "../byte-lines.ts";
import { Refusal } from "../refusal.ts";
import { type Core, createCore, type RpcRequest } from "../rpc/core.ts";
import { type Era, errorText } from "../rpc/envelope.ts";
import { checkModernMeta, versionUnsupported } from "../rpc/modern-meta.ts";
import { readMessage } from "../rpc/read-message.ts";
import type { ReferenceOptions } from "../settings.ts";
import { createLineWriter, type LineWriter } from "./line-writer.ts";

export interface StdioOptions extends ReferenceOptions {
	input: Readable;
	output: Writable;
	/** Ends the serving as the end of the input does. */
	signal?: AbortSignal | undefined;
}

/** Unanswered requests, streams apart, at which no more are read. */
const MAX_CALLS = 64;
/** How long a client may take for the last answers. */
const FAREWELL_MS = 1_000;

/** Serves until the input ends, then answers what is open, ends every stream, and closes the sources. */
export async function serveStdio(options: StdioOptions): Promise<void> {
	const { input, output, signal } = options;
	const core = createCore(options);
	const writer = createLineWriter(output);
	const connection = createConnection(core, writer, input);
	const cutter = createLineCutter(core.settings.maxRequestBytes, {
		line: connection.take,
		tooLong: connection.refuseTooLong,
	});
	const onData = (chunk: Buffer | string) => cutter.push(Buffer.from(chunk));
	input.on("data", onData);
	await untilOver(input, writer, signal);
	input.off("data", onData).pause();
	if (input.readableEnded) cutter.end();
	core.endStreams();
	await connection.settle(FAREWELL_MS);
	writer.close();
	await core.closeSources();
}

function untilOver(
	input: Readable,
	writer: LineWriter,
	signal: AbortSignal | undefined,
): Promise<void> {
	return new Promise((resolve) => {
		const over = () => {
			input.off("end", over).off("close", over).off("error", over);
			signal?.removeEventListener("abort", over);
			resolve();
		};
		input.on("end", over).on("close", over).on("error", over);
		signal?.addEventListener("abort", over, { once: true });
		void writer.failed.then(over);
		if (signal?.aborted || input.destroyed || input.readableEnded) over();
	});
}

interface Connection {
	take(line: Buffer): void;
	refuseTooLong(): void;
	/** Waits until all is answered, no longer than `ms`; then what is left is cancelled. */
	settle(ms: number): Promise<void>;
}

function createConnection(
	core: Core,
	writer: LineWriter,
	input: Readable,
): Connection {
	const { settings } = core;
	const calls = new Map<RequestId, AbortController>();
	const open = new Set<Promise<void>>();
	let isInitialized = false;

	/** Which era a request belongs to; refuses what fits none that is served. */
	function eraOf({ method, params }: RpcRequest): Era {
		const meta = isRecord(params._meta) ? params._meta : {};
		const isModern = META.protocolVersion in meta;
		if (settings.era !== "modern" && !isModern) {
			if (method === METHODS.initialize) return "legacy";
			if (isInitialized || settings.era === "legacy") return "legacy";
		}
		if (settings.era === "legacy") return "legacy";
		if (method === METHODS.initialize && !isModern)
			throw versionUnsupported(params.protocolVersion);
		checkModernMeta(params);
		return "modern";
	}

	async function answer(request: RpcRequest, cancel: AbortController) {
		try {
			const era = eraOf(request);
			const text = await core.answer(request, {
				era,
				cancelled: cancel.signal,
				openSink: () => ({
					frame,
					write: (lines) => writer.write(lines, cancel.signal),
				}),
			});
			if (request.method === METHODS.initialize) isInitialized = true;
			if (text !== undefined) await say(text, cancel.signal);
		} catch (error) {
			if (!(error instanceof Refusal))
				settings.note(`a request failed: ${error}`);
			const refusal =
				error instanceof Refusal
					? error
					: new Refusal("InternalError", "the server failed");
			await say(
				errorText(request.id, refusal, settings.numbers),
				cancel.signal,
			);
		}
	}

	/** A cancelled request is answered no more, whatever came of it. */
	async function say(text: string, cancelled: AbortSignal) {
		if (!cancelled.aborted) await writer.write(frame(text), cancelled);
	}

	function start(request: RpcRequest) {
		const { id } = request;
		if (calls.has(id)) return refuse(id, "a request with this id is open");
		const cancel = new AbortController();
		calls.set(id, cancel);
		const work = answer(request, cancel).finally(() => {
			calls.delete(id);
			open.delete(work);
			input.resume();
		});
		open.add(work);
		if (calls.size - core.streamCount >= MAX_CALLS) input.pause();
	}

	function refuse(id: RequestId | undefined, message: string) {
		const refusal = new Refusal("InvalidRequest", message);
		void writer.write(frame(errorText(id, refusal, settings.numbers)));
	}

	return {
		take(line) {
			if (line.length === 0) return;
			let message: Message;
			try {
				message = readMessage(line);
			} catch (error) {
				if (!(error instanceof Refusal)) throw error;
				void writer.write(frame(errorText(undefined, error, settings.numbers)));
				return;
			}
			if (message.kind === "request") start(message);
			if (
				message.kind !== "notification" ||
				message.method !== NOTIFICATIONS.cancelled
			)
				return;
			const { requestId } = message.params;
			if (typeof requestId === "string" || typeof requestId === "number")
				calls.get(requestId)?.abort();
		},
		refuseTooLong: () =>
			refuse(
				undefined,
				`a message is at most ${settings.maxRequestBytes} bytes`,
			),
		async settle(ms) {
			const timer = setTimeout(() => {
				for (const call of calls.values()) call.abort();
			}, ms);
			await Promise.all(open);
			clearTimeout(timer);
		},
	};
}

const frame = (message: string) => `${message}\n`;
