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
	for (const rewriting of [...plainRewritings(body)])
		if (!rewriting.body.equals(body)) yield rewriting;
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

function* plainRewritings(body: Buffer): Generator<BodyRewriting> {
	const latin1 = body.toString("latin1");
	const ofText = (kind: CauseKind, told: string, text: string) => ({
		kind,
		told,
		body: Buffer.from(text, "latin1"),
	});
	for (const [name, end] of [
		["line feed", "\n"],
		["CR LF", "\r\n"],
	] as const) {
		yield ofText(
			"trailing-newline",
			`signed with a ${name} at the end, sent without`,
			latin1 + end,
		);
		if (latin1.endsWith(end))
			yield ofText(
				"trailing-newline",
				`signed without the ${name} at the end that was sent`,
				latin1.slice(0, -end.length),
			);
	}
	const loneFeeds = latin1.replaceAll("\r\n", "\n");
	yield ofText(
		"line-ends",
		"signed with LF line ends, sent with CR LF",
		loneFeeds,
	);
	yield ofText(
		"line-ends",
		"signed with CR LF line ends, sent with LF",
		loneFeeds.replaceAll("\n", "\r\n"),
	);
	const mark = "\xef\xbb\xbf";
	yield ofText(
		"byte-order-mark",
		"signed with a byte order mark, sent without",
		mark + latin1,
	);
	if (latin1.startsWith(mark))
		yield ofText(
			"byte-order-mark",
			"signed without the byte order mark that was sent",
			latin1.slice(3),
		);
	yield ofText(
		"trailing-newline",
		"signed without the white space around the body",
		latin1.trim(),
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
