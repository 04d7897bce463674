import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CATALOGUE, findRows, rowKey } from "../../../src/grade/index.ts";

const listed = readFileSync(
	join(import.meta.dirname, "../../fixtures/catalogue/checks.txt"),
	"utf8",
)
	.trim()
	.split("\n");

const keys = CATALOGUE.map(rowKey);

/** The rules that the list has no row for; some stand in several scenarios. */
const OWN = [
	"events-discovery/listen-acknowledges-list-changed",
	"events-modes/modes-none-extra",
	"events-modes/modes-none-late",
	"events-modes/modes-none-missing",
	"events-modes/modes-same-occurrence",
	"events-poll/cursor-unservable-is-gap",
	"events-poll/event-id-stable",
	"events-poll/events-in-order",
	"events-poll/poll-revoked-error",
	"events-poll/resume-exactly-once",
	"events-push/error-notification-shape",
	"events-push/event-id-stable",
	"events-push/events-in-order",
	"events-push/heartbeat-cursor-resumes",
	"events-push/resume-exactly-once",
	"events-push/stdio-streams",
	"events-push/stream-max-age-ms",
	"events-webhook-delivery/delivery-cursor-after-exhaustion",
	"events-webhook-delivery/delivery-cursor-safe-watermark",
	"events-webhook-delivery/delivery-status-throttled",
	"events-webhook-delivery/delivery-webhook-id",
	"events-webhook-delivery/event-id-stable",
	"events-webhook-delivery/refresh-cursor-resumes",
	"events-webhook-delivery/resume-exactly-once",
	"events-webhook-delivery/ssrf-connects-checked-address",
	"events-webhook-delivery/verification-nonce-single-use",
	"events-webhook-delivery/well-known-document-honoured",
	"events-webhook/mcp-name-mismatch-rejected",
	"events-webhook/mcp-name-missing-rejected",
	"events-webhook/result-type-complete",
	"events-webhook/subscribe-after-termination",
	"events-webhook/subscribe-lapsed-uses-cursor",
	"events-webhook/subscribe-max-age-ms",
	"events-webhook/ttl-refresh-regrants",
	"events-webhook/unsubscribe-result-empty",
	"events-webhook/webhook-needs-principals",
];

describe("the catalogue", () => {
	it("has every listed row, and its own beside them", () => {
		expect([...keys].sort()).toEqual([...listed, ...OWN].sort());
	});

	it("names no row twice", () => {
		expect(new Set(keys).size).toBe(keys.length);
	});

	it("says of each row what the rule is, how it is tried and where it stands", () => {
		for (const row of CATALOGUE) {
			expect(row.requirement, rowKey(row)).toMatch(/^[A-Za-z_].{20,}\.$/s);
			expect(row.how, rowKey(row)).toMatch(/^[A-Za-z].{15,}\.$/s);
			expect(row.section, rowKey(row)).not.toBe("");
			expect(row.profiles.length, rowKey(row)).toBeGreaterThan(0);
		}
	});

	it("calls only a fact weak", () => {
		const weak = CATALOGUE.filter(({ isWeak }) => isWeak);
		expect(weak.map(({ level }) => level)).toEqual(weak.map(() => "wire"));
	});
});

describe("a row is found", () => {
	it.each([
		["poll-has-more", ["events-poll/poll-has-more"]],
		["sep-3415-poll-has-more", ["events-poll/poll-has-more"]],
		["events-poll/poll-has-more", ["events-poll/poll-has-more"]],
		[
			"truncated-false-when-no-replay",
			[
				"events-poll/truncated-false-when-no-replay",
				"events-push/truncated-false-when-no-replay",
			],
		],
		[
			"events-push/sep-3415-truncated-false-when-no-replay",
			["events-push/truncated-false-when-no-replay"],
		],
	])("by %s", (word, found) => {
		expect(findRows(word, "--only").map(rowKey)).toEqual(found);
	});

	it("or the nearest is named", () => {
		expect(() => findRows("poll-has-mor", "--only")).toThrow(
			expect.objectContaining({
				code: "wrong-use",
				why: expect.stringContaining("poll-has-more"),
			}),
		);
	});
});
