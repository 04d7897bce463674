// Reads the answer to one POST within bounds of time and size, and writes down what was said.
import type { IncomingMessage } from "node:http";
import { Fault } from "../../faults/index.ts";
import { connectFault, exchangeFault } from "../../network/index.ts";
import { GrowingBytes } from "../../protocol/index.ts";
import { openSseParser, type SseEvent } from "../../session/index.ts";
import type { Answer, NoAnswer, Outcome } from "./answer.ts";
import { type Frame, readFrame } from "./frame.ts";
import {
	type HttpPlace,
	type HttpRequest,
	headersOf,
	isEventStream,
	sendHttp,
} from "./http-send.ts";
import { WIRE_LIMITS } from "./limits.ts";
import {
	type Asked,
	endsAnswer,
	framesOfBody,
	judgeFrames,
	judgeNoJson,
	none,
} from "./read-answer.ts";
import type { Scribe, WireMessage } from "./record.ts";
import type { WireClock } from "./wire.ts";

export interface ExchangePieces {
	place: HttpPlace;
	scribe: Scribe;
	clock: WireClock;
	/** Ends the run. */
	signal: AbortSignal;
}

export interface ExchangeRequest extends HttpRequest, Asked {
	method: string;
	timeoutMs: number;
}

/** Thrown where reading must stop; says what that makes of the answer. */
class Stopped extends Error {
	readonly outcome: Outcome;
	constructor(reason: NoAnswer, told: string) {
		super(told);
		this.outcome = none(reason, told);
	}
}

/** Sends one request and reads all of its answer. Rejects with the reason of `signal` alone. */
export async function exchangeHttp(
	request: ExchangeRequest,
	pieces: ExchangePieces,
): Promise<Answer> {
	const { clock, scribe, place, signal } = pieces;
	signal.throwIfAborted();
	const sentAtMs = clock.now();
	const record: WireMessage[] = [sentRecord(request, pieces)];
	const frames: Frame[] = [];
	const ending = new AbortController();
	const stopTimer = clock.setTimer(
		() =>
			ending.abort(
				new Stopped("timed-out", `no whole answer in ${request.timeoutMs} ms`),
			),
		request.timeoutMs,
	);
	const leave = () => ending.abort(signal.reason);
	signal.addEventListener("abort", leave, { once: true });
	let response: IncomingMessage | undefined;
	let read: Read = { outcome: none("empty", "nothing"), bodyBytes: 0 };
	try {
		response = await sendHttp(place, request, ending.signal);
		read = await readBody(response, { request, frames, record, pieces });
	} catch (error) {
		signal.throwIfAborted();
		const outcome = tellFailure(error, { ending, place, hasHead: !!response });
		record.push(
			scribe.note(
				{ direction: "received", via: "http", head: "" },
				toldOf(outcome),
			),
		);
		read = { outcome, bodyBytes: 0 };
	} finally {
		stopTimer();
		signal.removeEventListener("abort", leave);
		response?.destroy();
	}
	return {
		method: request.method,
		id: request.id,
		status: response?.statusCode,
		headers: response ? headersOf(response) : {},
		outcome: read.outcome,
		frames,
		record,
		sentAtMs,
		endedAtMs: clock.now(),
		bodyBytes: read.bodyBytes,
	};
}

/** What was sent, as evidence. */
export function sentRecord(
	{ verb, headers, body }: HttpRequest,
	{ scribe, place }: Pick<ExchangePieces, "scribe" | "place">,
): WireMessage {
	return scribe.note(
		{
			direction: "sent",
			via: "http",
			head: `${verb} ${place.url.pathname}`,
			headers,
		},
		body ?? "",
	);
}

interface Read {
	outcome: Outcome;
	bodyBytes: number;
}

interface Reading {
	request: ExchangeRequest;
	frames: Frame[];
	record: WireMessage[];
	pieces: ExchangePieces;
}

async function readBody(
	response: IncomingMessage,
	reading: Reading,
): Promise<Read> {
	const headers = headersOf(response);
	const status = response.statusCode ?? 0;
	if (isEventStream(headers)) return readEvents(response, reading);
	const { request, record, frames, pieces } = reading;
	const body = await readWhole(response);
	const head = `HTTP ${status}`;
	const message = pieces.scribe.note(
		{ direction: "received", via: "http", head, headers },
		body,
	);
	record.push(message);
	const found = framesOfBody(body, pieces.clock.now(), message);
	frames.push(...(found ?? []));
	const outcome = found
		? judgeFrames(found, request)
		: judgeNoJson(status, headers, body);
	return { outcome, bodyBytes: body.length };
}

async function readWhole(response: IncomingMessage): Promise<Buffer> {
	const bytes = new GrowingBytes(WIRE_LIMITS.answerBytes, tooLarge);
	for await (const chunk of response) bytes.append(chunk);
	return bytes.take();
}

function tooLarge(): never {
	throw new Stopped(
		"too-large",
		`more than ${WIRE_LIMITS.answerBytes} bytes in one message`,
	);
}

async function readEvents(
	response: IncomingMessage,
	{ request, frames, record, pieces }: Reading,
): Promise<Read> {
	const { scribe, clock } = pieces;
	const headers = headersOf(response);
	const head = `HTTP ${response.statusCode}`;
	record.push(
		scribe.note({ direction: "received", via: "http", head, headers }, ""),
	);
	const parser = openSseParser(WIRE_LIMITS.answerBytes, tooLarge);
	let bodyBytes = 0;
	for await (const chunk of response) {
		bodyBytes += chunk.length;
		if (bodyBytes > WIRE_LIMITS.answerBytes) tooLarge();
		const events: SseEvent[] = [];
		parser.push(chunk, events);
		for (const { data } of events) {
			const message = scribe.note({ direction: "received", via: "http" }, data);
			const frame = readFrame(data, clock.now(), message);
			frames.push(frame);
			record.push(message);
			if (endsAnswer(frame, request))
				return { outcome: judgeFrames(frames, request), bodyBytes };
			if (frames.length > WIRE_LIMITS.framesOfAnswer)
				throw new Stopped(
					"endless",
					`more than ${WIRE_LIMITS.framesOfAnswer} messages and no response among them`,
				);
		}
	}
	return { outcome: judgeFrames(frames, request), bodyBytes };
}

function tellFailure(
	error: unknown,
	at: { ending: AbortController; place: HttpPlace; hasHead: boolean },
): Outcome {
	const reason = at.ending.signal.aborted ? at.ending.signal.reason : error;
	if (reason instanceof Stopped) return reason.outcome;
	const { url } = at.place;
	const fault = exchangeFault(reason, url);
	const told = fault instanceof Fault ? fault : connectFault(reason, url);
	if (at.hasHead)
		return none("cut", `an answer that broke off: ${told.why ?? told.what}`);
	const isReached =
		told.code === "connection-failed" || told.code === "http-unexpected";
	return {
		kind: "none",
		reason: isReached ? "cut" : "unreachable",
		told: told.what,
		fault: told,
	};
}

const toldOf = (outcome: Outcome) =>
	outcome.kind === "none" ? outcome.told : "";
