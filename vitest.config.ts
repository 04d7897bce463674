import { defineConfig } from "vitest/config";

// NODE_EXTRA_CA_CERTS makes every start of Node 20 slower by twice its own time, and no test needs it.
delete process.env.NODE_EXTRA_CA_CERTS;

const shared = {
	// A warning is a defect: the processes that tests start must be silent too.
	dangerouslyIgnoreUnhandledErrors: false,
	unstubEnvs: true,
	env: { NO_COLOR: "1", TZ: "UTC" },
};

/**
 * Tests that start the built command, a process for each, run under their own command; these few stand in for them in
 * the fast suite.
 */
const SAMPLED = ["command-line", "webhook-loop"];

/** Tests that grade whole servers, one for each rule that can be broken: a minute of work on two cores. */
const GRADING = [
	"test/grade/*/*flaws.test.ts",
	"test/grade/*/scenario.test.ts",
	"test/grade/reference-flaws.test.ts",
	"test/grade/hostile-servers.test.ts",
];

// Processes on a busy machine need patience; each has its own, shorter deadline.
const PROCESS_TIMEOUT_MS = 40_000;

export default defineConfig({
	test: {
		// By default one core would be left idle.
		maxWorkers: "100%",
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
		projects: [
			{
				test: {
					...shared,
					name: "fast",
					// No test replaces a module, so the files of a worker can share them: half the time goes into loading else.
					isolate: false,
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
					isolate: false,
					include: GRADING,
					testTimeout: 120_000,
					// Windows of real time, shortened: on a machine that stands still for a moment a server seems slow.
					retry: 2,
				},
			},
			{
				test: {
					...shared,
					name: "process",
					include: ["test/process/*.test.ts"],
					exclude: SAMPLED.map((name) => `test/process/${name}.test.ts`),
					testTimeout: PROCESS_TIMEOUT_MS,
					// Each file runs several processes at once as it is.
					fileParallelism: false,
				},
			},
			{
				test: {
					...shared,
					name: "slow",
					include: ["test/slow/**/*.test.ts"],
					testTimeout: 300_000,
					fileParallelism: false,
				},
			},
		],
	},
});
