// One event occurrence, read without JSON.parse. What is not plainly right is left to `readOccurrence`, which explains.
import {
	hasEscape,
	isAt,
	keyBytes,
	REFUSED,
	scanMembers,
	scanValue,
} from "./json-scan.ts";
import { oneLine } from "./json-text.ts";
import { isRecord } from "./message.ts";
import { isInstant, type Occurrence } from "./occurrence.ts";
import { scanText } from "./scan-text.ts";

const OPEN_BRACE = 0x7b;
const NULL = Buffer.from("null");

/** The members of an occurrence that are looked at; by number, since they are looked up for every event. */
const [EVENT_ID, NAME, TIMESTAMP, DATA] = [0, 1, 2, 3];
const [CURSOR, META, REQUEST_ID] = [4, 5, 6];
const FIELDS = [
	...["eventId", "name", "timestamp", "data"],
	...["cursor", "_meta", "requestId"],
].map(keyBytes);
/** Their keys differ in the first byte: it says which one alone may stand there. Any will do where none can. */
const FIELD_BY_BYTE = new Uint8Array(256);
for (const [field, key] of FIELDS.entries())
	FIELD_BY_BYTE[key.readUInt8(0)] = field;
const ABSENT = -1;
/** Where the values of one occurrence stand. A scan never waits, so that one will do for all. */
const PLACES = new Int32Array(FIELDS.length);

export interface ScannedOccurrence {
	end: number;
	occurrence: Occurrence;
	params: Params;
}

/** An occurrence as `readOccurrence` reads it where it finds nothing odd; undefined for any other. */
export function scanOccurrence(
	bytes: Buffer,
	from: number,
): ScannedOccurrence | undefined {
	PLACES.fill(ABSENT);
	const end = scanMembers(bytes, from, (key, value) => {
		const field = FIELD_BY_BYTE[bytes[key] as number] as number;
		if (isAt(bytes, key, FIELDS[field] as Buffer)) {
			PLACES[field] = value;
			return scanField(bytes, field, value);
		}
		return hasEscape(bytes, key, value) ? REFUSED : scanValue(bytes, value);
	});
	if (end === REFUSED || bytes[placeOf(DATA)] !== OPEN_BRACE) return undefined;
	// The oldest dialect's.
	if (placeOf(REQUEST_ID) !== ABSENT) return undefined;
	const eventId = textAt(bytes, placeOf(EVENT_ID));
	const name = nameAt(bytes, placeOf(NAME));
	const timestamp = textAt(bytes, placeOf(TIMESTAMP));
	const cursor = cursorAt(bytes, placeOf(CURSOR));
	if (!eventId || !name || !timestamp || cursor === null) return undefined;
	if (timestamp !== lastInstant && !isInstant(timestamp)) return undefined;
	lastInstant = timestamp;
	const params = paramsAt(bytes, placeOf(META));
	if (!params) return undefined;
	const raw = oneLine(bytes, { start: from, end });
	const occurrence = { raw, eventId, name, timestamp, cursor };
	return { end, params, occurrence };
}

/** What the last event had too was scanned with that one. */
function scanField(bytes: Buffer, field: number, at: number): number {
	if (field === NAME || field === META) {
		const { bytes: known } = field === NAME ? lastName : lastParams;
		if (isAt(bytes, at, known)) return at + known.length;
	}
	return scanValue(bytes, at);
}

const placeOf = (field: number) => PLACES[field] as number;

/** undefined: there is none; null: it is no cursor. */
function cursorAt(bytes: Buffer, at: number): string | undefined | null {
	if (at === ABSENT || isAt(bytes, at, NULL)) return undefined;
	return textAt(bytes, at) ?? null;
}

/** The string at a place; undefined where no string stands there. */
const textAt = (bytes: Buffer, at: number): string | undefined =>
	at === ABSENT ? undefined : scanText(bytes, at)?.text;

/** Events come in bursts of one millisecond, and reading a date is dear. */
let lastInstant = "";

/** All events of one stream carry the same name and the same `_meta`: what was read is kept beside its bytes. */
interface Read<T> {
	bytes: Buffer;
	value: T;
}
const KEPT_BYTES = 1024;
let lastName: Read<string> = { bytes: Buffer.from('""'), value: "" };
type Params = Record<string, unknown>;
const NO_PARAMS: Params = {};
let lastParams: Read<Params> = {
	bytes: Buffer.from("{}"),
	value: { _meta: {} },
};

function nameAt(bytes: Buffer, at: number): string | undefined {
	if (isAt(bytes, at, lastName.bytes)) return lastName.value;
	const value = textAt(bytes, at);
	if (value !== undefined) lastName = keep(bytes, at, value) ?? lastName;
	return value;
}

/** The params of an event without its own members: `_meta`, if there is one. undefined: it is no object. */
function paramsAt(bytes: Buffer, at: number): Params | undefined {
	if (at === ABSENT) return NO_PARAMS;
	if (isAt(bytes, at, lastParams.bytes)) return lastParams.value;
	const end = scanValue(bytes, at);
	const _meta: unknown = JSON.parse(bytes.toString("utf8", at, end));
	if (!isRecord(_meta)) return undefined;
	const params = { _meta };
	lastParams = keep(bytes, at, params) ?? lastParams;
	return params;
}

/** What is long is not kept. */
function keep<T>(bytes: Buffer, at: number, value: T): Read<T> | undefined {
	const text = bytes.subarray(at, scanValue(bytes, at));
	return text.length <= KEPT_BYTES
		? { bytes: Buffer.from(text), value }
		: undefined;
}
