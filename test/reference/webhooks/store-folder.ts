import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A path for a store in a folder of the test's own. */
export function openStorePath(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-webhooks-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	return join(folder, "webhooks.ndjson");
}
