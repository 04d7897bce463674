import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { newRoutePath } from "../../src/receiver/index.ts";

it("a path is new each time, lies under its prefix, and needs no escapes", () => {
	const paths = Array.from({ length: 100 }, () =>
		newRoutePath("/hooks/", randomBytes),
	);
	expect(new Set(paths).size).toBe(100);
	for (const path of paths) expect(path).toMatch(/^\/hooks\/[\w-]{24}$/);
});
