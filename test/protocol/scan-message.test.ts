import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	elementSpans,
	memberSpans,
	oneLine,
} from "../../src/protocol/json-text.ts";
import type { Occurrence } from "../../src/protocol/occurrence.ts";
import { scanMessage } from "../../src/protocol/scan-message.ts";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const EVENT = {
	_meta: { [SUBSCRIPTION]: 1 },
	eventId: "evt_1",
	name: "counter.tick",
	timestamp: "2026-11-30T12:57:06.076Z",
	cursor: "7",
	data: { n: 1.5, text: "Crème ☕" },
};
const notification = (params: unknown) =>
	JSON.stringify({
		jsonrpc: "2.0",
		method: "notifications/events/event",
		params,
	});
const result = (events: unknown, more: object = {}) =>
	JSON.stringify({ jsonrpc: "2.0", id: 7, result: { events, ...more } });
const scan = (text: string) => scanMessage(Buffer.from(text, "utf8"));

/** What JSON.parse and a walk over the bytes make of the same text: the reader that the scan stands in for. */
function parsed(text: string) {
	const bytes = Buffer.from(text, "utf8");
	const { method, params, id, result } = JSON.parse(text);
	const members = memberSpans(bytes);
	const at = members.get("result")?.start;
	const events = result && memberSpans(bytes, at).get("events")?.start;
	const spans = result
		? elementSpans(bytes, events)
		: [...members.entries()].flatMap(([key, span]) =>
				key === "params" ? [span] : [],
			);
	const values = result ? result.events : [params];
	const occurrences = spans.map((span, place) => ({
		eventId: values[place].eventId,
		name: values[place].name,
		timestamp: values[place].timestamp,
		cursor: values[place].cursor ?? undefined,
		raw: oneLine(bytes, span).toString("utf8"),
	}));
	return { method, id, meta: params?._meta, occurrences };
}

/** The same of what the scan has found. */
function scanned(text: string) {
	const message = scan(text);
	if (message?.kind === "notification" && message.occurrence)
		return {
			method: message.method,
			id: undefined,
			meta: message.params._meta,
			occurrences: [shown(message.occurrence)],
		};
	if (message?.kind === "result" && message.occurrences)
		return {
			method: undefined,
			id: message.id,
			meta: undefined,
			occurrences: message.occurrences.map(shown),
		};
	return undefined;
}

const shown = ({ eventId, name, timestamp, cursor, raw }: Occurrence) => ({
	...{ eventId, name, timestamp, cursor },
	raw: raw.toString("utf8"),
});

const instant = fc.date({
	noInvalidDate: true,
	min: new Date(0),
	max: new Date(4e12),
});
const text = fc.string({ unit: "grapheme", minLength: 1 });
const occurrence = fc.record(
	{
		eventId: text,
		name: text,
		timestamp: instant.map((date) => date.toISOString()),
		data: fc.dictionary(fc.string(), fc.jsonValue()),
		cursor: fc.option(fc.string()),
		_meta: fc.constantFrom({ [SUBSCRIPTION]: 1 }, { [SUBSCRIPTION]: "a" }, {}),
		title: fc.jsonValue(),
	},
	{ requiredKeys: ["eventId", "name", "timestamp", "data"] },
);
const space = fc.constantFrom(undefined, 1, "\t", " \n", "\r");

describe("an event's notification", () => {
	it("is read as JSON.parse and a walk over its bytes read it, whatever it holds", () => {
		fc.assert(
			fc.property(occurrence, space, (event, space) => {
				const written = JSON.stringify(
					JSON.parse(notification(event)),
					null,
					space,
				);
				expect(scanned(written)).toEqual(parsed(written));
			}),
			{ seed: 3415, numRuns: 500 },
		);
	});

	it("is printed on one line where its name, or what it says of itself, stood on several", () => {
		const broken = JSON.stringify(JSON.parse(notification(EVENT)), null, "\r");
		for (let times = 0; times < 3; times++)
			expect(scanned(broken)?.occurrences[0]?.raw).toBe(JSON.stringify(EVENT));
	});

	it("is read with its members in any order, and escapes in its texts", () => {
		const written = `{"params":{"data":{"a":"\\"}"},"timestamp":"2026-11-30T12:57:06Z","name":"a\\u002eb","cursor":null,"eventId":"\\u00e9\\\\"},"method":"notifications/events/event","jsonrpc":"2.0"}`;
		expect(scanned(written)).toEqual(parsed(written));
		expect(scanned(written)?.occurrences[0]?.eventId).toBe("é\\");
	});

	it("keeps the last of a repeated key, as JSON.parse does", () => {
		const written = notification(EVENT).replace(
			'"cursor":"7"',
			'"cursor":"7","eventId":"evt_2"',
		);
		expect(scanned(written)?.occurrences[0]?.eventId).toBe("evt_2");
		expect(scanned(written)).toEqual(parsed(written));
	});

	it.each([
		["no eventId", { ...EVENT, eventId: undefined }],
		["an empty eventId", { ...EVENT, eventId: "" }],
		["an eventId that is a number", { ...EVENT, eventId: 1 }],
		["no name", { ...EVENT, name: undefined }],
		["no data", { ...EVENT, data: undefined }],
		["data that is an array", { ...EVENT, data: [] }],
		[
			"a timestamp without a zone",
			{ ...EVENT, timestamp: "2026-11-30T12:57:06" },
		],
		[
			"a day that does not exist",
			{ ...EVENT, timestamp: "2026-13-30T12:57:06Z" },
		],
		["a cursor that is a number", { ...EVENT, cursor: 7 }],
		["a _meta that is no object", { ...EVENT, _meta: [] }],
		["the oldest dialect's requestId", { ...EVENT, requestId: 1 }],
		["params that are no object", [EVENT]],
	])("is left to the reader that explains where it has %s", (_what, params) => {
		expect(scan(notification(params))).toBeUndefined();
	});

	it.each([
		[
			"another method",
			'"notifications/events/event"',
			'"notifications/events/active"',
		],
		["an id", '"jsonrpc"', '"id":1,"jsonrpc"'],
		["another version", '"2.0"', '"1.0"'],
		["a member of its own", '"jsonrpc"', '"trace":1,"jsonrpc"'],
		["a key that is written with an escape", '"eventId"', '"\\u0065ventId"'],
		["something behind its end", '"}}}', '"}}} {}'],
		["a control character", "Crème", "Cr\u0001me"],
	])(
		"is left to the reader that explains where it has %s",
		(_what, from, to) => {
			const written = notification(EVENT);
			expect(written).toContain(from);
			expect(scan(written.replace(from, to))).toBeUndefined();
		},
	);

	it("has its own name and _meta, whatever was looked at and left before it", () => {
		const other = {
			...EVENT,
			_meta: { [SUBSCRIPTION]: 2 },
			name: "counter.tock",
		};
		expect(scanned(notification(EVENT))).toBeDefined();
		// It is found, and then not taken for what stands behind it.
		expect(scan(`${notification(other)} {}`)).toBeUndefined();
		expect(scanned(notification(other))).toEqual(parsed(notification(other)));
	});

	it("is left to the reader that explains where it is no valid UTF-8", () => {
		const bytes = Buffer.from(notification(EVENT), "utf8");
		bytes[bytes.indexOf(Buffer.from("è"))] = 0xff;
		expect(scanMessage(bytes)).toBeUndefined();
	});

	it("is left alone wherever it was cut", () => {
		const written = notification(EVENT);
		for (let end = 0; end < written.length; end++)
			expect(scan(written.slice(0, end))).toBeUndefined();
	});
});

describe("a poll result", () => {
	it("is read as JSON.parse and a walk over its bytes read it, whatever its events hold", () => {
		const events = fc.array(occurrence, { minLength: 1, maxLength: 5 });
		fc.assert(
			fc.property(events, space, (events, space) => {
				const more = { cursor: "9", hasMore: true, nextPollMs: 1e3 };
				const written = JSON.stringify(
					JSON.parse(result(events, more)),
					null,
					space,
				);
				expect(scanned(written)).toEqual(parsed(written));
			}),
			{ seed: 3415, numRuns: 300 },
		);
	});

	it("keeps all but its events where they stood", () => {
		const message = scan(
			result([EVENT], { cursor: "9", hasMore: true, resultType: "complete" }),
		);
		expect(message).toMatchObject({
			kind: "result",
			id: 7,
			result: {
				events: [],
				cursor: "9",
				hasMore: true,
				resultType: "complete",
			},
		});
	});

	it.each([
		[
			"an event without an id",
			result([EVENT, { ...EVENT, eventId: undefined }]),
		],
		["events that are no array", result({ 0: EVENT })],
		["no events member", result(undefined)],
		["no id", result([EVENT]).replace('"id":7,', "")],
		["an error beside it", result([EVENT]).replace('"id"', '"error":{},"id"')],
	])(
		"is left to the reader that explains where it has %s",
		(_what, written) => {
			expect(scan(written)).toBeUndefined();
		},
	);
});
