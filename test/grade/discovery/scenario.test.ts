// Each bend of a small server turns its own row of discovery and no other.
import { describe, expect, it } from "vitest";
import {
	type Bends,
	descriptor,
	EXTENSION,
	openEventsDouble,
} from "../../fixtures/servers/events-double.ts";
import { openDemo } from "../../helpers/open-demo.ts";
import { gradeWith } from "../grade-with.ts";

const DISCOVERY = { scenarios: ["events-discovery"] as const };

async function verdictsOf(bends: Bends) {
	await using server = await openEventsDouble(bends);
	const { report, defects } = await gradeWith(server.url, DISCOVERY);
	expect(defects).toEqual([]);
	return new Map(
		report.rows.map(({ id, verdict }) => [
			id.replace("sep-3415-", ""),
			verdict,
		]),
	);
}

const good = await verdictsOf({});

const withDescriptor = (more: Record<string, unknown>): Bends => ({
	pages: [[descriptor("a.b")], [descriptor("c.d", more)]],
});
const errorCode = (code: number): Bends => ({
	answers: { "events/poll": () => ({ error: { code, message: "no" } }) },
});
const listAnswer = (result: Record<string, unknown>): Bends => ({
	answers: { "events/list": () => ({ result }) },
});

const bends: [row: string, verdict: string, bend: Bends][] = [
	["capability-events-object", "FAILURE", { capabilities: { events: {} } }],
	[
		"capability-events-object",
		"FAILURE",
		{ capabilities: { extensions: { [EXTENSION]: true } } },
	],
	["capability-events-object", "FAILURE", { capabilities: {} }],
	[
		"capability-list-changed-flag",
		"FAILURE",
		{ capabilities: { extensions: { [EXTENSION]: { listChanged: "yes" } } } },
	],
	[
		"listen-acknowledges-list-changed",
		"FAILURE",
		{ capabilities: { extensions: { [EXTENSION]: { listChanged: true } } } },
	],
	["descriptor-name", "FAILURE", withDescriptor({ name: "" })],
	["descriptor-description", "WARNING", withDescriptor({ description: "" })],
	["descriptor-delivery-subset", "FAILURE", withDescriptor({ delivery: [] })],
	[
		"descriptor-delivery-subset",
		"FAILURE",
		withDescriptor({ delivery: ["poll", "poll"] }),
	],
	[
		"descriptor-delivery-subset",
		"FAILURE",
		withDescriptor({ delivery: ["email"] }),
	],
	[
		"descriptor-input-schema",
		"FAILURE",
		withDescriptor({ inputSchema: undefined }),
	],
	[
		"descriptor-input-schema",
		"FAILURE",
		withDescriptor({ inputSchema: { $ref: "https://schemas.example/a" } }),
	],
	[
		"descriptor-payload-schema",
		"FAILURE",
		withDescriptor({ payloadSchema: [] }),
	],
	["descriptor-meta", "WARNING", withDescriptor({ _meta: "x" })],
	["error-not-found", "FAILURE", errorCode(-32026)],
	["error-not-found", "FAILURE", errorCode(-32011)],
	["error-server-range", "FAILURE", errorCode(-31999)],
	["result-type-complete", "FAILURE", { resultType: undefined }],
	["result-type-complete", "FAILURE", { resultType: "partial" }],
	[
		"list-pagination",
		"FAILURE",
		{ pages: [[descriptor("a.b")], [descriptor("a.b")]] },
	],
	["wire-schema-valid", "FAILURE", withDescriptor({ title: 7 })],
];

/** What follows from a bend by itself: a row that has nothing to look at any more, or has now. */
const FOLLOWS: Record<string, readonly string[]> = {
	"capability-events-object": [
		"capability-empty-settings",
		"capability-list-changed-gated",
	],
	"capability-list-changed-flag": [
		"capability-empty-settings",
		"capability-list-changed-gated",
	],
	"listen-acknowledges-list-changed": [
		"capability-empty-settings",
		"capability-list-changed-flag",
		"capability-list-changed-gated",
		"list-changed-notification",
	],
	"error-not-found": [],
	"error-server-range": ["error-not-found"],
};

describe("a server that is right", () => {
	it("breaks no rule", () => {
		const wrong = [...good].filter(
			([, verdict]) => verdict === "FAILURE" || verdict === "WARNING",
		);
		expect(wrong).toEqual([]);
		expect(good.get("list-pagination")).toBe("SUCCESS");
	});

	it("is the reference server, too", async () => {
		await using demo = await openDemo();
		const { report } = await gradeWith(demo.url, DISCOVERY);
		expect(report.counts).toMatchObject({ FAILURE: 0, WARNING: 0 });
		expect(report.counts.SUCCESS).toBeGreaterThanOrEqual(15);
	});
});

describe("one thing that is wrong", () => {
	it.each(bends)(
		"turns %s to %s, and no other row",
		async (row, verdict, bend) => {
			const found = await verdictsOf(bend);
			expect(found.get(row)).toBe(verdict);
			const turned = [...found].filter(([id, word]) => word !== good.get(id));
			const allowed = [row, ...(FOLLOWS[row] ?? [])];
			expect(
				turned.map(([id]) => id).filter((id) => !allowed.includes(id)),
			).toEqual([]);
			const accused = turned.filter(
				([, word]) => word === "FAILURE" || word === "WARNING",
			);
			expect(accused.map(([id]) => id)).toEqual([row]);
		},
	);
});

describe("a server without the method that it lists", () => {
	it("is not said to know no names", async () => {
		const found = await verdictsOf(errorCode(-32601));
		expect(found.get("error-not-found")).toBe("UNTESTABLE");
	});

	it("but for a name that it does not know is", async () => {
		const found = await verdictsOf({
			answers: {
				"events/poll": ({ name }) => ({
					error: { code: name === "a.b" ? -32602 : -32601, message: "no" },
				}),
			},
		});
		expect(found.get("error-not-found")).toBe("FAILURE");
	});
});

describe("pages", () => {
	it("may have an empty string as their cursor", async () => {
		const found = await verdictsOf({
			answers: {
				"events/list": ({ cursor }) => ({
					result: {
						resultType: "complete",
						events: [descriptor(cursor === "" ? "c.d" : "a.b")],
						...(cursor === "" ? {} : { nextCursor: "" }),
					},
				}),
			},
		});
		expect(found.get("list-pagination")).toBe("SUCCESS");
	});

	it("that never end are a failure within bounds", async () => {
		const found = await verdictsOf({
			answers: {
				"events/list": ({ cursor }) => ({
					result: {
						resultType: "complete",
						events: [descriptor(`a.${cursor ?? 0}`)],
						nextCursor: String(Number(cursor ?? 0) + 1),
					},
				}),
			},
		});
		expect(found.get("list-pagination")).toBe("FAILURE");
	});

	it("whose cursor is no string are a failure", async () => {
		const found = await verdictsOf(
			listAnswer({
				resultType: "complete",
				events: [descriptor("a.b")],
				nextCursor: 7,
			}),
		);
		expect(found.get("list-pagination")).toBe("FAILURE");
	});
});

describe("a server without events", () => {
	const without: Bends = {
		capabilities: {},
		answers: {
			"events/list": () => ({ error: { code: -32601, message: "no" } }),
			"events/poll": () => ({ error: { code: -32601, message: "no" } }),
		},
	};

	it("is not graded, but for the one rule that it can keep", async () => {
		await using server = await openEventsDouble(without);
		const { report, verdictOf } = await gradeWith(server.url);
		expect(report.offersEvents).toBe(false);
		expect(verdictOf("events-discovery/fallback-method-not-found")).toBe(
			"SUCCESS",
		);
		expect(verdictOf("events-poll/poll-implemented")).toBe("SKIPPED");
	});

	it("breaks that rule with another code", async () => {
		const found = await verdictsOf({ ...without, ...errorOnList(-32603) });
		expect(found.get("fallback-method-not-found")).toBe("FAILURE");
	});
});

const errorOnList = (code: number): Bends => ({
	answers: { "events/list": () => ({ error: { code, message: "no" } }) },
});
