// The parts of the grader that are mutated, each with the tests that are to catch its mutants, quick ones first.

export interface Group {
	/** What a path under the project must begin with. */
	sources: readonly string[];
	tests: readonly string[];
	/** Runs of one test side by side: many where a run waits most of the time. */
	atOnce: number;
}

export const GROUPS = {
	verdicts: {
		sources: [
			"src/grade/closing-checks.ts",
			"src/grade/compare.ts",
			"src/grade/error-names.ts",
			"src/grade/ground.ts",
			"src/grade/ledger.ts",
			"src/grade/readiness.ts",
			"src/grade/report.ts",
			"src/grade/scenario.ts",
			"src/grade/verdict.ts",
			"src/program/check/expected-failures.ts",
		],
		tests: [
			"test/grade/ledger.test.ts",
			"test/grade/readiness.test.ts",
			"test/grade/compare.test.ts",
			"test/grade/error-names.test.ts",
			"test/grade/ground.test.ts",
			"test/grade/wire/legacy-wire.test.ts",
			"test/program/check/expected-failures.test.ts",
			"test/grade/scenarios.test.ts",
			"test/program/check/check-server.test.ts",
			"test/grade/run-scenarios.test.ts",
			"test/grade/discovery/told.test.ts",
			"test/grade/modes/scenario.test.ts",
			"test/grade/discovery/scenario.test.ts",
			"test/grade/reference-flaws.test.ts",
			"test/grade/hostile-servers.test.ts",
		],
		atOnce: 4,
	},
	discovery: {
		sources: ["src/grade/discovery/"],
		tests: [
			"test/grade/discovery/narrowing.test.ts",
			"test/grade/discovery/told.test.ts",
			"test/grade/discovery/notices.test.ts",
			"test/grade/discovery/scenario.test.ts",
			"test/grade/reference-flaws.test.ts",
			"test/grade/hostile-servers.test.ts",
		],
		atOnce: 6,
	},
	poll: {
		sources: ["src/grade/poll/"],
		tests: [
			"test/grade/poll/wrong-arguments.test.ts",
			"test/grade/poll/ground.test.ts",
			"test/grade/poll/refusals.test.ts",
			"test/grade/poll/resuming.test.ts",
			"test/grade/poll/judging.test.ts",
			"test/grade/poll/starts.test.ts",
			"test/grade/poll/ages.test.ts",
			"test/grade/poll/identity.test.ts",
			"test/grade/poll/scenario.test.ts",
			"test/grade/poll/requests-flaws.test.ts",
			"test/grade/poll/positions-flaws.test.ts",
			"test/grade/hostile-servers.test.ts",
		],
		atOnce: 24,
	},
	push: {
		sources: ["src/grade/push/"],
		tests: [
			"test/grade/push/farewell.test.ts",
			"test/grade/push/ground.test.ts",
			"test/grade/push/judging.test.ts",
			"test/grade/push/heartbeats.test.ts",
			"test/grade/push/history.test.ts",
			"test/grade/push/removals.test.ts",
			"test/grade/push/occurrences.test.ts",
			"test/grade/push/flaws.test.ts",
			"test/grade/push/scenario.test.ts",
			"test/grade/push/quota.test.ts",
			"test/slow/grade-push.test.ts",
			"test/grade/push/stdio.test.ts",
			"test/grade/hostile-servers.test.ts",
		],
		atOnce: 24,
	},
	webhook: {
		sources: ["src/grade/webhook/"],
		tests: [
			"test/grade/webhook/other-arguments.test.ts",
			"test/grade/webhook/access.test.ts",
			"test/grade/webhook/principals.test.ts",
			"test/grade/webhook/refusals.test.ts",
			"test/grade/webhook/ground.test.ts",
			"test/grade/webhook/keys.test.ts",
			"test/grade/webhook/restarts.test.ts",
			"test/grade/webhook/flaws.test.ts",
			"test/grade/webhook/scenario.test.ts",
			"test/grade/webhook/bent-reference.test.ts",
			"test/grade/hostile-servers.test.ts",
		],
		atOnce: 24,
	},
	delivery: {
		sources: ["src/grade/delivery/"],
		tests: [
			"test/grade/delivery/judging.test.ts",
			"test/grade/delivery/consent.test.ts",
			"test/grade/delivery/envelopes.test.ts",
			"test/grade/delivery/guards.test.ts",
			"test/grade/delivery/keys.test.ts",
			"test/grade/delivery/persistence.test.ts",
			"test/grade/delivery/positions.test.ts",
			"test/grade/delivery/retries.test.ts",
			"test/grade/delivery/reverifying.test.ts",
			"test/grade/delivery/signed-requests.test.ts",
			"test/grade/delivery/well-known.test.ts",
			"test/grade/delivery/flaws.test.ts",
			"test/grade/delivery/scenario.test.ts",
			"test/grade/hostile-servers.test.ts",
		],
		atOnce: 24,
	},
	modes: {
		sources: ["src/grade/modes/"],
		tests: [
			"test/grade/modes/judge-modes.test.ts",
			"test/grade/modes/window.test.ts",
			"test/grade/modes/by-poll.test.ts",
			"test/grade/modes/by-push.test.ts",
			"test/grade/modes/by-webhook.test.ts",
			"test/grade/modes/compare-modes.test.ts",
			"test/grade/modes/choosing.test.ts",
			"test/grade/modes/scenario.test.ts",
		],
		atOnce: 12,
	},
	/** Of the runner itself: see test/slow/mutate.test.ts. */
	fixture: {
		sources: ["test/mutate/fixture/judge.ts"],
		tests: ["test/mutate/fixture/judge.cases.ts"],
		atOnce: 1,
	},
} as const satisfies Record<string, Group>;

export type GroupName = keyof typeof GROUPS;

export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[];
