import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Schema, Validator } from "@cfworker/json-schema";
import { describe, expect, it } from "vitest";
import type { GradedRow } from "../../../src/grade/index.ts";
import published from "../../../src/grade/schemas/report.schema.json" with {
	type: "json",
};
import { FORM_CHOICES } from "../../../src/program/check/choices.ts";
import { explainRule } from "../../../src/program/check/explain.ts";
import {
	type Bends,
	descriptor,
	openEventsDouble,
} from "../../fixtures/servers/events-double.ts";
import { occurrence, openTwoModes } from "../../grade/modes/modes-server.ts";
import { checkInProcess, newFolder, openPlace } from "./check-in-process.ts";

/** JSON that is imported has wider types than a schema is declared with. */
const schema = published as Schema;

const BROKEN: Bends = { pages: [[descriptor("a.b", { delivery: [] })]] };

function fileWith(text: string): string {
	const path = join(newFolder(), "expected.yaml");
	writeFileSync(path, text);
	return path;
}

describe("the exit status", () => {
	it("is 0 where nothing failed, whatever could not be tried", async () => {
		await using server = await openEventsDouble();
		const { status, stdout } = await checkInProcess(server.url);
		expect(status).toBe(0);
		expect(stdout).toContain("untestable");
	});

	it("is 7 under --strict where something could not be tried", async () => {
		await using server = await openEventsDouble();
		const { status } = await checkInProcess(server.url, { strict: true });
		expect(status).toBe(7);
	});

	it("is 0 under --strict where all that was asked for was tried", async () => {
		await using server = await openEventsDouble();
		const { status } = await checkInProcess(server.url, {
			strict: true,
			only: ["list-implemented", "events-discovery/descriptor-name"],
		});
		expect(status).toBe(0);
	});

	it("is no pass where --scenario leaves out what --only names: nothing is asked", async () => {
		await expect(
			checkInProcess("http://127.0.0.1:1/mcp", {
				only: ["stream-implemented"],
			}),
		).rejects.toMatchObject({
			code: "wrong-use",
			next: "leave out --scenario, or name its own: --scenario events-push",
		});
	});

	it("is 1 where a rule is broken", async () => {
		await using server = await openEventsDouble(BROKEN);
		const { status, stdout } = await checkInProcess(server.url);
		expect(status).toBe(1);
		expect(stdout).toContain("FAIL descriptor-delivery-subset");
	});

	it("is 1 where a rule is broken and some could not be tried", async () => {
		await using server = await openEventsDouble(BROKEN);
		expect((await checkInProcess(server.url, { strict: true })).status).toBe(1);
	});

	it("is that of a server without events, where there are none", async () => {
		const refuse = () => ({ error: { code: -32601, message: "no" } });
		await using server = await openEventsDouble({
			capabilities: {},
			answers: { "events/list": refuse, "events/poll": refuse },
		});
		await expect(checkInProcess(server.url)).rejects.toMatchObject({
			code: "not-events",
			exitStatus: 5,
		});
	});
});

describe("--expected-failures", () => {
	it.each([
		["an id", "- descriptor-delivery-subset\n"],
		["a scenario and an id", "- events-discovery/descriptor-delivery-subset\n"],
		[
			"a mapping with a reason",
			"- id: sep-3415-descriptor-delivery-subset\n  reason: known\n",
		],
	])("takes %s", async (_what, text) => {
		await using server = await openEventsDouble(BROKEN);
		const { status, stdout } = await checkInProcess(server.url, {
			"expected-failures": fileWith(text),
		});
		expect(status).toBe(0);
		expect(stdout).toContain("as expected");
	});

	it("takes a pass for a failure", async () => {
		await using server = await openEventsDouble();
		const { status, stdout } = await checkInProcess(server.url, {
			"expected-failures": fileWith("- list-implemented\n"),
		});
		expect(status).toBe(1);
		expect(stdout).toContain("passes, and was said to fail");
	});

	it.each([
		["an unknown id", "- list-implement\n"],
		["no list", "a: b\n"],
		["no YAML", "- [\n"],
		["an item that is no id", "- 7\n"],
	])("refuses %s before the server is asked", async (_what, text) => {
		const flags = { "expected-failures": fileWith(text) };
		await expect(
			checkInProcess("http://127.0.0.1:1/mcp", flags),
		).rejects.toMatchObject({ code: "wrong-use" });
	});
});

describe("the flags", () => {
	it.each([
		["an unknown rule", { only: ["no-such-rule"] }],
		["one profile to compare", { compare: "final" }],
		["an unknown profile to compare", { compare: "final,last" }],
		["a profile compared with itself", { compare: "final,final" }],
		["arguments that are no JSON", { arguments: ["a.b={"] }],
		["arguments without an event", { arguments: ["{}"] }],
		["a report of no known kind", { report: ["pdf=x"] }],
		["a report without a file", { report: ["json="] }],
		["a certificate without its key", { "tls-cert": "x.pem" }],
		[
			"a tunnel beside an address",
			{ tunnel: "cloudflared", "public-url": "https://a.example" },
		],
		[
			"an address without the port behind it",
			{ "public-url": "https://a.example" },
		],
		["an address that is none", { "public-url": "hooks.example", port: 8787 }],
		[
			"an address with a query",
			{ "public-url": "https://a.example/?b", port: 8787 },
		],
		["arguments of no trigger", { "trigger-args": "{}" }],
		["a header that is none", { "second-principal-header": ["x"] }],
	])("with %s are refused before the server is asked", async (_what, flags) => {
		const error = await checkInProcess("http://127.0.0.1:1/mcp", flags).catch(
			(fault: unknown) => fault,
		);
		expect(error).toMatchObject({ exitStatus: 2 });
	});
});

describe("reports", () => {
	it("are written to files beside what is printed", async () => {
		const folder = newFolder();
		const [json, xml] = [join(folder, "r.json"), join(folder, "r.xml")];
		await using server = await openEventsDouble();
		const { stdout } = await checkInProcess(server.url, {
			output: "json",
			report: [`json=${json}`, `junit=${xml}`],
		});
		expect(readFileSync(json, "utf8")).toBe(stdout);
		expect(readFileSync(xml, "utf8")).toMatch(/^<\?xml/);
	});

	it("that cannot be written are a fault", async () => {
		await using server = await openEventsDouble();
		await expect(
			checkInProcess(server.url, { report: ["json=/no/such/folder/r.json"] }),
		).rejects.toMatchObject({ code: "file-failed" });
	});
});

describe("--compare", () => {
	it("says of each finding which profiles it breaks", async () => {
		await using server = await openEventsDouble({
			capabilities: { events: {} },
			pages: [[descriptor("a.b", { description: "" })]],
		});
		const { status, stdout } = await checkInProcess(server.url, {
			compare: "final,sketch",
			output: "json",
		});
		const report = JSON.parse(stdout);
		const broken = report.rows.flatMap(
			({ id, breaks }: { id: string; breaks?: string[] }) =>
				breaks ? [[id.replace("sep-3415-", ""), breaks]] : [],
		);
		expect(status).toBe(1);
		expect(report.compared).toEqual(["final", "sketch"]);
		expect(broken).toEqual([
			["capability-events-object", ["final"]],
			["descriptor-description", ["final", "sketch"]],
			["error-not-found", ["sketch"]],
		]);
	});
});

describe("--explain", () => {
	it("shows what the last run saw", async () => {
		const state = newFolder();
		await using server = await openEventsDouble(BROKEN);
		await checkInProcess(server.url, { state });
		const { text, ...place } = openPlace();
		const status = await explainRule(
			"descriptor-delivery-subset",
			{ state },
			place,
		);
		const said = text();
		expect(status).toBe(0);
		expect(said).toContain(server.url);
		expect(said).toContain("delivery is []: no mode at all");
		expect(said).toContain("POST /mcp");
	});

	it("needs no run", async () => {
		const { text, ...place } = openPlace();
		await explainRule(
			"mcp-name-missing-rejected",
			{ state: newFolder() },
			place,
		);
		expect(text().match(/it was not part of the last run/g)).toHaveLength(3);
	});
});

const eventsBy = (by: string) =>
	Array.from({ length: 20 }, (_, at) =>
		occurrence(`e${at}`, { data: { by: at === 5 ? by : "both" } }),
	);

/** Each mode says something else of one event out of as many as are enough. */
const openDisagreeing = () =>
	openTwoModes({
		poll: () => ({ events: eventsBy("poll") }),
		stream(say) {
			for (const event of eventsBy("push")) say("event", event);
		},
	});

describe("--modes-agree", () => {
	it("ends with 1 where modes do not agree, and tells it in every form, beside what else was chosen", async () => {
		await using server = await openDisagreeing();
		const folder = newFolder();
		const fileOf = (form: string) => join(folder, form);
		const { status, stdout } = await checkInProcess(server.url, {
			only: ["list-implemented"],
			"modes-agree": true,
			report: FORM_CHOICES.map((form) => `${form}=${fileOf(form)}`),
		});
		expect(status).toBe(1);
		expect(stdout).toContain("5 rules: 3 passed, 1 failed, 1 skipped");
		for (const form of FORM_CHOICES)
			expect(readFileSync(fileOf(form), "utf8"), form).toMatch(
				/modes-same-occurrence[\s\S]*1 are not the same/,
			);
		const report = JSON.parse(readFileSync(fileOf("json"), "utf8"));
		expect(new Validator(schema, "2020-12").validate(report).errors).toEqual(
			[],
		);
		const row = report.rows.find(
			(each: GradedRow) => each.verdict === "FAILURE",
		);
		expect(row.disagreements).toEqual([
			{
				eventId: "e5",
				modes: expect.arrayContaining(["poll", "push"]),
				member: "data",
			},
		]);
	});

	it("ends with 7 under --strict where one mode alone can be followed", async () => {
		await using server = await openEventsDouble();
		const { status, stdout } = await checkInProcess(server.url, {
			scenario: ["events-modes"],
			strict: true,
			"modes-agree": true,
		});
		expect(status).toBe(7);
		expect(stdout).toMatch(/an\s+event type that offers two modes/);
	});

	it("shows the evidence of the last run by --explain", async () => {
		await using server = await openDisagreeing();
		const state = newFolder();
		await checkInProcess(server.url, {
			only: ["modes-same-occurrence"],
			state,
		});
		const { world, output, text } = openPlace();
		await explainRule("modes-same-occurrence", { state }, { world, output });
		await output.close();
		expect(text()).toMatch(
			/20 events of "a\.b" by poll and push, 1 are not the same/,
		);
		expect(text()).toMatch(/"by":\s*"push"/);
	});
});
