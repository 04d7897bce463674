import { defineConfig } from "vitest/config";

// NODE_EXTRA_CA_CERTS makes every start of Node 20 slower by twice its own time, and no test needs it.
delete process.env.NODE_EXTRA_CA_CERTS;

const shared = {
	// A warning is a defect: the processes that tests start must be silent too.
	dangerouslyIgnoreUnhandledErrors: false,
	unstubEnvs: true,
	env: { NO_COLOR: "1", TZ: "UTC" },
};

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
		projects: [
			{
				test: {
					...shared,
					name: "fast",
					include: ["test/**/*.test.ts"],
					exclude: ["test/slow/**"],
					// Tests that start processes need patience on a busy machine; a process has its own, shorter deadline.
					testTimeout: 40_000,
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
