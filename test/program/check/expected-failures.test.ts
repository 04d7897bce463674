import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
	CATALOGUE,
	findRows,
	type GradedRow,
} from "../../../src/grade/index.ts";
import {
	compareExpected,
	readExpectedFailures,
} from "../../../src/program/check/expected-failures.ts";

const folder = mkdtempSync(join(tmpdir(), "expected-failures-"));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;

function read(text: string) {
	const path = join(folder, `${++files}.yaml`);
	writeFileSync(path, text);
	return readExpectedFailures(path, findRows);
}

const KEY = "events-poll/poll-has-more";

describe("a file of expected failures", () => {
	it.each([
		["ids", `- ${KEY}\n`, [KEY]],
		["ids with a reason", `- id: ${KEY}\n  reason: soon\n`, [KEY]],
		["nothing", "", []],
		["a comment", "# none\n", []],
	])("has %s", async (_what, text, keys) => {
		expect([...(await read(text))]).toEqual(keys);
	});

	it.each([
		["that is no list", "a: 1\n", "it has to be a YAML list"],
		["with a number", "- 7\n", "an item is no id"],
		["with an id that is a number", "- id: 7\n", "an item is no id"],
		["with a reason alone", "- reason: soon\n", "an item is no id"],
		["that ends too soon", "- [a\n", "Flow sequence"],
	])("%s is refused", async (_what, text, why) => {
		await expect(read(text)).rejects.toMatchObject({
			code: "wrong-use",
			why: expect.stringMatching(new RegExp(`^${why}`)),
		});
	});

	it("with an id that is close to one tells how to write that", async () => {
		await expect(read("- poll-has-mroe\n")).rejects.toMatchObject({
			code: "wrong-use",
			what: expect.stringMatching(/^--expected-failures .*poll-has-mroe/),
			next: "write: - poll-has-more",
		});
	});
});

describe("what was expected to fail", () => {
	it("failed as expected, passed unexpectedly, or was not tried", () => {
		const verdicts = ["FAILURE", "SUCCESS", "UNTESTABLE", "FAILURE"] as const;
		const rows = verdicts.flatMap((verdict, at): GradedRow[] => {
			const row = CATALOGUE[at];
			if (!row) return [];
			const { scenario, id, level, section, requirement } = row;
			const about = { scenario, level, section, requirement, verdict };
			return [
				{
					...about,
					id: `sep-3415-${id}`,
					message: "",
					tookMs: 0,
					evidence: [],
				},
			];
		});
		const keys = CATALOGUE.map(({ scenario, id }) => `${scenario}/${id}`);
		expect(compareExpected({ rows }, new Set(keys.slice(0, 3)))).toEqual({
			expected: [keys[0]],
			unexpectedPasses: [keys[1]],
		});
	});
});
