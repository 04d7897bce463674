import { describe, expect, it } from "vitest";
import { citedMessages, openScribe } from "../../../src/grade/wire/record.ts";

const scribe = openScribe({
	now: () => 7,
	secrets: ["Bearer tok-12345678"],
	secretHeaders: ["x-key"],
});
const note = (bytes: string | Buffer, headers?: Record<string, string>) =>
	scribe.note(
		{ direction: "sent", via: "http", ...(headers && { headers }) },
		bytes,
	);

describe("a message kept as evidence", () => {
	it("says when it was, and has its text", () => {
		expect(note('{"a":1}')).toMatchObject({
			at: 7,
			text: '{"a":1}',
			cutBytes: 0,
		});
	});

	it("is cut, and says by how much", () => {
		const { text, cutBytes } = note("x".repeat(10_000));
		expect(text).toHaveLength(4_096);
		expect(cutBytes).toBe(10_000 - 4_096);
	});

	it("hides a credential in the text, whole or by its words", () => {
		expect(note("Bearer tok-12345678 and tok-12345678").text).toBe(
			"*** and ***",
		);
	});

	it("hides a credential that lies across the cut", () => {
		const { text } = note(`${"x".repeat(4_090)}tok-12345678`);
		expect(text).not.toContain("tok-");
	});

	it("hides the secret of a webhook, and tells its length", () => {
		const secret = `whsec_${"A".repeat(32)}`;
		expect(note(`{"secret":"${secret}"}`).text).toBe(
			'{"secret":"whsec_*** (38 characters)"}',
		);
	});

	it.each(["authorization", "cookie", "set-cookie", "mcp-session-id", "x-key"])(
		"hides the header %s",
		(name) => {
			expect(note("", { [name]: "short" }).headers).toEqual({ [name]: "***" });
		},
	);

	it("shows where a redirect leads without its query", () => {
		expect(
			note("", { location: "https://a.example/b?token=abc" }).headers?.location,
		).toBe("https://a.example/b?token=***");
	});
});

describe("the evidence of a verdict", () => {
	const messages = Array.from({ length: 30 }, (_, at) => ({
		...note(String(at)),
		at,
	}));

	it("has each message once, in order", () => {
		const [first, second] = messages;
		if (!first || !second) throw new Error("there are thirty");
		expect(citedMessages([second, { record: [first, second] }], 10)).toEqual([
			first,
			second,
		]);
	});

	it("keeps the beginning and the end of many", () => {
		const kept = citedMessages([{ record: messages }], 4);
		expect(kept.map(({ at }) => at)).toEqual([0, 1, 28, 29]);
	});
});
