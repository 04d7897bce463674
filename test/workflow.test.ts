// The workflow of GitHub against what we support and what there is to run.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Job {
	"runs-on": string;
	strategy: { matrix: { os?: string[]; node: string[] } };
	steps: { uses?: string; run?: string; with?: Record<string, unknown> }[];
}

const root = join(import.meta.dirname, "..");
const read = (name: string) => readFileSync(join(root, name), "utf8");
const { scripts, engines } = JSON.parse(read("package.json"));
const workflow: { permissions: object; jobs: Record<string, Job> } = parse(
	read(".github/workflows/ci.yml"),
);
const jobs = Object.values(workflow.jobs);
const runsOf = (job: Job | undefined) =>
	(job?.steps ?? []).flatMap(({ run }) => run ?? []);

describe("the workflow", () => {
	it("tests the oldest Node that we support and the two after it, on three systems", () => {
		const { matrix } = workflow.jobs.test?.strategy ?? {};
		expect(matrix?.os).toEqual([
			"ubuntu-latest",
			"macos-latest",
			"windows-latest",
		]);
		expect(matrix?.node).toEqual(["20.19", "22", "24"]);
		expect(engines.node).toBe(`>=${matrix?.node[0]}`);
		expect(workflow.jobs.slow?.strategy.matrix.node).toEqual(matrix?.node);
		expect(workflow.jobs.slow?.["runs-on"]).toBe("ubuntu-latest");
	});

	it("runs scripts that there are, and every part of npm test", () => {
		const called = jobs
			.flatMap(runsOf)
			.flatMap((run) =>
				[...run.matchAll(/^npm run (?:-s )?(\S+)$/gm)].map((m) => m[1]),
			);
		for (const name of called) expect(Object.keys(scripts)).toContain(name);
		const parts = [...scripts.test.matchAll(/npm run -s (\S+)/g)].map(
			(m) => m[1],
		);
		expect(parts.length).toBeGreaterThan(2);
		expect(called).toEqual(
			expect.arrayContaining([...parts, "test:pack", "test:full"]),
		);
	});

	it("installs without scripts, and from the lockfile", () => {
		for (const job of jobs)
			expect(runsOf(job)).toContain("npm ci --ignore-scripts");
	});

	it("may read and do no more, and uses actions by their commit", () => {
		expect(workflow.permissions).toEqual({ contents: "read" });
		for (const { uses } of jobs.flatMap(({ steps }) => steps))
			if (uses) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
	});

	it("installs the tools that .ci/run does", () => {
		const [, tools = ""] = /^tools=\((.*)\)$/m.exec(read(".ci/run")) ?? [];
		const install = runsOf(workflow.jobs.slow).find((run) =>
			run.includes("apt-get install"),
		);
		expect(install?.split(" -y ")[1]?.trim().split(" ").sort()).toEqual(
			tools.split(" ").sort(),
		);
	});
});
