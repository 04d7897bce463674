import { defineConfig } from "vitest/config";

/** Nothing but the table, and what is wrong with it. */
const table = {
	onUserConsoleLog: ({ content }: { content: string }) =>
		void process.stdout.write(content),
};

// A run of its own: it grades a server for each rule, and takes minutes.
export default defineConfig({
	test: {
		name: "rows",
		include: ["test/rows/show-rows.ts"],
		env: { NO_COLOR: "1", TZ: "UTC" },
		testTimeout: 30 * 60_000,
		reporters: [table],
	},
});
