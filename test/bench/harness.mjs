// What the benches share: runs commands to their end or beside us, measures time, processor and memory, and prints a
// table. Sides are run in turn, so that a busy machine is busy for all of them; what is told is the median.
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

// It makes every start of Node 20 slower by twice its own time, of whichever side.
delete process.env.NODE_EXTRA_CA_CERTS;

/** The built command, to be run as `[node, BINARY, …]`. */
export const BINARY = join(import.meta.dirname, "../../bin/mcp-events.js");

/** For parseArgs: the Node that runs the product (the other side keeps ours), and how often each side runs. */
export const BENCH_OPTIONS = {
	node: { type: "string", default: process.execPath },
	rounds: { type: "string", default: "5" },
};

const KIBIBYTES = 1024;

/** A folder for what a bench writes; gone when the bench ends. */
export function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-bench-"));
	process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

/** Starts a server beside us, and resolves with what `pattern` finds in a line of its stderr. It ends with the bench. */
export async function startServer(words, pattern, { env } = {}) {
	const [command, ...rest] = words;
	const child = spawn(command, rest, {
		stdio: ["ignore", "ignore", "pipe"],
		env: { ...process.env, ...env },
	});
	process.once("exit", () => child.kill());
	const lines = createInterface({ input: child.stderr });
	for await (const line of lines) {
		const found = pattern.exec(line);
		if (found === null) continue;
		child.stderr.resume();
		return { child, found };
	}
	throw new Error(`${words.join(" ")} did not start`);
}

let figuresFolder;

/**
 * Runs a command to its end, its stdout a pipe that `reader`, a shell command, empties. `told` is what the reader says.
 * Of a command that is a pipeline itself, `cpuSeconds` is the sum and `peakMib` that of the largest of its processes.
 */
export async function measure(words, { env, reader = "cat >/dev/null" } = {}) {
	figuresFolder ??= openFolder();
	const figures = join(figuresFolder, "figures");
	// GNU time stands between: a process inherits the peak of the one that started it, and ours is no small one.
	const time = ["/usr/bin/time", "-o", figures, "-f", "%U %S %M %x"];
	const shell = ["-c", `"$@" | ${reader}`, "sh", ...time, ...words];
	const startedAt = performance.now();
	const child = spawn("/bin/sh", shell, {
		stdio: ["ignore", "pipe", "inherit"],
		env: { ...process.env, ...env },
	});
	let told = "";
	child.stdout.setEncoding("utf8").on("data", (text) => {
		told += text;
	});
	await new Promise((resolve) => child.once("close", resolve));
	const wallMs = performance.now() - startedAt;
	// A line before it tells of a status that is not 0.
	const line = readFileSync(figures, "utf8").trim().split("\n").at(-1);
	const [user, system, peak, status] = line.split(" ").map(Number);
	if (status !== 0)
		throw new Error(`${words.join(" ")} ended with status ${status}`);
	const peakMib = peak / KIBIBYTES;
	return { wallMs, cpuSeconds: user + system, peakMib, told: told.trim() };
}

/** The reader for `measure` that tells the checksum of what it reads, after a filter where one is needed. */
export const digest = (filter) =>
	`${filter === undefined ? "" : `${filter} | `}sha256sum | cut -c1-16`;

/**
 * Runs all sides once to compare what they print, then `rounds` times in turn. A side is
 * `{ name, words, env?, filter? }`; `filter` is a shell command that leaves the lines that can be compared, false where
 * none can. Resolves with the medians, in the order of the sides. Throws where outputs differ.
 */
export async function compare(sides, { rounds }) {
	const digests = new Map();
	for (const { name, words, env, filter } of sides)
		if (filter === false) await measure(words, { env });
		else {
			const { told } = await measure(words, { env, reader: digest(filter) });
			digests.set(name, told);
		}
	if (new Set(digests.values()).size > 1)
		throw new Error(`outputs differ: ${JSON.stringify([...digests])}`);
	const runs = sides.map(() => []);
	for (let round = 0; round < rounds; round++)
		for (const [at, { words, env }] of sides.entries())
			runs[at].push(await measure(words, { env }));
	return sides.map(({ name }, at) => ({
		name,
		digest: digests.get(name) ?? "",
		wallMs: median(runs[at].map(({ wallMs }) => wallMs)),
		cpuSeconds: median(runs[at].map(({ cpuSeconds }) => cpuSeconds)),
		peakMib: median(runs[at].map(({ peakMib }) => peakMib)),
	}));
}

/**
 * Prints what `compare` resolved with, for so many `units` (events, deliveries). The first side is the product; `ratio` is
 * how many times as long the other takes.
 */
export function printComparison(title, results, { units, node }) {
	const [product] = results;
	console.log(`${title} (product on Node ${versionOf(node)})`);
	console.table(
		results.map(({ name, digest, wallMs, cpuSeconds, peakMib }) => ({
			side: name,
			"wall s": round(wallMs / 1_000, 2),
			"units/s": Math.round((units * 1_000) / wallMs),
			ratio: round(wallMs / product.wallMs, 2),
			"CPU s": round(cpuSeconds, 2),
			"peak MiB": Math.round(peakMib),
			output: digest,
		})),
	);
}

/** The version of a Node binary, without the "v". */
export function versionOf(node) {
	return spawnSync(node, ["-p", "process.versions.node"], {
		encoding: "utf8",
	}).stdout.trim();
}

/**
 * What Linux says of a process that runs: memory now and at its height, and processor time so far, with that of its
 * children that have ended.
 */
export function usageOf({ pid }) {
	try {
		const status = readFileSync(`/proc/${pid}/status`, "utf8");
		const mib = (name) =>
			Math.round(new RegExp(`${name}:\\s+(\\d+)`).exec(status)[1] / KIBIBYTES);
		const stat = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1];
		const ticks = stat.split(" ").slice(11, 15).map(Number);
		// Linux counts in hundredths of a second.
		const cpuSeconds = ticks.reduce((sum, one) => sum + one, 0) / 100;
		return { rssMiB: mib("VmRSS"), peakMiB: mib("VmHWM"), cpuSeconds };
	} catch {
		return {};
	}
}

/** The value that a share of all values is below: 0.5 is the median. */
export function quantile(values, share) {
	const sorted = [...values].sort((a, b) => a - b);
	return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

export const median = (values) => quantile(values, 0.5);

export const round = (value, digits) => Number(value.toFixed(digits));
