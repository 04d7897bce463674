import { describe, expect, it } from "vitest";
import { parseReplyScript } from "../../src/receiver/index.ts";

describe("a script of replies", () => {
	it.each([
		["503x2,200", ["503", "503", "200"]],
		["slow:8s", ["slow:8s"]],
		["slowx2:250ms, drop", ["slow:250ms", "slow:250ms", "drop"]],
		["410", ["410"]],
		["302:https://a.example/x2", ["302:https://a.example/x2"]],
		["wrong-challenge", ["wrong-challenge"]],
	])("%s is read step by step", (text, steps) => {
		expect(parseReplyScript(text).map((step) => step.text)).toEqual(steps);
	});

	it("knows what each step does", () => {
		expect(parseReplyScript("307:http://a/,slow:1.5s,204")).toMatchObject([
			{ kind: "status", status: 307, location: "http://a/" },
			{ kind: "slow", ms: 1500 },
			{ kind: "status", status: 204 },
		]);
	});

	it.each([
		["", '""'],
		["503x0", '"503x0"'],
		["503,,200", '""'],
		["700", '"700"'],
		["100", '"100"'],
		["302", '"302"'],
		["302:not a url", '"302:not a url"'],
		["302:http://a/\r\nx: y", ""],
		["200:x", '"200:x"'],
		["slow", '"slow"'],
		["slow:8", '"slow:8"'],
		["slow:2m", '"slow:2m"'],
		["drop:1", '"drop:1"'],
		["explode", '"explode"'],
	])(
		"%j is wrong use that names the step and what is allowed",
		(text, named) => {
			expect(() => parseReplyScript(text)).toThrow(
				expect.objectContaining({
					code: "wrong-use",
					what: expect.stringContaining(named),
					why: expect.stringContaining("slow:8s"),
				}),
			);
		},
	);

	it("has a bounded number of steps", () => {
		expect(() => parseReplyScript("503x999,503x2")).toThrow(/1001 steps/);
	});
});
