import { describe, expect, it } from "vitest";
import { findEventTypes, listEventTypes } from "../../src/session/index.ts";
import { scriptedSession } from "./scripted-session.ts";

const type = (name: string) =>
	`{"name":"${name}","description":"d","delivery":["poll"],"inputSchema":{},"payloadSchema":{}, "x": 1.0}`;
const page = (names: string[], more = "") =>
	`{"events":[${names.map(type).join(",")}]${more}}`;

async function walk(results: string[]) {
	const { session, asked } = scriptedSession({ results });
	const odd: string[] = [];
	const pages: string[][] = [];
	for await (const types of listEventTypes(session, {
		odd: (what) => odd.push(what),
	}))
		pages.push(types.map(({ raw }) => raw.toString()));
	return { pages, odd, cursors: asked.map(({ params }) => params.cursor) };
}

describe("the catalogue", () => {
	it("comes page by page, each descriptor as it was written", async () => {
		const { pages, cursors } = await walk([
			page(["a", "b"], ',"nextCursor":""'),
			page(["c"], ',"nextCursor":"x"'),
			page([], ',"nextCursor":null'),
		]);
		expect(pages).toEqual([[type("a"), type("b")], [type("c")], []]);
		expect(cursors).toEqual([undefined, "", "x"]);
	});

	it("notes a name that comes twice, on whatever page", async () => {
		const { odd } = await walk([page(["a"], ',"nextCursor":"1"'), page(["a"])]);
		expect(odd).toEqual(['events/list has "a" more than once']);
	});

	it.each([
		["the same cursor again", [page([], ',"nextCursor":"1"')], "paging-loop"],
		[
			"a cursor from before",
			[
				page([], ',"nextCursor":"1"'),
				page([], ',"nextCursor":"2"'),
				page([], ',"nextCursor":"1"'),
			],
			"paging-loop",
		],
		[
			"a long cursor again",
			[page([], `,"nextCursor":"${"x".repeat(9999)}"`)],
			"paging-loop",
		],
		[
			"pages without end",
			Array.from({ length: 1001 }, (_, at) =>
				page([], `,"nextCursor":"${at}"`),
			),
			"paging-loop",
		],
		["a cursor that is a number", [page([], ',"nextCursor":7')], "wrong-shape"],
		["events that are no array", ['{"events":{}}'], "wrong-shape"],
		["no events", ["{}"], "wrong-shape"],
		["an entry without a name", ['{"events":[{}]}'], "wrong-shape"],
	])("is a fault where it is broken: %s", async (_, results, code) => {
		await expect(walk(results)).rejects.toMatchObject({ code });
	});
});

describe("event types by name", () => {
	const find = (results: string[], names: string[]) => {
		const { session, asked } = scriptedSession({ results });
		return findEventTypes(session, names, { odd: () => {} }).then((found) => ({
			found,
			asked,
		}));
	};

	it("come in the order asked for, from no more pages than need be", async () => {
		const { found, asked } = await find(
			[page(["a", "b"], ',"nextCursor":"1"'), page(["c"], ',"nextCursor":"2"')],
			["c", "a"],
		);
		expect(found.map(({ name }) => name)).toEqual(["c", "a"]);
		expect(asked).toHaveLength(2);
	});

	it("that are not there are a fault with the nearest names", async () => {
		await expect(
			find(
				[page(["order.created", "order.closed", "tick"])],
				["order.craeted"],
			),
		).rejects.toMatchObject({
			code: "event-unknown",
			why: "it lists 3 types",
			next: expect.stringContaining("order.created"),
		});
		await expect(
			find([page(["tick"])], ["something.else"]),
		).rejects.toMatchObject({
			next: "mcp-events list http://scripted.test/mcp",
		});
	});
});
