import { randomBytes } from "node:crypto";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
	openPosition,
	prunePositions,
	UNUSED_DAYS,
} from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const DAY_MS = 24 * 3_600_000;
const owner = { pid: 1, host: "here", isAlive: () => false };
const later = (days: number) => () => Date.now() + days * DAY_MS;

const about = (event: string) => ({
	...{ server: "http://server.test/mcp", event, arguments: {} },
	principal: "p1",
});
const options = (folder: string) => ({
	...{ folder, owner, randomBytes, window: 3, now: Date.now },
	damaged: () => {},
});

/** A position that was used once, now. */
async function leave(folder: string, event: string): Promise<void> {
	const position = await openPosition(about(event), options(folder));
	position.addSeen(["e1"]);
	await position.save("c1");
	await position.release();
}

/** That somebody looked so many days from now. */
function mark(folder: string, days: number): void {
	const path = join(folder, "positions", "pruned");
	const at = new Date(later(days)());
	writeFileSync(path, "");
	utimesSync(path, at, at);
}

const filesOf = (folder: string) =>
	readdirSync(join(folder, "positions")).filter((name) => name !== "pruned");

it("keeps a position for as long as it may be wanted, and then removes all of it", async () => {
	const folder = temporaryFolder();
	await leave(folder, "a");
	await leave(folder, "b");
	const files = filesOf(folder);
	expect(files).toHaveLength(4);
	const name = files[0]?.slice(0, 32);
	// Set aside once, and left by a crash.
	for (const left of [`${name}.json.damaged-1`, `.${name}.json.1.tmp`])
		writeFileSync(join(folder, "positions", left), "{");
	const prune = (days: number) => {
		mark(folder, days - 2);
		return prunePositions({ ...options(folder), now: later(days) });
	};
	expect(await prune(UNUSED_DAYS - 1)).toBe(0);
	expect(filesOf(folder)).toHaveLength(6);
	expect(await prune(UNUSED_DAYS + 1)).toBe(2);
	expect(filesOf(folder)).toEqual([]);
});

it("never removes one that somebody has, however long it was quiet", async () => {
	const folder = temporaryFolder();
	await leave(folder, "a");
	const held = await openPosition(about("held"), options(folder));
	await held.save("c2");
	mark(folder, UNUSED_DAYS - 1);
	const now = later(UNUSED_DAYS + 1);
	expect(await prunePositions({ ...options(folder), now })).toBe(1);
	expect(await held.isOurs()).toBe(true);
	await held.release();
	const { earlier } = await openPosition(about("held"), options(folder));
	expect(earlier?.cursor).toBe("c2");
});

it("leaves one alone whose holder lives in another process", async () => {
	const folder = temporaryFolder();
	await leave(folder, "a");
	const [name = ""] = filesOf(folder).filter((file) => file.endsWith(".json"));
	const lock = join(folder, "positions", name.replace(/json$/, "lock"));
	writeFileSync(lock, JSON.stringify({ pid: 7, host: "here" }));
	const isAlive = (pid: number) => pid === 7;
	mark(folder, UNUSED_DAYS - 1);
	const now = later(UNUSED_DAYS + 1);
	const others = { ...options(folder), now, owner: { ...owner, isAlive } };
	expect(await prunePositions(others)).toBe(0);
	expect(filesOf(folder)).toHaveLength(3);
});

it("looks once a day, and touches no file of another kind", async () => {
	const folder = temporaryFolder();
	await leave(folder, "a");
	const other = join(folder, "positions", "notes.txt");
	writeFileSync(other, "mine");
	const old = new Date(Date.now() - 2 * UNUSED_DAYS * DAY_MS);
	const age = () => {
		for (const name of filesOf(folder))
			utimesSync(join(folder, "positions", name), old, old);
	};
	expect(await prunePositions(options(folder))).toBe(0);
	age();
	expect(await prunePositions(options(folder))).toBe(0);
	const now = later(1.1);
	expect(await prunePositions({ ...options(folder), now })).toBe(1);
	expect(filesOf(folder)).toEqual(["notes.txt"]);
});

it("removes nothing because a clock jumped: it takes a second look", async () => {
	const folder = temporaryFolder();
	await leave(folder, "a");
	const prune = (days: number) =>
		prunePositions({ ...options(folder), now: later(days) });
	expect(await prune(10 * UNUSED_DAYS)).toBe(0);
	mark(folder, 0);
	expect(await prune(10 * UNUSED_DAYS)).toBe(0);
	expect(filesOf(folder)).toHaveLength(2);
	mark(folder, 10 * UNUSED_DAYS);
	expect(await prune(10 * UNUSED_DAYS + 2)).toBe(1);
});

it("does without a folder", async () => {
	expect(await prunePositions(options(temporaryFolder()))).toBe(0);
});
