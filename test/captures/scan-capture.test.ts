// A line read without JSON.parse is read as JSON.parse has it. White space before a line is what the scan leaves to it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCapture, writeCaptureLine } from "../../src/captures/index.ts";
import { scanCapture } from "../../src/captures/scan-capture.ts";
import { Fault } from "../../src/faults/index.ts";

const SPACE = Buffer.from(" ");

/** What is read, or how it is refused. */
function outcome(line: Buffer) {
	try {
		return parseCapture(line);
	} catch (error) {
		if (!(error instanceof Fault)) throw error;
		// The beginning that is quoted has the white space.
		return error.code === "not-json" ? error.code : error.why;
	}
}

const expectAlike = (line: Buffer) =>
	expect(outcome(line)).toEqual(outcome(Buffer.concat([SPACE, line])));

const WRITTEN = {
	id: "cap_1",
	time: "2026-11-30T12:57:06.076Z",
	subscription: "a/b",
	method: "POST",
	path: "/hooks/x?key=1",
	headers: [
		["Webhook-Id", "msg_1"],
		["X-Latin", "\xe9☕"],
	],
	body: '{"a":"é \\u0000 ☕"}\n',
	verdict: { kind: "valid", version: "v1", label: "hook" },
	answer: { status: 204 },
};
const written = (change: object = {}) =>
	Buffer.from(JSON.stringify({ ...WRITTEN, ...change }));

const text = fc.string({ unit: "binary", maxLength: 40 });
const odd = fc.oneof(
	text,
	fc.jsonValue({ maxDepth: 2 }),
	fc.constantFrom("\ud800", "", 204, null, undefined),
);
const pairs = fc.array(fc.array(odd, { minLength: 1, maxLength: 3 }), {
	maxLength: 3,
});

describe("a line of captures", () => {
	it("is scanned where it was written by us, whatever its body", () => {
		const bodies = fc.oneof(text, fc.constantFrom('"', "\\", "\b\f\n\r\t/"));
		const property = fc.property(bodies, text, (body, value) => {
			const line = writeCaptureLine("cap_1", {
				receivedAtMs: 1_000,
				method: "POST",
				path: "/x",
				headers: [["X-Text", value]],
				body: Buffer.from(body),
				verdict: { kind: "valid" },
				answer: { status: null },
			});
			expectAlike(line.subarray(0, -1));
		});
		fc.assert(property, { seed: 1, numRuns: 1_000 });
		expect(scanCapture(written({ body: '\b\f\n\r\t/"\\' }))).toBeDefined();
	});

	it("is read alike whatever its members hold, in any order", () => {
		const change = fc.dictionary(
			fc.constantFrom(...Object.keys(WRITTEN), "bodyBase64", "__proto__", "x"),
			odd,
		);
		const property = fc.property(change, fc.boolean(), (change, isLast) => {
			const members = isLast
				? { ...WRITTEN, ...change }
				: { ...change, ...WRITTEN };
			expectAlike(Buffer.from(JSON.stringify(members)));
		});
		fc.assert(property, { seed: 2, numRuns: 1_500 });
	});

	it("is read alike whatever its headers are", () => {
		const property = fc.property(pairs, (headers) => {
			expectAlike(written({ headers }));
		});
		fc.assert(property, { seed: 3, numRuns: 1_000 });
	});

	it("is read alike where one byte of it was changed, taken out or put in", () => {
		const line = written();
		const change = fc.tuple(
			fc.nat(line.length),
			fc.integer({ min: 0, max: 255 }),
			fc.constantFrom(0, 1),
			fc.constantFrom(0, 1),
		);
		const property = fc.property(change, ([at, byte, out, put]) => {
			const changed = Buffer.concat([
				line.subarray(0, at),
				Buffer.alloc(put, byte),
				line.subarray(at + out),
			]);
			expectAlike(changed);
		});
		fc.assert(property, { seed: 4, numRuns: 2_500 });
	});

	it.each([
		["a key twice", '"body":"first",', '"body":7,'],
		["a body twice, once as base64", "", '"bodyBase64":"aGk=",'],
		["a key with an escape", "", '"b\\u006fdy":"other",'],
	])("is read alike with %s", (_, before, more) => {
		const line = written().toString().slice(1, -1);
		for (const inside of [`${before}${line},${more.slice(0, -1)}`, more + line])
			expectAlike(Buffer.from(`{${inside}}`));
	});

	it("is read alike when it ends in white space, or is cut anywhere", () => {
		const line = written();
		for (const end of ["\r", " \t", ",", "}"])
			expectAlike(Buffer.concat([line, Buffer.from(end)]));
		for (let end = 0; end < line.length; end++)
			expectAlike(line.subarray(0, end));
	});

	it("keeps its own values after a line that had others", () => {
		parseCapture(written({ method: "PUT", verdict: { kind: "busy" } }));
		const { subscription: _, answer: __, ...bare } = WRITTEN;
		expect(parseCapture(Buffer.from(JSON.stringify(bare)))).toMatchObject({
			method: "POST",
			verdict: WRITTEN.verdict,
			answer: { status: null },
		});
		expectAlike(Buffer.from(JSON.stringify(bare)));
	});

	it("does not take a number for the beginning of the next one", () => {
		for (const path of [20, 204, 2, "20"]) expectAlike(written({ path }));
	});

	it("gives nobody a verdict that another one may have changed", () => {
		const first = parseCapture(written());
		first.verdict.kind = "busy";
		expect(parseCapture(written()).verdict.kind).toBe("valid");
	});
});
