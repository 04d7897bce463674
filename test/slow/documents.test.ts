// The manual as mandoc reads it.
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasProgram } from "../helpers/run-shell.ts";

const folder = join(import.meta.dirname, "../../man");
const pages = readdirSync(folder).filter((name) => /\.[157]$/.test(name));

describe.skipIf(!hasProgram("mandoc"))("mandoc", () => {
	test.each(pages)("finds nothing amiss in %s", (page) => {
		const words = ["-T", "lint", join(folder, page)];
		const { status, stdout } = spawnSync("mandoc", words, { encoding: "utf8" });
		expect([status, stdout]).toEqual([0, ""]);
	});
});
