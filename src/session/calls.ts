// One request, or one stream, over one connection: wrapped for its era, its answer checked, cancelled where left.
import { Fault } from "../faults/index.ts";
import {
	isRecord,
	isRequestId,
	META,
	type Message,
	NOTIFICATIONS,
	type Odd,
	type RequestId,
} from "../protocol/index.ts";
import { type Answer, ask, requireComplete, requireId } from "./ask.ts";
import type { Connection } from "./connect.ts";
import { type ClientInfo, headersOf, wrapRequest } from "./envelope.ts";
import type { HttpTransport } from "./http/index.ts";
import { readRetryAfter } from "./retry-after.ts";
import { answerServerRequest } from "./server-requests.ts";
import type { RequestOptions, StreamOptions } from "./session.ts";
import type { OutgoingRequest, ResponseFacts, Transport } from "./transport.ts";
import { faultFromWire } from "./wire-fault.ts";

const CANCEL_LIMIT_MS = 1_000;
/** Side errands at once, at most: a server may ask as often as it likes. */
const ERRANDS = 16;

export interface Call {
	method: string;
	params: Record<string, unknown>;
}

/** What all calls of a session share. */
export interface CallPieces {
	clientInfo: ClientInfo;
	newId(): RequestId;
	odd: Odd;
	/** Small things sent on the side, none of which may fail: awaited when the session is closed. */
	errands: Set<Promise<void>>;
}

/** The result of one request; every other answer is a fault (see `Session.request`). */
export async function callOnce(
	connection: Connection,
	{ call, options }: { call: Call; options: RequestOptions },
	pieces: CallPieces,
): Promise<Message & { kind: "result" }> {
	const { transport, agreed } = connection;
	const request = wrap(call, connection, pieces);
	let answer: Answer;
	try {
		answer = await ask(transport, request, {
			...options,
			onRequest: (message) => respond(message, connection, pieces),
		});
	} catch (error) {
		const isLeft = error instanceof Fault ? error.code === "timed-out" : true;
		if (isLeft) cancelByNotice(request, connection, pieces);
		throw error;
	}
	const { message, facts } = answer;
	if (message.kind === "error") throw errorFault(call, message, facts);
	const about = { method: call.method, isModern: agreed.era === "modern" };
	requireComplete(message, about, pieces.odd);
	return message;
}

/** What answers one request, as it comes (see `Session.openStream`). */
export async function* callStream(
	connection: Connection,
	{ call, options }: { call: Call; options: StreamOptions },
	pieces: CallPieces,
): AsyncGenerator<Message[]> {
	const request = wrap(call, connection, pieces);
	let facts: ResponseFacts | undefined;
	let isOver = false;
	try {
		const onResponse = (head: ResponseFacts) => {
			facts = head;
		};
		for await (const batch of connection.transport.exchange(request, {
			...options,
			onResponse,
		})) {
			const own = sortOut(batch, { request, connection, pieces });
			const last = own.at(-1);
			if (last?.kind === "result") isOver = true;
			if (last?.kind !== "error") {
				if (own.length > 0) yield own;
				continue;
			}
			isOver = true;
			if (own.length > 1) yield own.slice(0, -1);
			throw errorFault(call, last, facts);
		}
		isOver = true;
	} catch (error) {
		if (error instanceof Fault) isOver = true;
		throw error;
	} finally {
		if (!isOver) cancelByNotice(request, connection, pieces);
	}
}

function wrap(
	call: Call,
	connection: Connection,
	{ newId, clientInfo }: CallPieces,
): OutgoingRequest {
	return wrapRequest({ id: newId(), ...call }, connection.agreed, clientInfo);
}

interface Around {
	request: OutgoingRequest;
	connection: Connection;
	pieces: CallPieces;
}

/** What of a batch belongs to this request, up to its response. The batch itself where all of it does: the hot path. */
function sortOut(batch: Message[], around: Around): Message[] {
	for (let at = 0; at < batch.length; at++) {
		const message = batch[at];
		if (message?.kind !== "notification" || !isOwn(message, around))
			return sortRest(batch, at, around);
	}
	return batch;
}

function sortRest(batch: Message[], from: number, around: Around): Message[] {
	const own = batch.slice(0, from);
	for (const message of batch.slice(from)) {
		if (message.kind === "request")
			respond(message, around.connection, around.pieces);
		else if (message.kind !== "notification") {
			own.push(requireId(message, around.request));
			break;
		} else if (isOwn(message, around)) own.push(message);
	}
	return own;
}

function isOwn(
	{ params }: Message & { kind: "notification" },
	{ request, pieces }: Around,
): boolean {
	const meta = params._meta;
	if (!isRecord(meta)) return true;
	const id = meta[META.subscriptionId];
	if (id === request.id || !isRequestId(id)) return true;
	pieces.odd(
		"notifications came with the subscription id of another request; skipped",
	);
	return false;
}

function errorFault(
	{ method, params }: Call,
	message: Message & { kind: "error" },
	facts: ResponseFacts | undefined,
): Fault {
	const isNamed =
		method.startsWith("events/") && typeof params.name === "string";
	return faultFromWire(
		{
			method,
			name: isNamed ? String(params.name) : undefined,
			httpStatus: facts?.status,
			retryAfterMs: facts && readRetryAfter(facts.header),
		},
		message.error,
	);
}

function isHttp(transport: Transport): transport is HttpTransport {
	return transport.kind === "http";
}

/** On stdio the transport answers by itself. */
function respond(
	message: Message & { kind: "request" },
	{ transport, agreed }: Connection,
	pieces: CallPieces,
): void {
	if (!isHttp(transport)) return;
	const answer = { jsonrpc: "2.0", ...answerServerRequest(message) };
	runErrand(() => transport.respond(answer, headersOf(agreed)), pieces);
}

/** In the legacy era a cut connection cancels nothing (base.md, Legacy in short). On stdio the transport says it. */
function cancelByNotice(
	{ id }: OutgoingRequest,
	{ transport, agreed }: Connection,
	pieces: CallPieces,
): void {
	if (!isHttp(transport) || agreed.era !== "legacy") return;
	runErrand(
		() =>
			transport.notify(
				NOTIFICATIONS.cancelled,
				{ requestId: id },
				headersOf(agreed),
				AbortSignal.timeout(CANCEL_LIMIT_MS),
			),
		pieces,
	);
}

function runErrand(send: () => Promise<void>, { errands }: CallPieces): void {
	if (errands.size >= ERRANDS) return;
	const errand = send()
		.catch(() => {})
		.finally(() => errands.delete(errand));
	errands.add(errand);
}
