import { readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { lockHolder, takeLock } from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const owner = (pid: number, alive: number[] = []) => ({
	pid,
	host: "here",
	isAlive: (other: number) => alive.includes(other),
});

const written = (pid: number, host = "here") =>
	`${JSON.stringify({ pid, host })}\n`;

it("is held by one at a time, and free again after its release", async () => {
	const path = join(temporaryFolder(), "locks", "a.lock");
	const first = await takeLock(path, owner(1), { unique: "a" });
	expect(await takeLock(path, owner(1), { unique: "b" })).toBeUndefined();
	await first?.release();
	const second = await takeLock(path, owner(1), { unique: "c" });
	expect(second).toBeDefined();
	await second?.release();
});

it.each([
	["another process that lives", written(7), [7], false],
	["another machine", written(7, "elsewhere"), [], false],
	["a process that is gone", written(7), [], true],
	["a process of our own number, before a restart", written(1), [1], true],
	["nobody that can be read", "{", [], true],
	["nobody at all", "", [], true],
])("of %s", async (_what, text, alive, isTaken) => {
	const folder = temporaryFolder();
	const path = join(folder, "a.lock");
	writeFileSync(path, text);
	const lock = await takeLock(path, owner(1, alive), { unique: "u" });
	expect(lock !== undefined).toBe(isTaken);
	expect(readdirSync(folder)).toEqual(["a.lock"]);
	await lock?.release();
});

it("of a dead process goes to one of many that want it", async () => {
	const path = join(temporaryFolder(), "a.lock");
	writeFileSync(path, written(7));
	const tries = ["a", "b", "c", "d"].map((unique) =>
		takeLock(path, owner(1), { unique: unique }),
	);
	const locks = (await Promise.all(tries)).filter((lock) => lock);
	expect(locks).toHaveLength(1);
	await locks[0]?.release();
});

it("says what to do where it cannot be made", async () => {
	const file = join(temporaryFolder(), "file");
	writeFileSync(file, "");
	await expect(
		takeLock(join(file, "a.lock"), owner(1), { unique: "u" }),
	).rejects.toMatchObject({ code: "file-failed" });
});

it("taken over from one that lives is no longer that one's, who then leaves it alone", async () => {
	const path = join(temporaryFolder(), "a.lock");
	const robbed = await takeLock(path, owner(1, [1, 2]), { unique: "a" });
	expect(await robbed?.isOurs()).toBe(true);
	// As another process does it: it knows nothing of what this one holds.
	writeFileSync(path, written(2));
	expect(await robbed?.isOurs()).toBe(false);
	await robbed?.release();
	expect(readdirSync(dirname(path))).toEqual(["a.lock"]);
	expect(await lockHolder(path)).toBe("process 2 on here");
});

it("is stolen where it is asked for", async () => {
	const path = join(temporaryFolder(), "a.lock");
	writeFileSync(path, written(7));
	const how = { unique: "a", steal: true };
	const thief = await takeLock(path, owner(1, [7]), how);
	expect(await thief?.isOurs()).toBe(true);
	await thief?.release();
	expect(readdirSync(dirname(path))).toEqual([]);
});
