import { describe, expect, it } from "vitest";
import { parseTemplate } from "../../src/handlers/index.ts";

const event = (data: unknown, eventId = "evt_1") =>
	Buffer.from(JSON.stringify({ eventId, name: "made", timestamp: "", data }));

const fill = (word: string, data: unknown, eventId?: string) =>
	parseTemplate(["run", word]).fill(event(data, eventId));

describe("a text that a stranger wrote", () => {
	it.each([
		["a plain one", "hello", '[untrusted: "hello"]'],
		["one with quotes", 'a" --x "b', '[untrusted: "a\\" --x \\"b"]'],
		["one of a shell", "$(rm -rf /); `id`", '[untrusted: "$(rm -rf /); `id`"]'],
		["one that looks like an option", "--help", '[untrusted: "--help"]'],
		["line ends and tabs", "a\r\nb\tc\u2028d", '[untrusted: "a b c d"]'],
		["escapes", "\u001b[31mred\u0007\u0000", '[untrusted: "[31mred"]'],
		["bidi marks", "abc\u202edef\u2066\u200f", '[untrusted: "abcdef"]'],
		["hidden characters", "a\u200b\u{e0041}\ufeffb", '[untrusted: "ab"]'],
		["a number", 1.5, '[untrusted: "1.5"]'],
		["null", null, '[untrusted: ""]'],
	])("%s becomes one word, marked as untrusted", (_what, title, expected) => {
		expect(fill("{{event.data.title|untrusted}}", { title })).toEqual([
			expected,
		]);
	});

	it("is shortened, and says so", () => {
		const [word = ""] = fill("{{event.data|untrusted}}", "x".repeat(1e6));
		expect(word).toBe(`[untrusted: "${"x".repeat(200)}..."]`);
	});
});

describe("an id", () => {
	it.each([
		["letters, digits and marks stay", "a-B_9.c", "a-B_9.c"],
		["an empty one has a stand-in", "", "_"],
	])("%s", (_what, id, expected) => {
		expect(fill("{{event.data.id|id}}", { id })).toEqual([expected]);
	});

	it.each([
		"--help",
		"../../etc/passwd",
		".hidden",
		"a b",
		"$(id)",
		"é",
		"x".repeat(10_000),
	])("%s is reduced to characters that mean nothing", (id) => {
		const [word = ""] = fill("{{event.data.id|id}}", { id });
		expect(word).toMatch(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/);
		expect(word).not.toBe(id);
	});

	it("stays another than one that is reduced to the same", () => {
		const [one] = fill("{{event.data.id|id}}", { id: "a/b" });
		const [other] = fill("{{event.data.id|id}}", { id: "a:b" });
		expect(one).not.toBe(other);
	});

	it("keeps the digits of a number as they were written", () => {
		const line = Buffer.from('{"data":{"id":12345678901234567890}}');
		const { fill: fillLine } = parseTemplate(["run", "{{event.data.id|id}}"]);
		expect(fillLine(line)).toEqual(["12345678901234567890"]);
	});
});

it("fills fields into larger words, each of which stays one word", () => {
	const words = [
		"run",
		"--id={{event.eventId|id}}",
		"{{ event.data.0.a | id }}/x",
	];
	const line = event([{ a: "one" }], "e 1");
	expect(parseTemplate(words).fill(line)).toEqual([
		expect.stringMatching(/^--id=e1-[0-9a-f]{8}$/),
		"one/x",
	]);
});

it("looks for a field among an object's own members alone", () => {
	expect(fill("{{event.data.constructor|untrusted}}", {})).toEqual([
		'[untrusted: ""]',
	]);
});

it.each([
	["a bare field", ["run", "{{event.data.title}}"], "is bare"],
	["an unknown filter", ["run", "{{event.data.title|raw}}"], "no such filter"],
	["two filters", ["run", "{{event.eventId|id|id}}"], "no such filter"],
	["an unknown member", ["run", "{{event.title|id}}"], 'no "title"'],
	[
		"something else than the event",
		["run", "{{env.HOME|id}}"],
		"names no field",
	],
	["one that is not closed", ["run", "{{event.eventId|id"], "is not closed"],
	["the command itself", ["{{event.eventId|id}}"], "choose the command"],
	["a program of a shell", ["sh", "-c", "x {{event.eventId|id}}"], "be code"],
	["one behind env", ["env", "bash", "-lc", "{{event.eventId|id}}"], "be code"],
	["one of node", ["node", "--eval", "{{event.eventId|id}}"], "be code"],
	[
		"one that goes to a shell far away",
		["ssh", "h", "{{event.eventId|id}}"],
		"be code",
	],
])("refuses %s, with the reason", (_what, words, why) => {
	expect(() => parseTemplate(words)).toThrow(
		expect.objectContaining({
			code: "wrong-use",
			why: expect.stringContaining(why),
		}),
	);
});
