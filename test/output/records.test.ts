import { expect, it } from "vitest";
import { Fault } from "../../src/faults/index.ts";
import {
	RECORD_COMMON_FIELDS,
	RECORD_KINDS,
} from "../../src/output/record-kinds.ts";
import { createRecordWriter, faultRecord } from "../../src/output/records.ts";
import type { Item } from "../../src/tail/index.ts";
import { about, eventFrom, ORDER } from "./items.ts";

const fault = new Fault("timed-out", { what: "no answer", why: "10s" });
const error = {
	name: "Forbidden",
	code: -32024,
	message: "no",
	data: { reason: "x" },
};

const EVERY_KIND: Item[] = [
	{ ...about(), kind: "ready", cursor: "c0", first: true, url: "http://h/x" },
	{ ...eventFrom(ORDER), capture: "cap_1" },
	{ ...about(), kind: "gap", reason: "truncated", cursor: "c", since: 0 },
	{
		...about(),
		kind: "status",
		sinceEventMs: 5,
		sinceSignMs: undefined,
		cursor: "c",
	},
	{ ...about(), kind: "mode", why: "push failed" },
	{ ...about(), kind: "reconnecting", why: "silence", delayMs: 50, fault },
	{ ...about(), kind: "error", error },
	{ ...about(), kind: "terminated", error },
	{ ...about(), kind: "heartbeat", cursor: "c1" },
	{
		...about(),
		kind: "rejected",
		reason: "no-match",
		why: "wrong secret",
		status: 401,
		method: "POST",
		path: "/hooks/x",
		capture: "cap_2",
	},
	{ ...about(), kind: "envelope", type: "gap", capture: "cap_3" },
	{
		...about(),
		kind: "forwarded",
		id: "evt_1",
		to: "http://h/y",
		status: undefined,
		latencyMs: 5,
		bodyStart: "",
		capture: "cap_4",
		fault,
	},
	{
		...about(),
		kind: "handled",
		id: "evt_1",
		command: "node",
		status: 1,
		signal: undefined,
		isTimedOut: false,
		latencyMs: 5,
		stdoutStart: "",
		stderrStart: "oops",
		retryInMs: 1_000,
		capture: "cap_5",
		fault,
	},
	{ ...about(), kind: "stopped", cursor: "c2", fault },
];

const unmasked = (text: string) => text;
const lineOf = (item: Item) => createRecordWriter(unmasked)(item).join("");

it.each(EVERY_KIND)(
	"documents the fields of $kind as they are written",
	(item) => {
		const fields = [...RECORD_COMMON_FIELDS, ...RECORD_KINDS[item.kind].fields];
		expect(Object.keys(JSON.parse(lineOf(item)))).toEqual(
			fields.map(({ name }) => name),
		);
	},
);

it("covers every kind that is documented", () => {
	expect(EVERY_KIND.map(({ kind }) => kind).sort()).toEqual(
		Object.keys(RECORD_KINDS).sort(),
	);
});

it.each([
	[
		EVERY_KIND[5],
		'{"kind":"reconnecting","subscription":"orders.created","via":"push","receivedAt":"2026-11-03T14:03:09.250Z","why":"silence","delayMs":50,"fault":{"code":"timed-out","what":"no answer","why":"10s"}}',
	],
	[
		EVERY_KIND[7],
		'{"kind":"terminated","subscription":"orders.created","via":"push","receivedAt":"2026-11-03T14:03:09.250Z","error":{"name":"Forbidden","code":-32024,"message":"no","data":{"reason":"x"}}}',
	],
	[
		EVERY_KIND[2],
		'{"kind":"gap","subscription":"orders.created","via":"push","receivedAt":"2026-11-03T14:03:09.250Z","reason":"truncated","cursor":"c","since":"1970-01-01T00:00:00.000Z"}',
	],
])("writes a record whole", (item, line) => {
	expect(item && lineOf(item)).toBe(line);
});

it("splices an event in untouched", () => {
	const json =
		'{"name":"n","eventId":"\\ud800\u009b","data":{"x":1.0,"x":-0, "y" : 1e400}}';
	expect(lineOf(eventFrom(json, 'n{"a":1}'))).toBe(
		`{"kind":"event","subscription":"n{\\"a\\":1}","via":"push","receivedAt":"2026-11-03T14:03:09.250Z","event":${json}}`,
	);
});

it("does not mistake one subscription's event for another's", () => {
	const write = createRecordWriter(unmasked);
	const lines = ["a", "a", "b"].map((label) => write(eventFrom(ORDER, label)));
	expect(lines.map((line) => JSON.parse(line.join("")).subscription)).toEqual([
		"a",
		"a",
		"b",
	]);
});

it("survives error data that is nested too deeply", () => {
	let data: unknown = 1;
	for (let depth = 0; depth < 100_000; depth++) data = [data];
	const line = lineOf({ ...about(), kind: "error", error: { ...error, data } });
	expect(JSON.parse(line).error.data).toBe("nested too deeply to be shown");
});

it("writes a fault as one record with its exit status", () => {
	expect(faultRecord(fault).toString()).toBe(
		'{"kind":"error","code":"timed-out","what":"no answer","why":"10s","exitStatus":3}',
	);
});
