// The mutation runner: it finds what no test minds, and a fixed sample of the grader's conditions, all of them caught.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GROUPS, type GroupName } from "../mutate/groups.ts";
import { KNOWN_SURVIVORS } from "../mutate/known-survivors.ts";
import { readMutants } from "../mutate/mutants.ts";

const root = join(import.meta.dirname, "../..");

function mutate(...words: string[]) {
	const script = join(root, "test/mutate/mutate.mjs");
	const { stdout, status } = spawnSync(process.execPath, [script, ...words], {
		encoding: "utf8",
		timeout: 280_000,
	});
	return { stdout, status };
}

describe("the mutation runner", () => {
	it("tells of a condition that a test reaches and does not mind", () => {
		const { stdout, status } = mutate("fixture");
		expect(stdout).toContain(
			"survived test/mutate/fixture/judge.ts:5:9 not: count > most",
		);
		expect(stdout).toContain("fixture: 2 mutants, 1 caught,");
		expect(status).toBe(1);
	});

	it("believes no test that fails without any mutant, when it runs again", () => {
		const { stdout } = mutate("fixture");
		expect(stdout).toContain(
			"failed by itself test/mutate/fixture/judge.cases.ts",
		);
		expect(stdout).not.toContain("2 caught");
	});

	it("finds every sampled condition of discovery caught", () => {
		const { stdout, status } = mutate("discovery", "--every", "8");
		const told = [...stdout.matchAll(/: (\d+) mutants, (\d+) caught/g)].at(-1);
		expect(Number(told?.[1]), stdout).toBeGreaterThan(10);
		expect(told?.[2], stdout).toBe(told?.[1]);
		expect(status).toBe(0);
	});
});

describe("a mutant that is known to survive", () => {
	const names = Object.keys(GROUPS) as GroupName[];
	const listed = names.flatMap((group) =>
		(KNOWN_SURVIVORS[group] ?? []).map((known) => ({ ...known, group })),
	);

	it("is a condition that is there, and no other one of its file", () => {
		const unsure = listed.filter(({ group, path, text }) => {
			const found = readMutants(root, group, ["not"]).filter(
				(mutant) => mutant.path === path && mutant.text === text,
			);
			return found.length !== 1;
		});
		expect(unsure).toEqual([]);
	});
});
