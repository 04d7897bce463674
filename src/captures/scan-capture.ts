// A line of captures, read without JSON.parse: a body is most of it, and would become a string only to become bytes
// again. What is not plainly right is left to JSON.parse, and what the members mean to `parseCapture`.
import { isUtf8 } from "node:buffer";
import {
	type HeaderPair,
	hasEscape,
	isAt,
	keyBytes,
	type Laid,
	layOut,
	REFUSED,
	Repeated,
	scanContent,
	scanElements,
	scanMembers,
	scanSpace,
	scanText,
	scanValue,
} from "../protocol/index.ts";

/** What `parseCapture` looks at; undefined where the line has no such member. */
export interface ScannedCapture {
	members: Record<(typeof TEXTS)[number] | (typeof ALIKE)[number], unknown>;
	headers: HeaderPair[];
	body: Buffer;
}

const TEXTS = ["id", "time"] as const;
/** Most captures have these as the one before had them. */
const ALIKE = ["subscription", "method", "path", "verdict", "answer"] as const;

/** A value of any kind, often the one that stood there before. */
const anyValue = () =>
	new Repeated<unknown>(undefined, (bytes, at, end) =>
		JSON.parse(bytes.toString("utf8", at, end)),
	);

const ID = keyBytes("id");
const TIME = keyBytes("time");
const HEADERS = keyBytes("headers");
const BODY = keyBytes("body");
const REPEATED = ALIKE.map((name) => ({
	name,
	key: keyBytes(name),
	value: anyValue(),
}));

/** The members of a capture that is written as we write them; undefined for any other line. */
export function scanCapture(line: Buffer): ScannedCapture | undefined {
	if (!isUtf8(line)) return undefined;
	const members: ScannedCapture["members"] = {
		id: undefined,
		time: undefined,
		subscription: undefined,
		method: undefined,
		path: undefined,
		verdict: undefined,
		answer: undefined,
	};
	const laid = layOut(line);
	let headers: HeaderPair[] | undefined;
	let body: Buffer | undefined;
	const scanTextMember = (name: "id" | "time", at: number) => {
		const read = scanText(line, at);
		members[name] = read?.text;
		return read?.end ?? REFUSED;
	};
	// A repeated key keeps its last value, as JSON.parse has it.
	const end = scanMembers(line, 0, (key, at) => {
		if (isAt(line, key, ID)) return scanTextMember("id", at);
		if (isAt(line, key, TIME)) return scanTextMember("time", at);
		if (isAt(line, key, HEADERS)) {
			headers = [];
			return scanHeaders(laid, at, headers);
		}
		if (isAt(line, key, BODY)) {
			const read = scanContent(line, at);
			body = read?.content;
			return read?.end ?? REFUSED;
		}
		for (const { name, key: known, value } of REPEATED)
			if (isAt(line, key, known)) {
				const end = value.scan(laid, at);
				members[name] = value.last;
				return end;
			}
		return hasEscape(line, key, at) ? REFUSED : scanValue(laid, at);
	});
	const isWhole = end !== REFUSED && scanSpace(line, end) === line.length;
	return isWhole && headers && body ? { members, headers, body } : undefined;
}

/** What has more headers is left to JSON.parse. */
const MOST_HEADERS = 100;
/** As long as one sender sends, its headers stand in one order: so a place in this list is a place in theirs. */
const NAMES = Array.from({ length: MOST_HEADERS }, anyValue);

/** Reads a list of pairs of strings into `headers`; returns the place behind it, or REFUSED. */
function scanHeaders(laid: Laid, from: number, headers: HeaderPair[]): number {
	const line = laid.bytes;
	return scanElements(line, from, (start) => {
		const name = NAMES[headers.length];
		if (!name) return REFUSED;
		let value: string | undefined;
		let parts = 0;
		const end = scanElements(line, start, (at) => {
			parts++;
			if (parts === 1) return name.scan(laid, at);
			const read = scanText(line, at);
			value = read?.text;
			return read?.end ?? REFUSED;
		});
		if (end === REFUSED || parts !== 2 || value === undefined) return REFUSED;
		if (typeof name.last !== "string") return REFUSED;
		headers.push([name.last, value]);
		return end;
	});
}
