// What a server says of its cap on streams, and when it is of no use.
import { describe, expect, it } from "vitest";
import { findRows } from "../../../src/grade/index.ts";
import { gradePush } from "./push-reference.ts";

const ROW = "events-push/error-resource-exhausted";

async function exhaust(text: string): Promise<string> {
	const graded = await gradePush(
		{
			hooks: {
				message(message, { method, params }) {
					const isQuota = params.name === "events_conformance_quota";
					if (method === "tools/call" && isQuota && message.result)
						message.result.content[0].text = text;
				},
			},
		},
		{ only: findRows(ROW, "--only") },
	);
	expect(graded.defects).toEqual([]);
	return `${graded.verdictOf(ROW)} ${graded.messageOf(ROW)}`;
}

const capOf = (name: unknown, max: unknown) => JSON.stringify({ name, max });
const NO_CAP = "its text is no JSON with name and max";
const CAPPED = "conformance.capped";

describe("a cap", () => {
	it.concurrent.each([
		["that is no JSON", "{", NO_CAP],
		["without a name", capOf(undefined, 2), NO_CAP],
		["in words", capOf(CAPPED, "two"), NO_CAP],
		["of a part of a stream", capOf(CAPPED, 1.5), "a cap of 1.5 is not tried"],
		["of none", capOf(CAPPED, 0), "a cap of 0 is not tried"],
		["of very many", capOf(CAPPED, 51), "a cap of 51 is not tried"],
		[
			"on a type without push",
			capOf("conformance.poll-only", 2),
			"the type that it names is none that offers push",
		],
	])("%s is not tried", async (_what, text, told) => {
		const found = await exhaust(text);
		expect(found).toMatch(/^UNTESTABLE /);
		expect(found).toContain(told);
	});
});
