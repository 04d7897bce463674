// Other releases of Node, from the registry, for the tests that run the built binary on each. They are kept beside the
// packages of the project, so that each is fetched once.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

const PLACE = join(import.meta.dirname, "../../node_modules/.cache/nodes");

/** The path of the binary of a release; undefined: it is not to be had. */
export function fetchNode(major: string): string | undefined {
	const name = `node-${process.platform}-${process.arch}`;
	const kept = join(PLACE, major);
	const node = join(kept, "node_modules", name, "bin/node");
	if (!isOf(major, node)) install(kept, `${name}@${major}`);
	return isOf(major, node) ? node : undefined;
}

function isOf(major: string, node: string): boolean {
	const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
	return stdout?.startsWith(`v${major}.`) ?? false;
}

/** Into a folder of its own first: two may do so at once. */
function install(kept: string, wanted: string): void {
	mkdirSync(PLACE, { recursive: true });
	const draft = mkdtempSync(`${kept}-`);
	// Readable by others too: a test runs it as somebody else.
	chmodSync(draft, 0o755);
	const words = ["install", "--prefix", draft, wanted];
	const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
	spawnSync("npm", [...words, ...flags, "--fetch-retries=1"], {
		cwd: draft,
		timeout: 120_000,
	});
	try {
		renameSync(draft, kept);
	} catch {
		// Somebody was quicker.
		rmSync(draft, { recursive: true, force: true });
	}
}
