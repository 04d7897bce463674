// A database that another program (python3) writes, locks, vacuums, deletes from and replaces, followed by `serve sqlite`
// and `tail`, all of them processes of their own, on every Node that can be had.
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import {
	chmodSync,
	cpSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	afterEach,
	beforeEach,
	describe,
	expect,
	onTestFinished,
	test,
	vi,
} from "vitest";
import { amount } from "../helpers/amount.ts";
import { fetchNode } from "../helpers/fetch-node.ts";
import { BINARY, type CliProcess, startCli } from "../helpers/run-cli.ts";
import {
	openTextCollector,
	type TextCollector,
} from "../helpers/text-collector.ts";
import { ask } from "../reference/wire-client.ts";

const WRITER = fileURLToPath(
	new URL("../fixtures/programs/sqlite-writer.py", import.meta.url),
);
const PACKAGE = join(BINARY, "../..");
const ROWS = amount(100_000, 10_000);
const DEADLINE_MS = 200_000;
const KEY = "INTEGER PRIMARY KEY";
const AUTO = `${KEY} AUTOINCREMENT`;
const NOBODY = 65_534;

const canWrite = (() => {
	try {
		execFileSync("python3", ["-c", "import sqlite3"]);
		return true;
	} catch {
		return false;
	}
})();

const ours = process.versions.node.split(".")[0] ?? "";
const others = ["20", "22", "24"].filter((major) => major !== ours);
const NODES = [
	{ major: ours, node: process.execPath },
	...others.map((major) => ({ major, node: fetchNode(major) })),
];

let folder: string;
let file: string;
let writer: ChildProcess;
let answers: TextCollector;
let started: CliProcess[];

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-events-sqlite-"));
	file = join(folder, "shop.db");
	started = [];
	writer = spawn("python3", [WRITER, file], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	if (!writer.stdout) throw new Error("the writer has no stdout");
	answers = openTextCollector(writer.stdout);
});
afterEach(async () => {
	writer.kill("SIGKILL");
	for (const run of started) run.kill("SIGKILL");
	await Promise.allSettled(started.map((run) => run.done));
	rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!canWrite)("(skipped without python3)", () => {
	describe.each(NODES)("Node $major", ({ node }) => {
		describe.skipIf(!node)("(skipped where it cannot be fetched)", () => {
			test.each([
				["wal", "push"],
				["delete", "push"],
				["wal", "poll"],
			])(
				`${ROWS} rows (%s, by %s) with deletions, VACUUM and a lock of seconds: none lost, none twice`,
				async (mode, via) => {
					await write(`create ${mode} ${AUTO}`);
					const tail = await follow({ node, via });
					await write(`insert ${0.3 * ROWS} a`);
					await write("delete 7");
					await write(`insert ${0.2 * ROWS} b`);
					await write("vacuum");
					await write(`delete_last ${0.01 * ROWS}`);
					await write(`insert ${0.2 * ROWS} c`);
					await write("lock");
					await new Promise((resolve) => setTimeout(resolve, 3_000));
					await write("unlock");
					await write("delete 11");
					await write("vacuum");
					await write(`insert ${0.3 * ROWS - 1} d`);
					const left = (await write("ids")) as number[];
					await tail.seen(ROWS);
					const { ids, gaps, eventIds } = await tail.stop();
					expect(gaps).toBe(0);
					expect(left.filter((id) => !ids.has(id))).toEqual([]);
					expect(eventIds.length).toBe(new Set(eventIds).size);
					expect(ids.size).toBe(eventIds.length);
				},
			);

			test("a file that a copy takes the place of, again and again: told, and on behind the same row", async () => {
				await write(`create wal ${AUTO}`);
				const tail = await follow({ node });
				for (let round = 1; round <= 5; round++) {
					await write("insert 500 a");
					await tail.seen(round * 1_000 - 500);
					// So that what was there is known when the copy comes.
					await new Promise((resolve) => setTimeout(resolve, 1_200));
					await write("insert 1 z");
					await tail.seen(round * 1_000 - 499);
					await write("replace_by_copy 499");
					await tail.seen(round * 1_000);
				}
				const { ids, gaps, eventIds } = await tail.stop();
				expect(gaps).toBe(5);
				expect(ids.size).toBe(5_000);
				expect(eventIds.length).toBe(5_000);
			});

			test("a file that another database takes the place of: told, and all of its rows", async () => {
				await write(`create delete ${AUTO}`);
				const tail = await follow({ node });
				await write("insert 1000 a");
				await tail.seen(1_000);
				await write(`replace_by_other 700 ${AUTO}`);
				await write("insert 300 b");
				await tail.seen(1_000, 2);
				const { gaps, eventIds } = await tail.stop();
				expect(gaps).toBe(1);
				expect(new Set(eventIds).size).toBe(2_000);
			});

			test("a head that falls below the cursor: told, and on with the keys that are given again", async () => {
				await write(`create wal ${KEY}`);
				const tail = await follow({ node });
				await write("insert 1000 a");
				await tail.seen(1_000);
				await write("delete_last 400");
				await tail.toldGap();
				await write("insert 100 b");
				await tail.seen(700, 2);
				const { gaps, eventIds } = await tail.stop();
				expect([gaps, new Set(eventIds).size]).toEqual([1, 1_100]);
			});

			test("a folder that may not be written: read all the same, and nothing in it is made or changed", async () => {
				await write(`create wal ${AUTO}`);
				await write("insert 1500 a");
				await write("leave");
				const before = contents();
				chmodSync(folder, 0o555);
				const server = await serveAsNobody(node);
				onTestFinished(() => void server.kill());
				expect(await countByPoll(server.url)).toBe(1_500);
				chmodSync(folder, 0o755);
				expect(contents()).toEqual(before);
			});
		});
	});

	test.skipIf(
		"getBuiltinModule" in process && process.getBuiltinModule("node:sqlite"),
	)(
		"a Node without SQLite, and no libsql: a fault that says what to install",
		async () => {
			await write(`create wal ${AUTO}`);
			const bare = join(folder, "bare");
			for (const part of ["bin", "dist", "package.json", "oclif.manifest.json"])
				cpSync(join(PACKAGE, part), join(bare, part), { recursive: true });
			const words = ["serve", "sqlite", file, "--table", "rows"];
			const run = spawn(process.execPath, [
				join(bare, "bin/mcp-events.js"),
				...words,
			]);
			const stderr = openTextCollector(run.stderr);
			await stderr.until(/libsql is not installed[\s\S]*npm install -g libsql/);
			const status = await new Promise((resolve) => run.on("close", resolve));
			expect(status).toBe(3);
		},
	);
});

/** Has the writer do something; returns what it says when it is done. */
async function write(command: string): Promise<unknown> {
	writer.stdin?.write(`${command}\n`);
	return JSON.parse((await answers.nextLine()) ?? "null");
}

/** What lies in the folder, byte for byte. */
const contents = () =>
	readdirSync(folder).map((name) => [
		name,
		createHash("sha256")
			.update(readFileSync(join(folder, name)))
			.digest("hex"),
	]);

const serveArgs = () => [
	"serve",
	"sqlite",
	file,
	"--table",
	"rows",
	"--port",
	"0",
];

async function serve(node: string | undefined): Promise<string> {
	const server = startCli(serveArgs(), { node, deadlineMs: DEADLINE_MS });
	started.push(server);
	const [, url = ""] = await server.stderr.until(/(http:\S+)/);
	return url;
}

/** A server that may not write where root may; to root no folder is shut. */
async function serveAsNobody(node = process.execPath) {
	const server = spawn(node, [BINARY, ...serveArgs()], {
		cwd: "/",
		env: { HOME: "/" },
		stdio: ["ignore", "ignore", "pipe"],
		...(process.getuid?.() === 0 && { uid: NOBODY, gid: NOBODY }),
	});
	const [, url = ""] = await openTextCollector(server.stderr).until(
		/(http:\S+)/,
	);
	return { url, kill: () => server.kill("SIGKILL") };
}

/** All rows there are, from before the first one. */
async function countByPoll(url: string): Promise<number> {
	const poll = (cursor: string | null) =>
		ask(url, "events/poll", { name: "rows.added", cursor, maxEvents: 700 });
	const { result: head } = await poll(null);
	let cursor = head.cursor.replace(/\d+$/, "0");
	let count = 0;
	for (let hasMore = true; hasMore; ) {
		const { result } = await poll(cursor);
		count += result.events.length;
		({ cursor, hasMore } = result);
	}
	return count;
}

/** A tail in records, of a server of its own, that is ready. */
async function follow({
	node,
	via = "push",
}: {
	node: string | undefined;
	via?: string;
}) {
	const url = await serve(node);
	const words = ["tail", url, "rows.added", "-o", "records", "--via", via];
	// Not the tail but the server is what must give nothing twice.
	const flags = ["--interval-floor", "20ms", "--dedup-window", "0"];
	const run = startCli([...words, ...flags], {
		deadlineMs: DEADLINE_MS,
	});
	started.push(run);
	const times = new Map<number, number>();
	const eventIds: string[] = [];
	let gaps = 0;
	let rest = "";
	run.child.stdout?.on("data", (chunk: Buffer) => {
		const lines = (rest + chunk.toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		for (const line of lines) {
			const { kind, event } = JSON.parse(line);
			if (kind === "gap") gaps++;
			if (kind !== "event") continue;
			times.set(event.data.id, (times.get(event.data.id) ?? 0) + 1);
			eventIds.push(event.eventId);
		}
	});
	const until = (condition: () => boolean) =>
		vi.waitUntil(condition, { timeout: DEADLINE_MS, interval: 20 });
	await run.stdout.until(/"kind":"ready"/);
	return {
		/** Waits until it has printed the row of this key so many times. */
		seen: (id: number, count = 1) => until(() => (times.get(id) ?? 0) >= count),
		toldGap: () => until(() => gaps > 0),
		async stop() {
			run.kill("SIGTERM");
			await run.done;
			return { ids: new Set(times.keys()), gaps, eventIds };
		},
	};
}
