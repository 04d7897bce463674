import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

// NODE_EXTRA_CA_CERTS makes every start of Node 20 slower by twice its own time, and no test needs it.
delete process.env.NODE_EXTRA_CA_CERTS;

const shared = {
	// A warning is a defect: the processes that tests start must be silent too.
	dangerouslyIgnoreUnhandledErrors: false,
	unstubEnvs: true,
	env: { NO_COLOR: "1", TZ: "UTC" },
	// What is waited for comes at once, but for a machine that stands still for a moment.
	expect: { poll: { timeout: 10_000 } },
	// Hooks start and end processes too, and have no second attempt.
	hookTimeout: 60_000,
};

/**
 * Tests that start the built command, a process for each, run under their own command; this one, which tries several
 * commands together, stands in for them in the fast suite.
 */
const SAMPLED = ["webhook-loop"];

/**
 * Slow tests that want the machine for themselves: they load it, or measure time or memory. The others mostly wait, and
 * run beside each other.
 */
const ALONE = [
	"fault-table",
	"many-subscriptions",
	"pipes",
	"serve-load",
	"webhook-load",
].map((name) => `test/slow/${name}.test.ts`);

/** So many files at a time, each with as many processes as leave the others some of the machine. */
const besideEachOther = { maxWorkers: 2, maxConcurrency: 3 };

/** Tests that grade whole servers, one for each rule that can be broken: a minute of work on two cores. */
const GRADING = [
	"test/grade/*/*flaws.test.ts",
	"test/grade/*/scenario.test.ts",
	"test/grade/reference-flaws.test.ts",
	"test/grade/hostile-servers.test.ts",
];

/**
 * Short files that take minutes: begun last, they would run on alone. A clean checkout remembers no times, and begins
 * with the file that has most bytes.
 */
const LONGEST = ["grade-webhook", "grade-delivery", "mutate"].map(
	(name) => `/test/slow/${name}.test.ts`,
);

class LongestFirst extends BaseSequencer {
	override async sort(
		files: TestSpecification[],
	): Promise<TestSpecification[]> {
		const sorted = await super.sort(files);
		const isAt = (path: string) => (file: TestSpecification) =>
			file.moduleId.endsWith(path);
		const first = LONGEST.flatMap((path) => sorted.filter(isAt(path)));
		return [...new Set([...first, ...sorted])];
	}
}

/** Real processes, on a machine that may stand still for a moment: what is wrong is wrong again. CI names each. */
const REAL_PROCESSES = { retry: 1 };

// Much of the time is waiting, in one worker or the other.
const FAST_WORKERS = Math.ceil(availableParallelism() * 1.5);

// Processes on a busy machine need patience; each has its own, shorter deadline.
const PROCESS_TIMEOUT_MS = 40_000;

export default defineConfig({
	test: {
		// CI adds up the suites' reports into its closing line (test/sum-reports.mjs).
		reporters: process.env.TEST_REPORTS
			? [
					"default",
					[
						"json",
						{
							outputFile: `${process.env.TEST_REPORTS}/${process.env.npm_lifecycle_event}.json`,
						},
					],
				]
			: ["default"],
		sequence: { sequencer: LongestFirst },
		// One after the other where several are run.
		projects: [
			{
				test: {
					...shared,
					name: "fast",
					sequence: { groupOrder: 0 },
					// No test replaces a module, so the files of a worker can share them: half the time goes into loading else.
					isolate: false,
					maxWorkers: FAST_WORKERS,
					include: ["test/**/*.test.ts"],
					exclude: [
						"test/slow/**",
						"test/soak/**",
						...GRADING,
						`test/process/!(${SAMPLED.join("|")}).test.ts`,
					],
					testTimeout: PROCESS_TIMEOUT_MS,
				},
			},
			{
				test: {
					...shared,
					name: "grade",
					sequence: { groupOrder: 1 },
					isolate: false,
					maxWorkers: "100%",
					include: GRADING,
					testTimeout: 120_000,
					// Windows of real time, shortened: on a machine that stands still for a moment a server seems slow.
					retry: 2,
				},
			},
			{
				test: {
					...shared,
					...REAL_PROCESSES,
					name: "process",
					sequence: { groupOrder: 2 },
					include: ["test/process/*.test.ts"],
					exclude: SAMPLED.map((name) => `test/process/${name}.test.ts`),
					testTimeout: PROCESS_TIMEOUT_MS,
					...besideEachOther,
					// Two of them leave one of two cores idle.
					maxWorkers: 3,
				},
			},
			{
				test: {
					...shared,
					...REAL_PROCESSES,
					name: "slow",
					sequence: { groupOrder: 3 },
					include: ["test/slow/**/*.test.ts"],
					exclude: ALONE,
					testTimeout: 300_000,
					...besideEachOther,
				},
			},
			{
				test: {
					...shared,
					...REAL_PROCESSES,
					name: "alone",
					sequence: { groupOrder: 4 },
					include: ALONE,
					testTimeout: 300_000,
					fileParallelism: false,
				},
			},
		],
	},
});
