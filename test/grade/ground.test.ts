import { describe, expect, it } from "vitest";
import { readDeclared } from "../../src/grade/ground.ts";
import { openEventsDouble } from "../fixtures/servers/events-double.ts";
import { gradeWith } from "./grade-with.ts";

const ID = "io.modelcontextprotocol/events";
const inMap = { extensions: { [ID]: { listChanged: true } } };
const onTop = { events: { listChanged: false } };

describe("what a server declares", () => {
	it.each([
		["final", { ...inMap, ...onTop }, true, true],
		["chatgpt", { ...inMap, ...onTop }, false, true],
		["sketch", inMap, true, true],
		["final", onTop, false, true],
		["final", {}, false, false],
		["final", "events", false, false],
	] as const)(
		"by the profile %s, of %j",
		(profile, capabilities, listChanged, isDeclared) => {
			expect(readDeclared({ capabilities }, profile)).toMatchObject({
				listChanged,
				isDeclared,
			});
		},
	);
});

describe("what stands before all other scenarios", () => {
	const FIRST = "events-poll/poll-implemented";
	const gradePoll = async (bends: Parameters<typeof openEventsDouble>[0]) => {
		await using server = await openEventsDouble(bends);
		return await gradeWith(server.url, { scenarios: ["events-poll"] });
	};

	it("is nothing where there is a catalogue", async () => {
		const { verdictOf } = await gradePoll({});
		expect(verdictOf(FIRST)).toBe("FAILURE");
	});

	it("is a catalogue that is refused", async () => {
		const refused = () => ({ error: { code: -32603, message: "no" } });
		const { verdictOf, messageOf } = await gradePoll({
			answers: { "events/list": refused },
		});
		expect(verdictOf(FIRST)).toBe("UNTESTABLE");
		expect(messageOf(FIRST)).toContain("an answer to events/list");
	});
});
