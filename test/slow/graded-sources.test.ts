// The built command serves from each of its sources, while something happens there, and is graded: it breaks no rule.
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
	appendFileSync,
	mkdirSync,
	mkdtempSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import {
	PROFILES,
	type Profile,
	type Report,
	type Scenario,
} from "../../src/grade/index.ts";
import { gradeWith, httpTarget } from "../grade/grade-with.ts";
import { PUSH_WAITS } from "../grade/push/push-reference.ts";
import { BINARY, pinnedEnvironment } from "../helpers/run-cli.ts";
import { openTextCollector } from "../helpers/text-collector.ts";
import {
	captureFolder,
	captureLine,
	eventText,
} from "../reference/sources/capture/capture-files.ts";
import { HAS_SQLITE3 } from "../reference/sqlite-database.ts";

const run = promisify(execFile);
const LONGEST_MS = 120_000;
/** A machine that stands still for a moment makes a server look slow; what is wrong is wrong again. */
const HONEST = { timeout: LONGEST_MS, retry: 1 };
const EVERY_MS = 250;

/** What follows `serve`, and what makes something happen there, time and again. */
interface Served {
	words: readonly string[];
	feed?: (
		n: number,
		at: { url: string; stdin: (line: string) => void },
	) => unknown;
}

/** Registers what is to be done when the test is over. */
type Later = TestContext["onTestFinished"];

function newFolder(later: Later): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-sources-"));
	later(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

const SOURCES: Readonly<
	Record<string, (later: Later) => Served | Promise<Served>>
> = {
	demo: () => ({ words: ["demo"] }),
	file(later) {
		const path = join(newFolder(later), "app.log");
		writeFileSync(path, "");
		return {
			words: ["file", path, "--event-name", "log.line"],
			feed: (n) => appendFileSync(path, `line ${n}\n`),
		};
	},
	stdin: () => ({
		words: ["stdin", "--event-name", "line.read"],
		feed: (n, { stdin }) => stdin(JSON.stringify({ n })),
	}),
	dir(later) {
		const folder = join(newFolder(later), "watched");
		mkdirSync(folder);
		return {
			words: ["dir", folder, "--settle", "50ms"],
			feed: (n) => writeFileSync(join(folder, `${n}.txt`), `${n}`),
		};
	},
	sqlite(later) {
		const path = join(newFolder(later), "app.db");
		const words = ["-cmd", ".timeout 5000", path];
		// Whoever writes in this mode keeps no reader waiting.
		const mode = "PRAGMA journal_mode=WAL";
		const table = "CREATE TABLE orders (id INTEGER PRIMARY KEY, total REAL)";
		execFileSync("sqlite3", [...words, `${mode}; ${table}`]);
		return {
			words: ["sqlite", path, "--table", "orders"],
			feed: (n) =>
				run("sqlite3", [...words, `INSERT INTO orders (total) VALUES (${n})`]),
		};
	},
	async capture(later) {
		const lines = Array.from({ length: 240 }, (_, n) =>
			captureLine(eventText(`e${n}`), n * EVERY_MS),
		);
		const place = await captureFolder({ "a.ndjson": lines });
		later(() => place[Symbol.asyncDispose]());
		return { words: ["capture", place.folder] };
	},
	inbound: () => ({
		words: ["inbound", "--hook", "orders.made"],
		feed: (n, { url }) =>
			fetch(new URL("/inbound/orders.made", url), {
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({ n }),
			}),
	}),
};

const isThere = (source: string) => source !== "sqlite" || HAS_SQLITE3;

/** Serves until the test is over; returns the URL. */
async function serve(
	source: string,
	flags: readonly string[],
	later: Later,
): Promise<string> {
	const served: Served = (await SOURCES[source]?.(later)) ?? {
		words: [source],
	};
	const { words, feed } = served;
	const child = spawn(
		process.execPath,
		[BINARY, "serve", ...words, ...flags, "--poll-interval", "100ms"],
		{ env: pinnedEnvironment(newFolder(later)) },
	);
	const stderr = openTextCollector(child.stderr);
	const [, url = ""] = await stderr.until(/ at (http:\S+)/);
	let n = 0;
	const stdin = (line: string) => child.stdin.write(`${line}\n`);
	// One that fails brings no event: that is seen, and at the end of the test it is no wonder.
	const timer = setInterval(async () => {
		await Promise.resolve(feed?.(++n, { url, stdin })).catch(() => {});
	}, EVERY_MS);
	later(async () => {
		clearInterval(timer);
		const ended = once(child, "exit");
		child.kill("SIGTERM");
		await ended;
	});
	return url;
}

async function grade(
	url: string,
	profile: Profile,
	scenarios: readonly Scenario[],
): Promise<Report> {
	const target = httpTarget(url, [["authorization", "Bearer abc"]]);
	const { report, defects } = await gradeWith(target, {
		profile,
		scenarios,
		timeoutMs: 20_000,
		connectTimeoutMs: 20_000,
		budgetMs: LONGEST_MS,
		waits: { ...PUSH_WAITS, occurrenceMs: 8_000, retentionMs: 500 },
	});
	expect(defects).toEqual([]);
	return report;
}

const wrongIn = ({ rows }: Report) =>
	rows
		.filter(({ verdict }) => verdict === "FAILURE" || verdict === "WARNING")
		.map(({ scenario, id, message }) => `${scenario}/${id}: ${message}`);

const FOLLOWED = ["events-discovery", "events-poll", "events-push"] as const;
const OCCURRENCES = [
	"events-poll/occurrence-data",
	"events-push/stream-event-notification",
];

describe("what is served from a source", () => {
	it.concurrent.for(Object.keys(SOURCES))(
		"%s breaks no rule of discovery, poll and push (sqlite needs sqlite3)",
		HONEST,
		async (source, { onTestFinished: later, skip }) => {
			if (!isThere(source)) skip("sqlite3 is not there");
			const url = await serve(source, ["--heartbeat", "400ms"], later);
			const report = await grade(url, "final", FOLLOWED);
			expect(wrongIn(report)).toEqual([]);
			const seen = report.rows.filter(({ scenario, id }) =>
				OCCURRENCES.includes(`${scenario}/${id.replace("sep-3415-", "")}`),
			);
			expect(seen.map(({ verdict }) => verdict)).toEqual([
				"SUCCESS",
				"SUCCESS",
			]);
		},
	);
});

describe("what is served by a profile", () => {
	it.concurrent.for(PROFILES)(
		"%s breaks no rule of it",
		HONEST,
		async (profile, { onTestFinished: later }) => {
			const token = profile === "chatgpt" ? ["--token", "me=abc"] : [];
			const flags = ["--profile", profile, "--heartbeat", "400ms", ...token];
			const url = await serve("stdin", flags, later);
			const report = await grade(url, profile, FOLLOWED);
			expect(wrongIn(report)).toEqual([]);
			expect(report.counts.SUCCESS).toBeGreaterThan(
				profile === "chatgpt" ? 5 : 50,
			);
		},
	);
});
