import { expect, it } from "vitest";
import { readCapabilities } from "../../src/session/capabilities.ts";

const KEY = "io.modelcontextprotocol/events";
const yes = { listChanged: false };

it.each([
	[{ extensions: { [KEY]: {} } }, yes, "the extensions map", 0],
	[
		{ extensions: { [KEY]: { listChanged: true } } },
		{ listChanged: true },
		"the extensions map",
		0,
	],
	[
		{ events: { listChanged: true } },
		{ listChanged: true },
		"the top level",
		1,
	],
	[
		{ extensions: { [KEY]: {} }, events: { listChanged: true } },
		yes,
		"both places",
		0,
	],
	[{ extensions: { [KEY]: true } }, yes, "the extensions map", 1],
	[{ extensions: { [KEY]: [] } }, yes, "the extensions map", 1],
	[{ extensions: { [KEY]: null } }, undefined, "nowhere", 1],
	[{ extensions: { [KEY]: false } }, undefined, "nowhere", 1],
	[
		{ extensions: { [KEY]: { listChanged: "yes" } } },
		yes,
		"the extensions map",
		1,
	],
	[{ extensions: [], tools: {} }, undefined, "nowhere", 1],
	[{}, undefined, "nowhere", 0],
	["all", undefined, "nowhere", 1],
])("the capability in %j is %j", (value, events, place, oddities) => {
	const odd: string[] = [];
	const declared = readCapabilities(value, (what) => odd.push(what));
	expect(declared).toMatchObject({ events, place });
	expect(odd).toHaveLength(oddities);
});

it("what else is offered is named, within bounds", () => {
	const tools = Object.fromEntries(
		Array.from({ length: 99 }, (_, at) => [`c${at}`, {}]),
	);
	const { offers } = readCapabilities(
		{ tools: {}, extensions: { "x/y": {} } },
		() => {},
	);
	expect(offers).toEqual(["tools", "x/y"]);
	expect(readCapabilities(tools, () => {}).offers).toHaveLength(50);
});
