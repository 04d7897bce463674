// What is said of a server, where the verdict alone does not show what was seen; and what is left untried.
import { describe, expect, it } from "vitest";
import { onResult } from "../../../src/reference/flaws/hooks.ts";
import {
	type Bends,
	descriptor,
} from "../../fixtures/servers/events-double.ts";
import { answerJson } from "../../fixtures/servers/listen.ts";
import { bentRow, hookedRow } from "./one-row.ts";

describe("where nothing can be polled, an unknown name", () => {
	const offering = (mode: string, message: object): Bends => ({
		pages: [[descriptor("a.b", { delivery: [mode] })]],
		answers: { "events/stream": () => ({ ...message }) },
	});
	const refused = { error: { code: -32023, message: "no such event" } };

	it.each<[string, Bends, string]>([
		["is streamed", offering("push", refused), "SUCCESS: error -32023"],
		[
			"is told of where it is served",
			offering("push", { result: { resultType: "complete" } }),
			"FAILURE: an unknown name is answered with a stream without an error",
		],
		[
			"is not asked for where that would leave something behind",
			offering("webhook", refused),
			"an event type that offers poll or push",
		],
	])("%s", async (_how, bends, told) => {
		expect(await bentRow(bends, "error-not-found")).toContain(told);
	});
});

describe("an unknown name", () => {
	it("is asked for where the catalogue is empty, too", async () => {
		const told = await bentRow({ pages: [[]] }, "error-not-found");
		expect(told).toContain("SUCCESS");
	});

	it.each<[string, Bends, string]>([
		[
			"with a result",
			{ answers: { "events/poll": () => ({ result: {} }) } },
			"FAILURE: an unknown name is answered with a result",
		],
		[
			"with a web page",
			{
				intercept: (request, response) => {
					if (request.headers["mcp-method"] !== "events/poll") return false;
					answerJson(response, 200, "<html>");
					return true;
				},
			},
			"FAILURE: an unknown name is answered with (?!a result)",
		],
	])("that is answered %s is told so", async (_how, bends, told) => {
		expect(await bentRow(bends, "error-not-found")).toMatch(
			new RegExp(`^${told}`),
		);
	});
});

describe("a catalogue that is refused", () => {
	const refusing = (capabilities: Bends["capabilities"]): Bends => ({
		capabilities,
		answers: {
			"events/list": () => ({ error: { code: -32603, message: "no" } }),
		},
	});
	const LISTED = { extensions: { "io.modelcontextprotocol/events": {} } };

	it("is no contradiction where the method is known", async () => {
		expect(await bentRow(refusing(LISTED), "list-implemented")).toMatch(
			/^FAILURE: events\/list is answered with error -32603 [^;]*$/,
		);
	});

	it("is one where it is declared and unknown", async () => {
		const unknown: Bends = {
			capabilities: {
				extensions: { "io.modelcontextprotocol/events": { listChanged: true } },
			},
			answers: {
				"events/list": () => ({ error: { code: -32601, message: "no" } }),
			},
		};
		expect(await bentRow(unknown, "list-implemented")).toMatch(
			/^FAILURE: .*; yet the extension is declared$/,
		);
	});
});

describe("the results of a catalogue", () => {
	it("are those of events/list alone: two pages, and one without the declaration", async () => {
		expect(await bentRow({}, "result-type-complete")).toBe(
			"SUCCESS: complete on all 3 results",
		);
	});
});

describe("a control that does not what it acknowledges", () => {
	it("leaves a new name untried", async () => {
		const hidden = onResult("events/list", (result) => {
			result.events = result.events.filter(
				({ name }: { name: string }) => !/\.v\d/.test(name),
			);
		});
		expect(await hookedRow(hidden, "breaking-change-new-name")).toMatch(
			/^UNTESTABLE: .* the new name is not listed$/,
		);
	});
});

describe("a descriptor", () => {
	it.each([
		["of a dialect that nobody reads is odd", "draft-04", "WARNING"],
		["of a known one is wrong", "2020-12", "FAILURE"],
	])("whose schema cannot be used and is %s", async (_how, dialect, word) => {
		const inputSchema = {
			$schema: `https://json-schema.example/${dialect}`,
			$ref: "https://schemas.example/a",
		};
		const pages = [[descriptor("a.b", { inputSchema })]];
		expect(await bentRow({ pages }, "descriptor-input-schema")).toMatch(
			new RegExp(`^${word}: "a.b": inputSchema cannot be used`),
		);
	});

	it.each([
		["by its name", descriptor("b.c", { description: "" }), '"b.c": '],
		[
			"without one by its place",
			descriptor("", { description: "" }),
			"the descriptor at 1: ",
		],
	])("that is wrong is told %s", async (_how, wrong, told) => {
		const pages = [[descriptor("a.b"), wrong]];
		expect(await bentRow({ pages }, "descriptor-description")).toContain(
			`: ${told}`,
		);
	});
});
