// Tests of the grader with its conditions turned, one after the other. See mutate.mjs.
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import { readChoice } from "./choice.ts";
import { GROUPS, type Group } from "./groups.ts";
import { mutating } from "./instrument.ts";
import { MutationReporter } from "./report.ts";

const { group, root } = readChoice(process.env);
const { sources, tests }: Group = GROUPS[group];

/** Few, so that the first tests of a file catch what they can before the others try it. */
const TESTS_AT_ONCE = 6;

/** As they are listed. */
class InOrder extends BaseSequencer {
	override async sort(files: Parameters<BaseSequencer["sort"]>[0]) {
		const rank = ({ moduleId }: { moduleId: string }) =>
			tests.findIndex((test) => moduleId.endsWith(test));
		return [...files].sort((a, b) => rank(a) - rank(b));
	}
}

export default defineConfig({
	root,
	plugins: [
		mutating(root, (path) => sources.some((start) => path.startsWith(start))),
	],
	test: {
		name: "mutate",
		include: [...tests],
		reporters: [new MutationReporter()],
		runner: `${root}/test/mutate/runner.ts`,
		sequence: { sequencer: InOrder, concurrent: true },
		maxConcurrency: TESTS_AT_ONCE,
		maxWorkers: 1,
		fileParallelism: false,
		isolate: false,
		retry: 0,
		testTimeout: 120_000,
		// A mutant may leave work behind that fails when nobody waits for it any more.
		dangerouslyIgnoreUnhandledErrors: true,
		env: { NO_COLOR: "1", TZ: "UTC" },
	},
});
