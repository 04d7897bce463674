import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
	type Delivery,
	parseCapture,
	writeCaptureLine,
} from "../../src/captures/index.ts";

const delivery: Delivery = {
	receivedAtMs: 1_700_000_000_123,
	method: "POST",
	path: "/hooks/x?key=1",
	headers: [
		["Webhook-Id", "msg_1"],
		["X-Twice", "b"],
		["x-twice", "a"],
		["X-Latin", "\xe9"],
	],
	body: Buffer.from('{"a":"é\\u0000"}\n'),
	verdict: { kind: "valid" },
	answer: { status: 204 },
	subscription: "a/b",
};

const reread = (delivery: Delivery) =>
	parseCapture(writeCaptureLine("cap_1", delivery).subarray(0, -1));

describe("a capture", () => {
	it("is one line that gives back time, headers in order, verdict and answer", () => {
		const line = writeCaptureLine("cap_1", delivery);
		expect(line.indexOf(0x0a)).toBe(line.length - 1);
		expect(reread(delivery)).toEqual({ id: "cap_1", ...delivery });
	});

	it("shows a body of UTF-8 as text and any other in base64", () => {
		const shown = (body: Buffer) =>
			JSON.parse(writeCaptureLine("c", { ...delivery, body }).toString());
		expect(shown(Buffer.from("é\ufeff\u2028"))).toMatchObject({
			body: "é\ufeff\u2028",
		});
		expect(shown(Buffer.from([0xff, 0x00]))).toMatchObject({
			bodyBase64: "/wA=",
		});
	});

	it("keeps every byte of any body", () => {
		const bytes = fc.oneof(
			fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
			fc
				.string({ unit: "binary", maxLength: 200 })
				.map((text) => Buffer.from(text)),
			fc
				.constantFrom("efbbbf7b7d", "eda080", "c080", "f4908080", "00", "")
				.map((hex) => Buffer.from(hex, "hex")),
		);
		fc.assert(
			fc.property(bytes, (body) => {
				expect(reread({ ...delivery, body }).body.equals(body)).toBe(true);
			}),
			{ seed: 1, numRuns: 2000 },
		);
	});

	it("is written byte for byte as JSON.stringify writes it", () => {
		const text = fc.string({ unit: "binary", maxLength: 40 });
		const headers = fc.array(fc.tuple(text, text), { maxLength: 5 });
		const ms = fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_003 });
		const texts = { path: text, label: text, body: text };
		const written = fc.record({ ms, ...texts, headers });
		fc.assert(
			fc.property(written, ({ ms, path, label, body, headers }) => {
				const bytes = Buffer.from(body);
				const { method } = delivery;
				const line = writeCaptureLine("cap_é", {
					...{ receivedAtMs: ms, method, path, headers, body: bytes },
					...{ verdict: { kind: label }, answer: { status: 204 } },
					subscription: label,
				});
				const value = {
					...{ id: "cap_é", time: new Date(ms).toISOString() },
					...{ subscription: label, method, path, headers },
					...{ body: bytes.toString(), verdict: { kind: label } },
					answer: { status: 204 },
				};
				expect(line.toString()).toBe(`${JSON.stringify(value)}\n`);
			}),
			{ seed: 1, numRuns: 2000 },
		);
	});

	it("does not know the answer where it was not decided yet", () => {
		expect(reread({ ...delivery, answer: { status: null } }).answer).toEqual({
			status: null,
		});
	});

	it.each([
		["[]", /no object/],
		["{}", /no id/],
		['{"id":"c","time":"soon"}', /no date/],
		['{"id":"c","time":"2026-01-01T00:00:00Z"}', /method or path/],
		[
			'{"id":"c","time":"2026-01-01T00:00:00Z","method":"POST","path":"/","verdict":{"kind":"valid"},"headers":[["a"]]}',
			/no pair/,
		],
		[
			'{"id":"c","time":"2026-01-01T00:00:00Z","method":"POST","path":"/","verdict":{"kind":"valid"},"headers":[]}',
			/no body/,
		],
	])("is not read from %s", (text, why) => {
		expect(() => parseCapture(Buffer.from(text))).toThrow(
			expect.objectContaining({
				code: "wrong-shape",
				why: expect.stringMatching(why),
			}),
		);
	});
});
