import {
	appendFile,
	chmod,
	mkdir,
	rename,
	rm,
	symlink,
	unlink,
	utimes,
	writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { findProblems } from "../../../../src/arguments/index.ts";
import { openDirSource } from "../../../../src/reference/index.ts";
import { realClock } from "../../manual-clock.ts";
import { ask, type Json, take } from "../../wire-client.ts";
import { makeFolder, openDirServer } from "./dir-server.ts";

let place: Awaited<ReturnType<typeof makeFolder>>;
beforeEach(async () => {
	place = await makeFolder();
});
afterEach(() => place.remove());

const isRoot = process.getuid?.() === 0;
const PATIENCE = { timeout: 10_000 };

describe("a watched folder", () => {
	it("tells of a file that comes, with its size and time, and not of what stood there", async () => {
		await writeFile(place.at("old"), "");
		await using dir = await openDirServer(place.folder);
		const created = await dir.follow("dir.created");
		await writeFile(place.at("new.txt"), "hello");
		const [data] = await created.data(1);
		expect(data).toEqual({
			path: "new.txt",
			kind: "file",
			sizeBytes: 5,
			modifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
		});
		const { payloadSchema } = dir.source.types[0]?.descriptor ?? {};
		expect(await findProblems(data, payloadSchema)).toEqual([]);
	});

	it("tells of a file that changes, be it by its time alone", async () => {
		await writeFile(place.at("a"), "1");
		await using dir = await openDirServer(place.folder);
		const changed = await dir.follow("dir.changed");
		await appendFile(place.at("a"), "2");
		expect(await changed.data(1)).toMatchObject([{ path: "a", sizeBytes: 2 }]);
		await utimes(place.at("a"), 1, 1);
		expect(await changed.data(1)).toMatchObject([
			{ modifiedAt: "1970-01-01T00:00:01.000Z" },
		]);
	});

	it("tells a file that another took the place of as changed, once", async () => {
		await writeFile(place.at("a"), "1");
		await using dir = await openDirServer(place.folder);
		const changed = await dir.follow("dir.changed");
		await writeFile(place.at(".tmp"), "22");
		await rename(place.at(".tmp"), place.at("a"));
		expect(await changed.paths(1)).toEqual(["a"]);
		expect((await dir.poll("dir.created")).events).toEqual([]);
		expect((await dir.poll("dir.removed")).events).toEqual([]);
	});

	it("tells a renamed file as removed and created", async () => {
		await writeFile(place.at("a"), "1");
		await using dir = await openDirServer(place.folder);
		const removed = await dir.follow("dir.removed");
		const created = await dir.follow("dir.created");
		await rename(place.at("a"), place.at("b"));
		expect([await removed.paths(1), await created.paths(1)]).toEqual([
			["a"],
			["b"],
		]);
	});

	it("tells of all that is in a folder that is moved in, and moved out again", async () => {
		await using other = {
			...(await makeFolder()),
			[Symbol.asyncDispose]: () => other.remove(),
		};
		await mkdir(other.at("x/deep"), { recursive: true });
		await writeFile(other.at("x/deep/f"), "");
		await using dir = await openDirServer(place.folder);
		const created = await dir.follow("dir.created");
		const removed = await dir.follow("dir.removed");
		await rename(other.at("x"), place.at("y"));
		expect((await created.paths(3)).sort()).toEqual([
			"y",
			"y/deep",
			"y/deep/f",
		]);
		await rename(place.at("y"), other.at("x"));
		expect((await removed.paths(3)).sort()).toEqual([
			"y",
			"y/deep",
			"y/deep/f",
		]);
	});

	it("tells a file that a folder takes the place of as removed and created", async () => {
		await writeFile(place.at("a"), "1");
		await using dir = await openDirServer(place.folder);
		const created = await dir.follow("dir.created");
		await unlink(place.at("a"));
		await mkdir(place.at("a"));
		expect(await created.data(1)).toMatchObject([
			{ path: "a", kind: "folder" },
		]);
		expect((await dir.poll("dir.removed")).events).toMatchObject([
			{ data: { path: "a", kind: "file" } },
		]);
	});

	it("tells of a file that grows once, when it is quiet", async () => {
		await using dir = await openDirServer(place.folder, { settleMs: 1_000 });
		const created = await dir.follow("dir.created");
		for (let piece = 0; piece < 20; piece++) {
			await appendFile(place.at("big"), "x".repeat(1000));
			await new Promise(setImmediate);
		}
		expect(await created.data(1)).toMatchObject([{ sizeBytes: 20_000 }]);
		expect((await dir.poll("dir.changed")).events).toEqual([]);
	});

	it("looks at links, and never beyond them", async () => {
		await using other = {
			...(await makeFolder()),
			[Symbol.asyncDispose]: () => other.remove(),
		};
		await writeFile(other.at("secret"), "");
		await mkdir(place.at("real"));
		await writeFile(place.at("real/secret"), "");
		await using dir = await openDirServer(place.folder, { lookEveryMs: 50 });
		const created = await dir.follow("dir.created");
		const removed = await dir.follow("dir.removed");
		await symlink(other.folder, place.at("link"));
		expect(await created.data(1)).toMatchObject([
			{ path: "link", kind: "link" },
		]);
		// What was told as inside is not looked at outside.
		await rm(place.at("real"), { recursive: true });
		await symlink(other.folder, place.at("real"));
		expect((await removed.paths(2)).sort()).toEqual(["real", "real/secret"]);
		await writeFile(other.at("more"), "");
		await writeFile(place.at("last"), "");
		expect((await created.paths(2)).sort()).toEqual(["last", "real"]);
	});

	it.each(["a\nb\u001b[2J\u202e", 'q"\\', "ünï😀", " "])(
		"passes on the name %j as it is",
		async (name) => {
			await using dir = await openDirServer(place.folder);
			const created = await dir.follow("dir.created");
			await writeFile(place.at(name), "");
			expect(await created.paths(1)).toEqual([name]);
		},
	);

	it.skipIf(process.platform !== "linux")(
		"says that it cannot tell of names that are no UTF-8, and goes on",
		async () => {
			const bytes = Buffer.concat([
				Buffer.from(`${place.folder}/`),
				Buffer.from([0xff, 0x61]),
			]);
			await using dir = await openDirServer(place.folder, { lookEveryMs: 50 });
			const created = await dir.follow("dir.created");
			await writeFile(bytes, "");
			await writeFile(place.at("good"), "");
			expect(await created.paths(1)).toEqual(["good"]);
			await vi.waitFor(
				() => expect(dir.notes).toEqual([expect.stringContaining("not UTF-8")]),
				PATIENCE,
			);
			await rm(bytes);
		},
	);

	it("leaves out what is ignored, at any depth", async () => {
		await using dir = await openDirServer(place.folder, {
			ignore: ["node_modules", "*.tmp", "logs/**"],
		});
		const created = await dir.follow("dir.created");
		for (const folder of ["node_modules/x", "sub", "logs"])
			await mkdir(place.at(folder), { recursive: true });
		for (const file of ["node_modules/x/f", "sub/a.tmp", "logs/b", "sub/c"])
			await writeFile(place.at(file), "");
		expect((await created.paths(2)).sort()).toEqual(["sub", "sub/c"]);
		await writeFile(place.at("last"), "");
		expect(await created.paths(1)).toEqual(["last"]);
	});

	it.skipIf(isRoot)("says once what it may not read, and goes on", async () => {
		await mkdir(place.at("shut"));
		await chmod(place.at("shut"), 0);
		await using dir = await openDirServer(place.folder);
		const created = await dir.follow("dir.created");
		await writeFile(place.at("open"), "");
		expect(await created.paths(1)).toEqual(["open"]);
		expect(dir.notes.join()).toContain("EACCES");
		await chmod(place.at("shut"), 0o700);
	});
});

describe("filters of a watched folder", () => {
	it.each([
		[{ glob: "**/*.pdf" }, ["a.pdf", "in/b.pdf", "in/deep/c.pdf"]],
		[{ glob: "in/*" }, ["in/b.pdf", "in/deep", "in/x.PDF"]],
		[{ extension: "pdf" }, ["a.pdf", "in/b.pdf", "in/deep/c.pdf", "in/x.PDF"]],
		[{ under: "in/deep" }, ["in/deep/c.pdf"]],
		[{ under: "in", kind: "folder" }, ["in/deep"]],
	])("%j let through what fits alone", async (args, paths) => {
		await using dir = await openDirServer(place.folder);
		const created = await dir.follow("dir.created");
		await mkdir(place.at("in/deep"), { recursive: true });
		for (const file of ["a.pdf", "in/b.pdf", "in/deep/c.pdf", "in/x.PDF"])
			await writeFile(place.at(file), "");
		await created.paths(6);
		const { events } = await dir.poll("dir.created", undefined, args);
		const found = events.map(
			(event: { data: { path: string } }) => event.data.path,
		);
		expect(found.sort()).toEqual(paths);
	});
});

describe("a watched folder that goes away", () => {
	it("is told file by file; when it is back, with a gap before what is new in it", async () => {
		await writeFile(place.at("a"), "");
		await using dir = await openDirServer(place.folder);
		const removed = await dir.follow("dir.removed");
		const created = await dir.follow("dir.created");
		await rm(place.folder, { recursive: true });
		expect(await removed.paths(1)).toEqual(["a"]);
		await vi.waitFor(
			() => expect(dir.notes.join()).toContain("gone"),
			PATIENCE,
		);
		await mkdir(place.folder);
		await writeFile(place.at("b"), "");
		const [gap, event] = await take(created.messages, 2);
		expect(gap).toMatchObject({
			method: "notifications/events/active",
			params: { truncated: true },
		});
		expect(event.params.data.path).toBe("b");
	});

	it("is missed though another took its place at once, with what is different in that", async () => {
		for (const name of ["same", "only-old"])
			await writeFile(place.at(name), "");
		await using dir = await openDirServer(place.folder);
		const removed = await dir.follow("dir.removed");
		const created = await dir.follow("dir.created");
		await rm(place.folder, { recursive: true });
		await mkdir(place.folder);
		await writeFile(place.at("new"), "");
		const told = async (messages: AsyncGenerator<Json>, count: number) =>
			(await take(messages, count)).map(
				({ params }) => params.data?.path ?? params.truncated,
			);
		expect(await told(removed.messages, 3)).toEqual(
			expect.arrayContaining(["only-old", "same", true]),
		);
		expect(await told(created.messages, 2)).toEqual(
			expect.arrayContaining(["new", true]),
		);
	});
});

describe("a watched folder that is closed", () => {
	it("leaves no watcher and no timer of its own behind", async () => {
		const watchers = () =>
			process
				.getActiveResourcesInfo()
				.filter((kind) => kind.startsWith("FSEvent")).length;
		const before = watchers();
		await mkdir(place.at("a/b/c"), { recursive: true });
		const timers = new Set<object>();
		const clock = {
			now: realClock.now,
			setTimer(act: () => void, ms: number) {
				const key = {};
				timers.add(key);
				const cancel = realClock.setTimer(() => {
					timers.delete(key);
					act();
				}, ms);
				return () => {
					timers.delete(key);
					cancel();
				};
			},
		};
		const source = await openDirSource({
			path: place.folder,
			clock,
			epoch: "run",
		});
		expect(watchers()).toBeGreaterThan(before);
		await writeFile(place.at("a/f"), "");
		await vi.waitFor(() => expect(timers.size).toBeGreaterThan(1), PATIENCE);
		await source.close();
		expect(timers.size).toBe(0);
		await vi.waitFor(() => expect(watchers()).toBe(before), PATIENCE);
	});
});

describe("cursors of a watched folder", () => {
	it("of an earlier run are a gap; null is now", async () => {
		await using dir = await openDirServer(place.folder);
		const created = await dir.follow("dir.created");
		await writeFile(place.at("a"), "");
		await created.paths(1);
		const params = { name: "dir.created" };
		const { result } = await ask(dir.server.url, "events/poll", params);
		expect(result).toMatchObject({ events: [], truncated: false });
		expect(await dir.poll("dir.created", "v1.before.1")).toMatchObject({
			truncated: true,
		});
		const { events } = await dir.poll("dir.created");
		expect(events).toMatchObject([{ eventId: "dir-run-1" }]);
	});
});

describe("a folder that cannot be watched", () => {
	it.each([
		["is not there", "missing", {}, "file-failed"],
		["is a file", "file", {}, "wrong-use"],
		[
			"would have a prefix that is no name",
			".",
			{ prefix: "a/b" },
			"wrong-use",
		],
	])("is refused where it %s", async (_what, path, more, code) => {
		await writeFile(place.at("file"), "");
		const options = {
			path: join(place.folder, path),
			clock: realClock,
			epoch: "run",
		};
		await expect(openDirSource({ ...options, ...more })).rejects.toMatchObject({
			code,
		});
	});
});
