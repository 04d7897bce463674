// What a body may have been when it was signed, if these are not the bytes that were signed.
import type { CauseKind } from "./cause.ts";
import { rewriteJson } from "./json-styles.ts";

export interface BodyRewriting {
	kind: CauseKind;
	told: string;
	body: Buffer;
}

const EXCERPT_BYTES = 24;

/** The bodies that one mistake turns this one into; none of them equals it. */
export function* rewriteBody(body: Buffer): Generator<BodyRewriting> {
	const latin1 = body.toString("latin1");
	for (const other of [...otherEnds(latin1), ...otherTexts(body)])
		if (!other.body.equals(body)) yield other;
	for (const { style, text } of rewriteJson(body)) {
		const signed = Buffer.from(text);
		const told = `the JSON was signed in another form (${style}) than it was sent`;
		if (!signed.equals(body))
			yield {
				kind: "body-rewritten",
				told: `${told}: ${tellChange(body, signed)}`,
				body: signed,
			};
	}
}

// Bytes are handled as Latin-1 characters here, one for each, so that nothing but the change is changed.
const rewriting = (kind: CauseKind, told: string, latin1: string) => ({
	kind,
	told,
	body: Buffer.from(latin1, "latin1"),
});

function* otherEnds(latin1: string): Generator<BodyRewriting> {
	for (const [name, end] of [
		["line feed", "\n"],
		["CR LF", "\r\n"],
	] as const) {
		yield rewriting(
			"trailing-newline",
			`signed with a ${name} at the end, sent without`,
			latin1 + end,
		);
		if (latin1.endsWith(end))
			yield rewriting(
				"trailing-newline",
				`signed without the ${name} at the end that was sent`,
				latin1.slice(0, -end.length),
			);
	}
	const loneFeeds = latin1.replaceAll("\r\n", "\n");
	yield rewriting(
		"line-ends",
		"signed with LF line ends, sent with CR LF",
		loneFeeds,
	);
	yield rewriting(
		"line-ends",
		"signed with CR LF line ends, sent with LF",
		loneFeeds.replaceAll("\n", "\r\n"),
	);
	yield rewriting(
		"trailing-newline",
		"signed without the white space around the body",
		trimJson(latin1),
	);
}

/** Without the white space of JSON around it. A regular expression would take the square of its length. */
function trimJson(latin1: string): string {
	const isSpace = (at: number) => " \t\r\n".includes(latin1.charAt(at));
	let start = 0;
	let end = latin1.length;
	while (start < end && isSpace(start)) start++;
	while (end > start && isSpace(end - 1)) end--;
	return latin1.slice(start, end);
}

function* otherTexts(body: Buffer): Generator<BodyRewriting> {
	const latin1 = body.toString("latin1");
	const mark = "\xef\xbb\xbf";
	yield rewriting(
		"byte-order-mark",
		"signed with a byte order mark, sent without",
		mark + latin1,
	);
	if (latin1.startsWith(mark))
		yield rewriting(
			"byte-order-mark",
			"signed without the byte order mark that was sent",
			latin1.slice(3),
		);
	yield {
		kind: "body-as-text",
		told: "signed as UTF-8 text, in which bytes that are no UTF-8 were replaced",
		body: Buffer.from(body.toString("utf8")),
	};
	yield {
		kind: "body-as-text",
		told: "signed as Latin-1 text written again in UTF-8",
		body: Buffer.from(latin1, "utf8"),
	};
	yield {
		kind: "body-empty",
		told: "signed with an empty body",
		body: Buffer.alloc(0),
	};
}

/** Where the two begin to differ, with a little of each. */
export function tellChange(sent: Buffer, signed: Buffer): string {
	let at = 0;
	while (at < sent.length && at < signed.length && sent[at] === signed[at])
		at++;
	const excerpt = (bytes: Buffer) =>
		JSON.stringify(bytes.subarray(at, at + EXCERPT_BYTES).toString("utf8"));
	return `from byte ${at} on, sent ${excerpt(sent)}, signed ${excerpt(signed)}`;
}
