import { defineConfig } from "vitest/config";

// A run of its own: nothing else is to be measured beside it.
export default defineConfig({
	test: {
		name: "soak",
		include: ["test/soak/*.test.ts"],
		env: { NO_COLOR: "1", TZ: "UTC" },
		testTimeout: 24 * 60 * 60_000,
	},
});
