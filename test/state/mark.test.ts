import { statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openMark } from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

function reopened(path: string): string | undefined {
	const mark = openMark(path);
	mark.close();
	return mark.first;
}

it("says nothing at first, and then what was set last", () => {
	const path = join(temporaryFolder(), "new", "a.shown");
	const mark = openMark(path);
	expect(mark.first).toBeUndefined();
	mark.set("a longer text");
	mark.set("short");
	// Not closed: the process may be killed at any time.
	expect(reopened(path)).toBe("short");
	expect(statSync(path).mode & 0o777).toBe(0o600);
	mark.close();
});

it("says nothing where its line was cut off", () => {
	const path = join(temporaryFolder(), "a.shown");
	writeFileSync(path, "half a li");
	expect(reopened(path)).toBeUndefined();
});
