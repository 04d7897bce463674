import { describe, expect, it } from "vitest";
import {
	readEventWords,
	readServerWords,
	splitAtDashes,
} from "../../../src/program/flags/words.ts";

const arg = (input: string) => ({ type: "arg" as const, arg: "x", input });
const flag = (name: string, input: string) => ({
	type: "flag" as const,
	flag: name,
	input,
});

describe("the command after --", () => {
	it("is everything after the first --, flags and further dashes included", () => {
		expect(
			splitAtDashes([
				"a",
				"--count",
				"1",
				"--",
				"node",
				"s.js",
				"--count",
				"--",
				"2",
			]),
		).toEqual({
			own: ["a", "--count", "1"],
			child: ["node", "s.js", "--count", "--", "2"],
		});
	});

	it("is not there without --", () => {
		expect(splitAtDashes(["a"])).toEqual({ own: ["a"], child: undefined });
	});

	it("leaves every positional to the events", () => {
		expect(readServerWords(["clock.tick"], ["node", "s.js"])).toEqual({
			server: { kind: "stdio", command: "node", args: ["s.js"] },
			rest: ["clock.tick"],
		});
	});

	it("must not be empty: status 2", () => {
		expect(() => readServerWords(["x"], [])).toThrow(
			expect.objectContaining({ exitStatus: 2 }),
		);
	});
});

describe("arguments", () => {
	it("belong to the event before them", () => {
		const raw = [
			flag("output", "events"),
			arg("http://x/mcp"),
			arg("a"),
			flag("arg", "k=1"),
			arg("b"),
			flag("arg", "k=2"),
			flag("args", "{}"),
		];
		expect(readEventWords(raw, true)).toEqual([
			{ name: "a", pairs: ["k=1"], json: [] },
			{ name: "b", pairs: ["k=2"], json: ["{}"] },
		]);
	});

	it("before any event are refused: status 2", () => {
		expect(() =>
			readEventWords([arg("http://x"), flag("arg", "k=1"), arg("a")], true),
		).toThrow(
			expect.objectContaining({
				exitStatus: 2,
				what: "-a k=1 stands before any event",
			}),
		);
	});

	it("need an event: status 2", () => {
		expect(() => readEventWords([arg("http://x")], true)).toThrow(
			expect.objectContaining({ exitStatus: 2, what: "no event is named" }),
		);
	});
});
