// A capture in the forms of other tools: a curl command, and an entry of a HAR 1.2 log.
import { isUtf8 } from "node:buffer";
import { shellWord } from "../faults/index.ts";
import { type HeaderPair, headerValues } from "../protocol/index.ts";
import type { Capture } from "./capture.ts";

/** A longer body in one word is more than some shells take. */
const LONGEST_WORD = 60_000;
const BASE64_LINE = 76;

/** Headers that curl makes itself, or that were about the old connection. */
const LEFT_TO_CURL =
	/^(host|content-length|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*)$/i;

/** The URL that it was sent to, as far as it can be told. */
export function captureUrl({
	headers,
	path,
}: Pick<Capture, "headers" | "path">): string {
	const [host = "127.0.0.1"] = headerValues(headers, "host");
	return `http://${host}${path}`;
}

/** A command for a POSIX shell that sends the same headers and bytes to `url`. */
export function curlCommand(capture: Capture, url: string): string {
	const { method, body } = capture;
	const words = ["curl", "-sS", "-X", shellWord(method), shellWord(url)];
	const sent = capture.headers.filter(([name]) => !LEFT_TO_CURL.test(name));
	for (const [name, value] of sent) words.push("-H", headerWord(name, value));
	// What curl would add of its own.
	for (const name of ["Accept", "User-Agent", "Content-Type"])
		if (headerValues(sent, name.toLowerCase()).length === 0)
			words.push("-H", `'${name}:'`);
	const text = body.toString("latin1");
	const isPlain = /^[\x20-\x7e]*$/.test(text) && text.length <= LONGEST_WORD;
	// A body that begins with @ would name a file.
	if (isPlain && !text.startsWith("@"))
		return [...words, "--data-binary", shellWord(text)].join(" ");
	const lines = body
		.toString("base64")
		.match(new RegExp(`.{1,${BASE64_LINE}}`, "g"));
	return [
		`base64 -d <<'END' | ${words.join(" ")} --data-binary @-`,
		...(lines ?? []),
		"END",
	].join("\n");
}

function headerWord(name: string, value: string): string {
	const text = value === "" ? `${name};` : `${name}: ${value}`;
	if (/^[\x20-\x7e]*$/.test(text)) return shellWord(text);
	// Headers are bytes; bash, zsh and ksh read these escapes back as such.
	const escaped = text.replace(/[^\x20-\x7e]|['\\]/g, (char) =>
		/['\\]/.test(char)
			? `\\${char}`
			: `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`,
	);
	return `$'${escaped}'`;
}

/** What stands before and after the entries of a HAR log, which are separated by commas. */
export function harFrame(creator: { name: string; version: string }) {
	const log = JSON.stringify({ version: "1.2", creator });
	return { start: `{"log":${log.slice(0, -1)},"entries":[`, end: "]}}" };
}

/** One entry. The response has the status that was answered, and nothing of its text: that is not kept. */
export function harEntry(capture: Capture, url: string): object {
	const { method, headers, body, answer } = capture;
	return {
		startedDateTime: new Date(capture.receivedAtMs).toISOString(),
		time: 0,
		request: {
			method,
			url,
			httpVersion: "HTTP/1.1",
			cookies: [],
			headers: headers.map(([name, value]) => ({ name, value })),
			queryString: queryOf(url),
			postData: postData(headers, body),
			headersSize: -1,
			bodySize: body.length,
		},
		response: {
			status: answer.status ?? 0,
			statusText: "",
			httpVersion: "HTTP/1.1",
			cookies: [],
			headers: [],
			content: { size: 0, mimeType: "" },
			redirectURL: "",
			headersSize: -1,
			bodySize: -1,
		},
		cache: {},
		timings: { send: 0, wait: 0, receive: 0 },
		comment: `${capture.id}: ${capture.verdict.kind}`,
	};
}

function queryOf(url: string) {
	const query = URL.canParse(url) ? new URL(url).searchParams : [];
	return [...query].map(([name, value]) => ({ name, value }));
}

function postData(headers: readonly HeaderPair[], body: Buffer) {
	const [mimeType = ""] = headerValues(headers, "content-type");
	if (isUtf8(body)) return { mimeType, text: body.toString("utf8") };
	// HAR knows bytes in responses only; a field of our own says how to read these.
	return { mimeType, text: body.toString("base64"), _encoding: "base64" };
}
