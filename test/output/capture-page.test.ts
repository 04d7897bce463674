import { describe, expect, it } from "vitest";
import type { Capture } from "../../src/captures/index.ts";
import { PLAIN } from "../../src/output/colors.ts";
import { renderCapture, renderCaptureTable } from "../../src/output/index.ts";
import { dangers, HOSTILE_TEXTS } from "../fixtures/hostile-text.ts";

const page = { width: 100, palette: PLAIN };
const capture: Capture = {
	id: "cap_x_00000000_1",
	receivedAtMs: Date.parse("2026-01-01T00:00:00Z"),
	method: "POST",
	path: "/hooks/a",
	headers: [["webhook-id", "msg_1"]],
	body: Buffer.from('{"n":1.50}'),
	verdict: { kind: "valid" },
	answer: { status: 204 },
	subscription: "a.made",
};

describe("the page of a capture", () => {
	it("shows when, for whom, verdict, answer, headers and body", () => {
		const shown = { capture, told: "signed with s", isJson: true };
		expect(renderCapture(shown, page)).toBe(
			[
				"cap_x_00000000_1",
				"received 2026-01-01T00:00:00.000Z",
				"for      a.made",
				"request  POST /hooks/a",
				"verdict  valid, signed with s",
				"answer   204",
				"",
				"webhook-id: msg_1",
				"",
				"{",
				'  "n": 1.50',
				"}",
				"",
			].join("\n"),
		);
	});

	it.each([
		["bytes that are no text", Buffer.from([0xff, 0x1b]), "in base64)\n/xs="],
		["no body", Buffer.alloc(0), "(no body)"],
		["text", Buffer.from("a\nb"), "\na\nb\n"],
	])("shows %s", (_what, body, part) => {
		const shown = { capture: { ...capture, body }, told: "", isJson: false };
		expect(renderCapture(shown, page)).toContain(part);
	});
});

it("the table keeps ids whole in 80 columns", () => {
	const row = {
		id: "cap_mx3fqgu0_6affcf02_123",
		receivedAtMs: Date.parse("2026-01-02T03:04:05Z"),
		subscription: "deliveries of a long name",
		event: "orders.created",
		verdict: "missing-header",
		status: 400,
	};
	const table = renderCaptureTable([row], { ...page, width: 80 });
	expect(table).toContain(`\n${row.id}  01-02 03:04:05  `);
});

it.each(HOSTILE_TEXTS.map(({ name, text }) => [name, text]))(
	"%s of a sender is made visible everywhere",
	(_name, text) => {
		const hostile: Capture = {
			...capture,
			id: text,
			path: text,
			headers: [[text, text]],
			body: Buffer.from(JSON.stringify({ [text]: text })),
			verdict: { kind: text },
			subscription: text,
		};
		const row = {
			id: text,
			receivedAtMs: 0,
			subscription: text,
			event: text,
			verdict: text,
			status: null,
		};
		for (const isJson of [true, false])
			expect(
				dangers(renderCapture({ capture: hostile, told: text, isJson }, page)),
			).toEqual([]);
		expect(dangers(renderCaptureTable([row], page))).toEqual([]);
	},
);
