// Other releases of Node, from the registry, for the tests that run the built binary on each.
import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * Puts a release into a folder, far from the project, whose scripts its package would shadow; returns the path of its
 * binary. undefined: it is not to be had.
 */
export function fetchNode(major: string, folder: string): string | undefined {
	const name = `node-${process.platform}-${process.arch}`;
	const place = join(folder, major);
	const words = ["install", "--prefix", place, `${name}@${major}`];
	const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
	spawnSync("npm", [...words, ...flags, "--fetch-retries=1"], {
		cwd: folder,
		timeout: 120_000,
	});
	const node = join(place, "node_modules", name, "bin/node");
	const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
	return stdout?.startsWith(`v${major}.`) ? node : undefined;
}
