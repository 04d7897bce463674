// Looks into JSON, and changes one member of it, with every other byte left as it was written.
import { Fault } from "../faults/index.ts";
import { elementSpans, memberSpans, type Span } from "../protocol/index.ts";

/** A place in JSON as a user writes it, `data.items.0.id`, and the JSON text meant for it. */
export interface JsonEdit {
	path: readonly string[];
	/** JSON. */
	value: string;
}

const OPEN_BRACE = 0x7b;
const OPEN_BRACKET = 0x5b;

/** Reads `a.b=VALUE`; a VALUE that is no JSON is a string. Throws `wrong-use` that names the flag. */
export function parseJsonEdit(text: string, flag: string): JsonEdit {
	const equals = text.indexOf("=");
	const path = text.slice(0, Math.max(0, equals)).split(".");
	if (equals < 1 || path.includes(""))
		throw new Fault("wrong-use", {
			what: `--${flag} ${JSON.stringify(text)} names no place`,
			why: "it takes a path, an equals sign and a value",
			next: `--${flag} data.total=12.5`,
		});
	const value = text.slice(equals + 1);
	return { path, value: isJson(value) ? value : JSON.stringify(value) };
}

/** Whether the value that stands at the place is the one that is meant. `bytes` are valid JSON. */
export function holdsValue(bytes: Buffer, { path, value }: JsonEdit): boolean {
	let span: Span | undefined = { start: 0, end: bytes.length };
	for (const step of path) span = span && memberAt(bytes, span, step);
	if (!span) return false;
	const found: unknown = JSON.parse(
		bytes.toString("utf8", span.start, span.end),
	);
	return JSON.stringify(found) === JSON.stringify(JSON.parse(value));
}

/** The JSON with the value at its place, which is made where it is not there. Throws `wrong-use` where it cannot be. */
export function setValue(bytes: Buffer, { path, value }: JsonEdit): Buffer {
	let at: Span = { start: bytes.findIndex((byte) => byte > 0x20), end: 0 };
	at.end = bytes.length;
	for (const [depth, step] of path.entries()) {
		const next = memberAt(bytes, at, step);
		if (next) {
			at = next;
			continue;
		}
		if (bytes[at.start] !== OPEN_BRACE) throw noPlace(path, depth);
		return insert(bytes, at, { path: path.slice(depth), value });
	}
	return splice(bytes, at, value);
}

function memberAt(bytes: Buffer, span: Span, step: string): Span | undefined {
	if (bytes[span.start] === OPEN_BRACKET)
		return /^\d{1,6}$/.test(step)
			? elementSpans(bytes, span.start)[Number(step)]
			: undefined;
	return memberSpans(bytes, span.start).get(step);
}

/** A new member stands first: nothing has to be known of what follows but whether there is anything. */
function insert(bytes: Buffer, object: Span, { path, value }: JsonEdit) {
	const isEmpty = memberSpans(bytes, object.start, 1).size === 0;
	const nested = path.reduceRight(
		(inner, step, at) =>
			at === 0
				? `${JSON.stringify(step)}:${inner}`
				: `{${JSON.stringify(step)}:${inner}}`,
		value,
	);
	const after = object.start + 1;
	const text = isEmpty ? nested : `${nested},`;
	return splice(bytes, { start: after, end: after }, text);
}

function splice(bytes: Buffer, { start, end }: Span, text: string): Buffer {
	return Buffer.concat([
		bytes.subarray(0, start),
		Buffer.from(text),
		bytes.subarray(end),
	]);
}

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

function noPlace(path: readonly string[], depth: number): Fault {
	return new Fault("wrong-use", {
		what: `${path.join(".")} cannot be set`,
		why: `${path.slice(0, depth).join(".") || "the body"} is no object, and has no ${JSON.stringify(path[depth])}`,
	});
}
