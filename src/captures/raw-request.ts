// A delivery as raw HTTP/1.1 text: as a proxy, a packet log or `captures export --as raw` shows it.
import { Fault } from "../faults/index.ts";
import { type HeaderPair, headerValues } from "../protocol/index.ts";
import type { Capture } from "./capture.ts";

/** One request; method and path are those of a plain delivery where the text begins with its headers. */
export interface RawRequest {
	method: string;
	path: string;
	headers: HeaderPair[];
	body: Buffer;
}

const REQUEST_LINE = /^([A-Z]+) (\S+) HTTP\/\d(?:\.\d)?\r?\n/;
const HEADER_LINE = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*([^\r\n]*?)[ \t]*\r?\n/;
const EMPTY_LINE = /^\r?\n/;
/** Longer heads are no heads: more than any receiver takes. */
const MOST_HEAD_BYTES = 256 * 1024;

/**
 * Reads requests that follow each other, as on a kept connection. The last body is all that follows its head, so that
 * one that was cut short, or grew a line end, is seen as it is. Throws `wrong-shape` for what is no request.
 */
export function parseRawRequests(bytes: Buffer): RawRequest[] {
	const requests: RawRequest[] = [];
	for (let at = 0; at < bytes.length; ) {
		const { request, end } = readOne(bytes.subarray(at), requests.length + 1);
		requests.push(request);
		at += end;
	}
	return requests;
}

/** The text of a capture's request. A body that came in chunks is written whole, with its length. */
export function writeRawRequest(capture: Capture): Buffer {
	const { method, path, headers, body } = capture;
	const kept = headers.filter(
		([name]) => !/^(transfer-encoding|content-length)$/i.test(name),
	);
	const lines = [
		`${method} ${path} HTTP/1.1`,
		...kept.map(([name, value]) => `${name}: ${value}`),
		`Content-Length: ${body.length}`,
	];
	const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
	return Buffer.concat([head, body]);
}

function readOne(bytes: Buffer, count: number) {
	const text = bytes.toString("latin1", 0, MOST_HEAD_BYTES);
	const start = REQUEST_LINE.exec(text);
	let at = start?.[0].length ?? 0;
	const headers: HeaderPair[] = [];
	for (;;) {
		const line = HEADER_LINE.exec(text.slice(at, at + 65_536));
		if (!line) break;
		headers.push([line[1] ?? "", line[2] ?? ""]);
		at += line[0].length;
	}
	const isEnd = EMPTY_LINE.exec(text.slice(at, at + 2));
	if (headers.length === 0 || (!isEnd && at < bytes.length))
		throw noRequest(text.slice(at, at + 80), count);
	at += isEnd?.[0].length ?? 0;
	const rest = bytes.subarray(at);
	const { body, end } = isChunked(headers)
		? joinChunks(rest, count)
		: cutAtNext(rest, headers);
	const [, method = "POST", path = "/"] = start ?? [];
	return { request: { method, path, headers, body }, end: at + end };
}

/** A further request is seen only where the declared length says that it begins. */
function cutAtNext(rest: Buffer, headers: readonly HeaderPair[]) {
	const declared = Number(headerValues(headers, "content-length")[0]);
	const next = rest.toString("latin1", declared, declared + 8_192);
	const isCut = declared < rest.length && REQUEST_LINE.test(next);
	const end = isCut ? declared : rest.length;
	return { body: rest.subarray(0, end), end };
}

const isChunked = (headers: readonly HeaderPair[]) =>
	headerValues(headers, "transfer-encoding").some((value) =>
		/\bchunked\b/i.test(value),
	);

function joinChunks(rest: Buffer, count: number) {
	const pieces: Buffer[] = [];
	for (let at = 0; ; ) {
		const line = rest.toString("latin1", at, at + 100);
		const size = /^([\da-f]{1,8})(?:;[^\r\n]*)?\r?\n/i.exec(line);
		if (!size) throw noRequest(line.slice(0, 80), count);
		at += size[0].length;
		const length = Number.parseInt(size[1] ?? "", 16);
		if (length > 0) pieces.push(rest.subarray(at, at + length));
		at += length;
		const lineEnd = EMPTY_LINE.exec(rest.toString("latin1", at, at + 2));
		at += lineEnd?.[0].length ?? 0;
		if (length === 0 || at >= rest.length)
			return { body: Buffer.concat(pieces), end: Math.min(at, rest.length) };
	}
}

function noRequest(text: string, count: number): Fault {
	return new Fault("wrong-shape", {
		what: `request ${count} is neither a capture nor HTTP text`,
		why: `where a header or an empty line should stand, it has ${JSON.stringify(text)}`,
		next: "give captures as NDJSON, or a request with its headers, an empty line and its body",
	});
}
