import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { compileScanner } from "../../../src/protocol/scanner/compile-scanner.ts";

test("the scanner that is committed is what comes of its source (npm run scanner)", async () => {
	const folder = join(import.meta.dirname, "../../../src/protocol/scanner");
	const committed = readFileSync(join(folder, "scanner-base64.ts"), "utf8");
	expect(await compileScanner(folder)).toBe(committed);
});
