// Reads the answer to one POST: JSON or an event stream, whatever the server chose, as messages; anything else as a fault.
import { Fault } from "../../faults/index.ts";
import { GrowingBytes, type Message } from "../../protocol/index.ts";
import {
	type BatchOptions,
	readEvents,
	readMessages,
	tooLarge,
} from "./batches.ts";
import {
	type Answer,
	type Chunks,
	chunksOf,
	findKind,
	headerOf,
	readWhole,
} from "./body.ts";
import { quote, statusFault } from "./status-faults.ts";

/** What the judgement of a status needs to know of the request. */
export interface Asked {
	url: URL;
	hadCredentials: boolean;
	nowMs: number | undefined;
}

export type AnswerOptions = Asked & BatchOptions;

/** How much, and how long, to read of an answer that failed anyway, for a JSON-RPC error in it. */
const FAILED_BODY_BYTES = 256 * 1024;
const FAILED_BODY_MS = 5_000;

/** Yields what an answer holds, in a batch for each chunk. The body stays open where reading ends early. */
export async function* readAnswer(
	answer: Answer,
	options: AnswerOptions,
): AsyncGenerator<Message[]> {
	const encoding = headerOf(answer, "content-encoding")?.trim();
	if (encoding && encoding.toLowerCase() !== "identity") {
		if (isSuccess(answer)) throw encoded(encoding, options.url);
		throw judge(answer, Buffer.alloc(0), options);
	}
	if (!isSuccess(answer)) return yield await readFailed(answer, options);
	const { chunks, isEvents } = await findKind(answer);
	if (isEvents) return yield* readEvents(chunks, options);
	yield await readJson(answer, chunks, options);
}

/** For what is answered by nothing (notifications): throws the fault of a status that is no success. */
export async function expectSuccess(
	answer: Answer,
	asked: Asked,
): Promise<void> {
	if (isSuccess(answer)) return;
	const body = await withinBounds(answer, () => readStart(chunksOf(answer)));
	throw judge(answer, body ?? Buffer.alloc(0), asked);
}

function isSuccess({ statusCode }: Answer): boolean {
	return statusCode >= 200 && statusCode < 300;
}

/** A JSON-RPC error counts under any status (base.md, Streamable HTTP); only without one the status is judged. */
async function readFailed(answer: Answer, options: AnswerOptions) {
	let start: Buffer = Buffer.alloc(0);
	const errors = await withinBounds(answer, async () => {
		const { chunks, isEvents } = await findKind(answer);
		if (isEvents) return await firstErrors(readEvents(chunks, options));
		start = await readStart(chunks);
		const messages = readMessages(start);
		return hasError(messages) ? messages : undefined;
	});
	if (errors) return errors;
	throw judge(answer, start, options);
}

async function firstErrors(batches: AsyncIterable<Message[]>) {
	for await (const batch of batches) if (hasError(batch)) return batch;
	return undefined;
}

const hasError = (messages: Message[]) =>
	messages.some(({ kind }) => kind === "error");

/** Runs a reader of a failed answer; what goes wrong in it says less than the status, and is dropped. */
async function withinBounds<T>(
	answer: Answer,
	read: () => Promise<T>,
): Promise<T | undefined> {
	const timer = setTimeout(() => answer.body.destroy(), FAILED_BODY_MS);
	try {
		return await read();
	} catch {
		return undefined;
	} finally {
		clearTimeout(timer);
	}
}

/** The beginning of a body; a cut leaves what came before it. */
async function readStart(chunks: Chunks): Promise<Buffer> {
	const bytes = new GrowingBytes(FAILED_BODY_BYTES, () => {
		throw new RangeError("the bytes so far are enough");
	});
	try {
		for await (const chunk of chunks) bytes.append(chunk);
	} catch {
		// Whatever ended it: the status is known, and the text only adds to it.
	}
	return bytes.take();
}

async function readJson(
	answer: Answer,
	chunks: Chunks,
	{ url, maxMessageBytes }: AnswerOptions,
): Promise<Message[]> {
	const overLimit = tooLarge(maxMessageBytes);
	const promised = Number(headerOf(answer, "content-length") ?? Number.NaN);
	if (promised > maxMessageBytes) overLimit();
	const expectedBytes = promised > 0 ? promised : undefined;
	const size = { limitBytes: maxMessageBytes, expectedBytes };
	const body = await readWhole(chunks, size, overLimit);
	// A stream that is reset looks like its end over HTTP/2 (undici 7.30).
	if (body.length < promised) throw cutShort(body.length, promised, url);
	const type = headerOf(answer, "content-type") ?? "no content type";
	const start = body.toString("latin1", 0, 512).trimStart();
	if (body.length === 0 || (body.length <= 512 && start === ""))
		throw empty(answer.statusCode, url);
	if (/html/i.test(type) || start.startsWith("<"))
		throw new Fault("not-json", {
			what: `${url.host} answered with a web page in place of JSON`,
			why: `it sent ${type.slice(0, 80)}, which begins ${quote(body)}`,
			next: "check the path of the URL: MCP endpoints are often at /mcp",
			httpStatus: answer.statusCode,
		});
	return readMessages(body);
}

function cutShort(length: number, promised: number, url: URL): Fault {
	return new Fault("connection-failed", {
		what: `the answer of ${url.host} was cut short`,
		why: `${length} bytes came of the ${promised} that its content-length promises`,
		next: "try again, and look into the server's log",
	});
}

function empty(status: number, url: URL): Fault {
	return new Fault("empty-body", {
		what: `${url.host} answered a request with nothing`,
		why: `HTTP ${status} with an empty body`,
		next: "check that the URL is that of an MCP endpoint",
		httpStatus: status,
	});
}

function encoded(encoding: string, url: URL): Fault {
	return new Fault("not-json", {
		what: `${url.host} encoded its answer with ${encoding.slice(0, 40)}, which we did not accept`,
		why: "the request says accept-encoding: identity, the answer has a content-encoding",
		next: "turn compression off at the server, or at the proxy before it",
	});
}

function judge(answer: Answer, body: Buffer, asked: Asked): Fault {
	return statusFault({
		...asked,
		status: answer.statusCode,
		header: (name) => headerOf(answer, name),
		body,
	});
}
