import { expect, it } from "vitest";
import { readContent } from "../../src/receiver/content.ts";
import { makeRoute, NOW_MS } from "../fixtures/deliveries.ts";

const EVENT = {
	eventId: "e1",
	name: "a.b",
	timestamp: "2026-01-01T00:00:00.000Z",
	data: { title: "Crème" },
	cursor: "c1",
};
const read = (text: string) =>
	readContent({
		body: Buffer.from(text),
		route: makeRoute(),
		headers: [],
		nowMs: NOW_MS,
	});

/** What is read of the same members where a space behind them keeps it from being scanned. */
it.each([
	["plain", EVENT],
	["without a cursor", { ...EVENT, cursor: undefined }],
	["with a null cursor", { ...EVENT, cursor: null }],
	["with a type in its data", { ...EVENT, data: { type: "x" } }],
	["with a type in its texts", { ...EVENT, name: '"type"' }],
	["of more members", { ...EVENT, more: [1, { a: "\\" }] }],
	["with escapes", { ...EVENT, eventId: 'e"\n1', name: "\u0001" }],
	["with a timestamp that is none", { ...EVENT, timestamp: "now" }],
	["without data", { ...EVENT, data: undefined }],
])("an event %s is the same whether it was scanned or parsed", (_, event) => {
	const text = JSON.stringify(event);
	const told = [text, `${text} `].map((one) => {
		const result = read(one);
		if (typeof result === "string" || result.content.kind !== "event")
			throw new Error(`no event: ${one}`);
		const { raw, eventId, name, timestamp, cursor } = result.content.occurrence;
		const line = raw.toString().trim();
		return { line, eventId, name, timestamp, cursor, notes: result.notes };
	});
	expect(told[0]).toEqual(told[1]);
	expect(told[0]?.line).toBe(text);
});

it.each([
	['{"type":"verification","challenge":"c",', "verification"],
	['{"t\\u0079pe":"gap",', "gap"],
	['{"type":null,', "unknown"],
])("an envelope is none of them, whatever else it has: %s", (start, kind) => {
	const text = start + JSON.stringify(EVENT).slice(1);
	expect(read(text)).toMatchObject({ content: { kind } });
});

it.each([
	["cut off", (text: string) => text.slice(0, -1)],
	["followed by more", (text: string) => `${text}1`],
	["twice", (text: string) => text + text],
])("an event that is %s is refused", (_, change) => {
	expect(read(change(JSON.stringify(EVENT)))).toContain("not JSON");
});
