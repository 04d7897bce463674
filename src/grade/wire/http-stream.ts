// A request over HTTP whose answer is read as it comes: frames of an event stream, or the one message that came instead.
import type { IncomingMessage } from "node:http";
import { openSseParser, type SseEvent } from "../../session/index.ts";
import { type Frame, readFrame } from "./frame.ts";
import { type ExchangePieces, sentRecord } from "./http-exchange.ts";
import {
	type HttpRequest,
	headersOf,
	isEventStream,
	sendHttp,
} from "./http-send.ts";
import { WIRE_LIMITS } from "./limits.ts";
import { FrameLog, type GradeStream, streamOf } from "./stream.ts";

export interface StreamRequest extends HttpRequest {
	method: string;
	id: unknown;
	/** Told of each message; what a request of the server is answered with is not ours. */
	onFrame: (frame: Frame) => void;
	/** Beside the abort: the legacy era wants a notice. */
	onCancel: () => Promise<void>;
}

class TooLarge extends Error {}

/** Opens it at once; nothing rejects. It ends with the run, too. */
export function openHttpStream(
	request: StreamRequest,
	pieces: ExchangePieces,
): GradeStream {
	const { clock, signal } = pieces;
	const log = new FrameLog(clock);
	const leaving = new AbortController();
	const leave = () => leaving.abort();
	signal.addEventListener("abort", leave, { once: true });
	log.record.push(sentRecord(request, pieces));
	const reading = readStream(request, { ...pieces, log, leaving })
		.catch((error: unknown) => tellEnd(error, log, leaving.signal))
		.finally(() => signal.removeEventListener("abort", leave));
	const cancel = async () => {
		if (log.end) return;
		log.finish("cancelled", "cancelled by us");
		leaving.abort();
		await reading;
		await request.onCancel();
	};
	return streamOf(log, { id: request.id, method: request.method, cancel });
}

interface Parts extends ExchangePieces {
	log: FrameLog;
	leaving: AbortController;
}

async function readStream(request: StreamRequest, parts: Parts): Promise<void> {
	const { log, leaving, place, scribe } = parts;
	const response = await sendHttp(place, request, leaving.signal);
	try {
		const headers = headersOf(response);
		const status = response.statusCode ?? 0;
		log.head = { status, headers, isEvents: isEventStream(headers) };
		log.record.push(
			scribe.note(
				{ direction: "received", via: "http", head: `HTTP ${status}`, headers },
				"",
			),
		);
		if (log.head.isEvents) await readEvents(response, request, parts);
		else await readOther(response, request, parts);
	} finally {
		response.destroy();
	}
}

async function readEvents(
	response: IncomingMessage,
	request: StreamRequest,
	parts: Parts,
): Promise<void> {
	const { log } = parts;
	const parser = openSseParser(WIRE_LIMITS.answerBytes, () => {
		throw new TooLarge();
	});
	for await (const chunk of response) {
		const events: SseEvent[] = [];
		parser.push(chunk, events);
		log.counts.comments = parser.comments;
		for (const { data } of events)
			if (!take(data, request, parts)) {
				log.finish("overrun", "more came than is read of one stream");
				return;
			}
	}
	log.finish("ended", "the server ended the answer");
}

/** What is no event stream is one message, or none. */
async function readOther(
	response: IncomingMessage,
	request: StreamRequest,
	parts: Parts,
): Promise<void> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of response) {
		bytes += chunk.length;
		if (bytes > WIRE_LIMITS.answerBytes) throw new TooLarge();
		chunks.push(chunk);
	}
	if (bytes > 0) take(Buffer.concat(chunks), request, parts);
	parts.log.finish("ended", "the server ended the answer");
}

function take(
	data: Buffer,
	request: StreamRequest,
	{ log, scribe, clock }: Parts,
): boolean {
	const message = scribe.note({ direction: "received", via: "http" }, data);
	const frame = readFrame(data, clock.now(), message);
	request.onFrame(frame);
	return log.add(frame, data.length);
}

function tellEnd(error: unknown, log: FrameLog, leaving: AbortSignal): void {
	const told = error instanceof Error ? error.message : String(error);
	if (leaving.aborted) log.finish("cancelled", "cancelled by us");
	else if (error instanceof TooLarge)
		log.finish("overrun", "one message was larger than is read");
	else if (log.head) log.finish("cut", `the answer broke off: ${told}`);
	else log.finish("failed", told);
}
