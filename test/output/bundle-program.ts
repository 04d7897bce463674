// Makes a TypeScript program runnable by every Node that we support.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown } from "rolldown";

/** Bundles a program of test/fixtures/programs into a folder of its own; `remove` deletes it. */
export async function bundleProgram(
	name: string,
): Promise<{ path: string; remove(): void }> {
	const dir = mkdtempSync(join(tmpdir(), "mcp-events-program-"));
	const input = join(import.meta.dirname, "../fixtures/programs", `${name}.ts`);
	await using build = await rolldown({ input, platform: "node" });
	await build.write({ dir, format: "esm", entryFileNames: "[name].mjs" });
	return {
		path: join(dir, `${name}.mjs`),
		remove: () => rmSync(dir, { recursive: true, force: true }),
	};
}
