import { expect, it } from "vitest";
import { cloudEvent, uriReference } from "../../src/output/cloudevents.ts";
import { eventFrom, ORDER } from "./items.ts";

const SOURCE = "https://shop.example/mcp";

function write(json: string, source = SOURCE): string {
	const { occurrence } = eventFrom(json);
	return cloudEvent(occurrence, {
		source: uriReference(source),
		subscription: "all",
	}).join("");
}

it("writes an event as a CloudEvent with its data untouched", () => {
	expect(write(ORDER)).toBe(
		'{"specversion":"1.0","id":"evt_1","source":"https://shop.example/mcp","type":"orders.created","time":"2026-11-03T14:03:07Z","mcpcursor":"c1","mcpsubscription":"all","datacontenttype":"application/json","data":{"id":12345678901234567890,"total":1.0,"customer":{"name":"Ann","tags":["a","b"]}}}',
	);
});

it.each([
	["2026-11-03T14:03:07.123456+02:00", true],
	["2026-11-03t14:03:07z", true],
	["2026-11-03T14:03Z", false],
	["2026-11-03T14:03:07+0200", false],
	["2026-13-03T14:03:07Z", false],
	["yesterday", false],
])("takes %s for a time of RFC 3339: %s", (timestamp, isKept) => {
	const json = `{"eventId":"1","name":"n","timestamp":"${timestamp}","data":{}}`;
	expect(JSON.parse(write(json)).time).toBe(isKept ? timestamp : undefined);
});

it.each([
	["https://shop.example/mcp", "https://shop.example/mcp"],
	["http://[::1]:8931/mcp", "http://[::1]:8931/mcp"],
	["node server.js --x='a:b'", "node%20server.js%20--x%3D'a%3Ab'"],
	["./bin/serve 日本", "./bin/serve%20%E6%97%A5%E6%9C%AC"],
	["bad\ud800", "bad%EF%BF%BD"],
	["", "unknown"],
])("names %j as a source that is a URI-reference", (source, written) => {
	expect(JSON.parse(write(ORDER, source)).source).toBe(written);
});

it("leaves out what the event does not have", () => {
	expect(JSON.parse(write('{"eventId":"1","name":"n","cursor":null}'))).toEqual(
		{
			specversion: "1.0",
			id: "1",
			source: SOURCE,
			type: "n",
			mcpsubscription: "all",
			datacontenttype: "application/json",
		},
	);
});

it("uses only attribute names that CloudEvents allows", () => {
	for (const name of Object.keys(JSON.parse(write(ORDER))))
		expect(name).toMatch(/^[a-z0-9]{1,20}$/);
});
