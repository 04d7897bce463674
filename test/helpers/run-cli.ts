// Runs the built binary as users run it, in a pinned environment and an empty home, and holds every run to what all
// runs owe (style.md 8): a status of the table, NDJSON on stdout, no stack trace, nothing that a terminal would obey.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT_STATUSES } from "../../src/faults/index.ts";
import { dangers } from "../fixtures/hostile-text.ts";
import { openTextCollector, type TextCollector } from "./text-collector.ts";

/** The Node that it runs on: that of the tests, or the one that TEST_NODE names (test/slow/nodes.test.ts). */
const NODE = process.env.TEST_NODE ?? process.execPath;

/** Where the binary lies; `npm run -s build` makes what it starts. */
export const BINARY = fileURLToPath(
	new URL("../../bin/mcp-events.js", import.meta.url),
);

/**
 * So long after a signal whatever still goes on is cut off (src/program/process/exit.ts): a run that was over before has
 * ended by itself.
 */
export const CUT_OFF_MS = 5_000;

export interface CliOptions {
	/** Written to stdin, which is then closed. Without it stdin is empty. */
	stdin?: string | Buffer;
	/** Added to the pinned environment. */
	env?: Record<string, string>;
	cwd?: string;
	/** The Node to run on; by default that of all runs. */
	node?: string | undefined;
	/** After this long the process is killed and the run fails. */
	deadlineMs?: number;
	/** What stdout holds: by default what the arguments ask for. `any` leaves stdout unchecked. */
	stdoutForm?: "ndjson" | "text" | "any";
}

export interface CliRun {
	/** The exit status; null where a signal that has no handler ended the process. */
	status: number | null;
	signal: NodeJS.Signals | null;
	stdout: string;
	stdoutBytes: Buffer;
	stderr: string;
	/** stdout's lines without their line ends. */
	lines: string[];
	elapsedMs: number;
}

/** A run that goes on: read it as it comes, signal it, wait for its end. */
export interface CliProcess {
	readonly child: ChildProcess;
	readonly stdout: TextCollector;
	readonly stderr: TextCollector;
	/** The process as it ended, held to the invariants. */
	readonly done: Promise<CliRun>;
	kill(signal?: NodeJS.Signals): void;
}

/** Runs to the end and returns what came of it; throws where an invariant is broken. */
export async function runCli(
	args: string[],
	options: CliOptions = {},
): Promise<CliRun> {
	return startCli(args, options).done;
}

/** Starts a run; the caller awaits `done`, after a `kill` where the command has no end of its own. */
export function startCli(args: string[], options: CliOptions = {}): CliProcess {
	const home = mkdtempSync(join(tmpdir(), "mcp-events-home-"));
	const startedAt = performance.now();
	const child = spawn(options.node ?? NODE, [BINARY, ...args], {
		cwd: options.cwd ?? home,
		env: { ...pinnedEnvironment(home), ...options.env },
		stdio: ["pipe", "pipe", "pipe"],
	});
	child.stdin.on("error", () => {}); // It may end before it has read what we wrote.
	child.stdin.end(options.stdin ?? "");
	const stdout = openTextCollector(child.stdout);
	const stderr = openTextCollector(child.stderr);
	const deadlineMs = options.deadlineMs ?? 30_000;
	let isLate = false;
	const timer = setTimeout(() => {
		isLate = true;
		child.kill("SIGKILL");
	}, deadlineMs);
	const done = new Promise<CliRun>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (status, signal) => {
			clearTimeout(timer);
			rmSync(home, { recursive: true, force: true });
			const run = runFrom(status, signal, stdout, stderr, startedAt);
			const broken = isLate
				? `still running after ${deadlineMs} ms`
				: brokenInvariant(run, options.stdoutForm ?? formOf(args));
			if (broken) reject(new Error(describeRun(broken, args, run)));
			else resolve(run);
		});
	});
	done.catch(() => {}); // Told to whoever awaits it; a test that failed before need not.
	return { child, stdout, stderr, done, kill: (signal) => child.kill(signal) };
}

function runFrom(
	status: number | null,
	signal: NodeJS.Signals | null,
	stdout: TextCollector,
	stderr: TextCollector,
	startedAt: number,
): CliRun {
	return {
		status,
		signal,
		stdout: stdout.text,
		stdoutBytes: stdout.bytes,
		stderr: stderr.text,
		lines: stdout.text.split("\n").filter((line) => line !== ""),
		elapsedMs: performance.now() - startedAt,
	};
}

/** What the process sees of the world: nothing of the machine that runs the tests but where programs lie. */
export function pinnedEnvironment(home: string): Record<string, string> {
	return {
		PATH: [dirname(process.execPath), process.env.PATH ?? ""].join(delimiter),
		HOME: home,
		USERPROFILE: home,
		XDG_CONFIG_HOME: join(home, "config"),
		XDG_STATE_HOME: join(home, "state"),
		XDG_CACHE_HOME: join(home, "cache"),
		XDG_DATA_HOME: join(home, "data"),
		TMPDIR: home,
		NO_COLOR: "1",
		TZ: "UTC",
		LANG: "C.UTF-8",
	};
}

const TEXT_FORMS = /^(?:--output=|-o)?(?:pretty|text|table)$/;

function formOf(args: string[]): "ndjson" | "text" {
	const ours = args.includes("--") ? args.slice(0, args.indexOf("--")) : args;
	const isHelp =
		ours.length === 0 ||
		ours[0] === "help" ||
		ours.some((arg) => ["--help", "-h", "--version"].includes(arg));
	const isText = ours.some(
		(arg, at) =>
			TEXT_FORMS.test(arg) &&
			(arg.startsWith("-") || /^(?:-o|--output)$/.test(ours[at - 1] ?? "")),
	);
	return isHelp || isText ? "text" : "ndjson";
}

function brokenInvariant(
	run: CliRun,
	form: "ndjson" | "text" | "any",
): string | undefined {
	const statuses: number[] = Object.values(EXIT_STATUSES).map(
		(row) => row.status,
	);
	if (run.status !== null && !statuses.includes(run.status))
		return `exit status ${run.status} is not in the table`;
	if (run.status !== 70 && /^ {4}at /m.test(run.stderr))
		return "stderr holds a stack trace";
	const hostile = dangers(run.stderr);
	if (hostile.length > 0) return `stderr holds ${hostile.join(" ")} raw`;
	if (form === "text") {
		const inText = dangers(run.stdout);
		if (inText.length > 0) return `stdout holds ${inText.join(" ")} raw`;
	}
	return form === "ndjson" ? brokenLine(run.stdout) : undefined;
}

/** Every line is JSON, and the last one is whole. */
function brokenLine(stdout: string): string | undefined {
	if (stdout === "") return undefined;
	if (!stdout.endsWith("\n")) return "the last line of stdout has no end";
	for (const line of stdout.slice(0, -1).split("\n")) {
		try {
			JSON.parse(line);
		} catch {
			return `a line of stdout is no JSON: ${JSON.stringify(line.slice(0, 200))}`;
		}
	}
	return undefined;
}

function describeRun(broken: string, args: string[], run: CliRun): string {
	return [
		`mcp-events ${args.join(" ")}: ${broken}`,
		`status ${run.status}, signal ${run.signal}, ${Math.round(run.elapsedMs)} ms`,
		`stdout: ${JSON.stringify(run.stdout.slice(0, 2000))}`,
		`stderr: ${JSON.stringify(run.stderr.slice(0, 4000))}`,
	].join("\n  ");
}
