import { describe, expect, it } from "vitest";
import { openControls } from "../../../src/grade/traffic/controls.ts";
import { openEventsDouble } from "../../fixtures/servers/events-double.ts";
import { httpTarget } from "../grade-with.ts";
import { openTestWire } from "../wire/open-test-wire.ts";

type Json = Record<string, unknown>;
const QUOTA = "events_conformance_quota";
const result = (members: Json) => ({
	result: { resultType: "complete", ...members },
});

async function open(callTool: (params: Json) => Json) {
	const server = await openEventsDouble({
		answers: {
			"tools/list": ({ cursor }) =>
				cursor === "2"
					? result({ tools: [{ name: QUOTA }] })
					: result({ tools: [{ name: "other" }, 7], nextCursor: "2" }),
			"tools/call": callTool,
		},
	});
	const { wire } = await openTestWire(httpTarget(server.url));
	return { server, controls: await openControls(wire) };
}

const answers: [what: string, answer: Json, text: string | undefined][] = [
	["a text", result({ content: [{ type: "text", text: "{}" }] }), "{}"],
	["a failure", result({ content: [], isError: true }), undefined],
	["no content", result({}), undefined],
	["an error", { error: { code: -32603, message: "no" } }, undefined],
];

describe("a control", () => {
	it.each(answers)("that answers with %s", async (_what, answer, text) => {
		const { server, controls } = await open(() => answer);
		const said = await controls.call("quota", {});
		await server.close();
		if (text !== undefined) expect(said).toMatchObject({ kind: "text", text });
		else
			expect(said).toMatchObject({
				kind: "failed",
				finding: { missing: { kind: "control", name: QUOTA } },
			});
	});

	it("is looked for on every page of tools", async () => {
		const { server, controls } = await open(() => result({}));
		await server.close();
		expect(controls.has("quota")).toBe(true);
		expect(controls.missing("quota")).toBeUndefined();
	});

	it("that is not there is named, and not called", async () => {
		let calls = 0;
		const { server, controls } = await open(() => {
			calls++;
			return result({});
		});
		expect(controls.missing("quota", "yieldGap")).toMatchObject({
			kind: "untestable",
			missing: { name: "events_conformance_yield_gap" },
		});
		expect((await controls.call("yieldGap", { name: "a" })).kind).toBe(
			"failed",
		);
		await server.close();
		expect(calls).toBe(0);
	});
});
