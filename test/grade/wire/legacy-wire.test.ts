import { describe, expect, it } from "vitest";
import { onResult } from "../../../src/reference/flaws/hooks.ts";
import {
	type HttpOptions,
	openDemoSource,
	openReferenceServer,
} from "../../../src/reference/index.ts";
import { realClock } from "../../reference/manual-clock.ts";
import { gradeWith, httpTarget } from "../grade-with.ts";
import { openTestWire } from "./open-test-wire.ts";

const openLegacy = (more: Partial<HttpOptions> = {}) =>
	openReferenceServer({
		sources: [
			openDemoSource({ clock: realClock, seed: "test", epoch: "test" }),
		],
		clock: realClock,
		version: "0.0.0",
		era: "legacy",
		...more,
	});

const as = (token: string): [string, string] => [
	"authorization",
	`Bearer ${token}`,
];

describe("a server of the initialize era", () => {
	it("is spoken to by its session, and the session is ended", async () => {
		await using server = await openLegacy();
		const { wire } = await openTestWire(httpTarget(server.url));
		expect(wire.era).toBe("legacy");
		const answer = await wire.ask("events/list", {});
		expect(answer.outcome.kind).toBe("result");
		expect(answer.record[0]?.headers?.["mcp-session-id"]).toBe("***");
		await wire.close();
		const after = await wire.ask("events/list", {});
		expect(after.status).toBe(404);
		expect(await wire.renew()).toBe(true);
	});

	it("is spoken to by each principal in a session of its own", async () => {
		const tokens = [
			{ principal: "alice", token: "abc" },
			{ principal: "bob", token: "def" },
		];
		await using server = await openLegacy({ tokens });
		const { wire } = await openTestWire(httpTarget(server.url, [as("abc")]), {
			second: [as("def")],
		});
		const answers = [
			await wire.ask("events/list", {}),
			await wire.ask("events/list", {}, { caller: "second" }),
			await wire.ask("events/list", {}),
		];
		const kinds = answers.map(({ outcome }) => outcome.kind);
		expect(kinds).toEqual(["result", "result", "result"]);
	});

	it("is graded without the rules of the newer era", async () => {
		await using server = await openLegacy();
		const { report, verdictOf } = await gradeWith(server.url, {
			scenarios: ["events-discovery"],
		});
		expect(report.server.era).toBe("legacy");
		expect(report.counts.FAILURE).toBe(0);
		expect(verdictOf("events-discovery/result-type-complete")).toBe("SKIPPED");
	});

	it("need not say of what type a result is", async () => {
		const untyped = {
			name: "by-hand",
			scenario: "events-discovery",
			rule: "none",
			about: "is bent by a test",
			make: () =>
				onResult("events/list", (result) => {
					delete result.resultType;
				}),
		};
		await using server = await openLegacy({
			flaws: [{ flaw: untyped, value: 0 }],
		});
		const { verdictOf } = await gradeWith(server.url, {
			scenarios: ["events-discovery"],
		});
		expect(verdictOf("events-discovery/wire-schema-valid")).toBe("SUCCESS");
	});
});
