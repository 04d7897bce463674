import { existsSync, readdirSync, readlinkSync } from "node:fs";
import {
	appendFile,
	mkdtemp,
	rename,
	rm,
	truncate,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProblems } from "../../../src/arguments/index.ts";
import { openFileSource, type Source } from "../../../src/reference/index.ts";
import { createManualClock } from "../manual-clock.ts";

/** Where Linux lists what a process has open. */
const FDS = "/proc/self/fd";

let folder = "";
let path = "";
beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), "file-source-"));
	path = join(folder, "app.log");
});
afterEach(() => rm(folder, { recursive: true }));

/** Reads on from where it stood, as a stream or a poller would. */
async function openReader(more = {}) {
	const clock = createManualClock();
	const notes: string[] = [];
	const note = (text: string) => notes.push(text);
	const source = await openFileSource({ path, clock, note, ...more });
	const type = source.types[0] as Source["types"][number];
	let cursor = await type.head({});
	const read = async (args = {}, request = {}) => {
		const lines: string[] = [];
		const events = [];
		let truncated = false;
		for (let hasMore = true; hasMore; ) {
			const batch = await type.read({
				arguments: args,
				cursor,
				limit: 100,
				...request,
			});
			events.push(...batch.events.map(({ head }) => JSON.parse(`${head}}`)));
			truncated ||= batch.truncated;
			({ cursor, hasMore } = batch);
		}
		for (const { data } of events) lines.push(data.line);
		return { lines, events, truncated };
	};
	const seek = (to: string) => {
		cursor = to;
	};
	return {
		source,
		type,
		clock,
		notes,
		read,
		seek,
		cursor: () => cursor,
		close: () => source.close(),
	};
}

/** Time for the old file to be left after a rotation. */
const leaveOldFile = async (
	clock: { advance(ms: number): Promise<void> },
	read: () => Promise<unknown>,
) => {
	await read();
	await clock.advance(1_000);
};

describe("a file that grows", () => {
	it("gives each line once, from now on, the unfinished one when it is finished", async () => {
		await writeFile(path, "old\npart");
		const reader = await openReader();
		await appendFile(path, "ial\r\nnext\nunfin");
		expect((await reader.read()).lines).toEqual(["partial", "next"]);
		await appendFile(path, "ished\n");
		expect((await reader.read()).lines).toEqual(["unfinished"]);
		await reader.close();
	});

	it("tells where each line stands, with a stable id, and a payload that fits", async () => {
		await writeFile(path, "héllo\nb\n");
		const reader = await openReader();
		const start = reader.cursor().replace(/\d+$/, "0");
		reader.seek(start);
		const first = await reader.read();
		reader.seek(start);
		const second = await reader.read();
		expect(first.events).toEqual(second.events);
		expect(first.events.map((event) => event.data)).toEqual([
			{ path, line: "héllo", offset: 0 },
			{ path, line: "b", offset: 7 },
		]);
		for (const { data } of first.events)
			expect(
				await findProblems(data, reader.type.descriptor.payloadSchema),
			).toEqual([]);
		await reader.close();
	});

	it("keeps to the filter, and looks past what does not fit", async () => {
		await writeFile(path, "");
		const reader = await openReader();
		await appendFile(path, "INFO a\nERROR b\nINFO c\nERROR d\n");
		const { lines } = await reader.read({ contains: "ERROR" }, { limit: 1 });
		expect(lines).toEqual(["ERROR b", "ERROR d"]);
		expect((await reader.read()).lines).toEqual([]);
		await reader.close();
	});

	it("replaces bytes that are no UTF-8, and sends an endless line in pieces that lose nothing", async () => {
		await writeFile(path, "");
		const reader = await openReader();
		await appendFile(path, Buffer.from([0x61, 0xff, 0x0a]));
		const long = "é".repeat(100_000);
		await appendFile(path, `${long}\nafter\n`);
		const { lines, events } = await reader.read();
		expect(lines[0]).toBe("a�");
		expect(lines.slice(1, -1).join("")).toBe(long);
		expect(lines.at(-1)).toBe("after");
		expect(events.map((event) => event.data.part ?? false)).toEqual([
			false,
			true,
			true,
			true,
			false,
			false,
		]);
		await reader.close();
	});

	it("gives many lines in bounded batches", async () => {
		await writeFile(path, "");
		const reader = await openReader();
		const lines = Array.from(
			{ length: 20_000 },
			(_v, i) => `line ${i} ${"x".repeat(i % 90)}`,
		);
		await appendFile(path, `${lines.join("\n")}\n`);
		expect((await reader.read()).lines).toEqual(lines);
		await reader.close();
	});

	it("goes no further back than maxAgeMs, and says so", async () => {
		await writeFile(path, "");
		const reader = await openReader();
		const start = reader.cursor();
		await appendFile(path, "early\n");
		await reader.read();
		await reader.clock.advance(60_000);
		await appendFile(path, "late\n");
		await reader.read();
		reader.seek(start);
		const sinceMs = reader.clock.now() - 30_000;
		expect(await reader.read({}, { sinceMs })).toMatchObject({
			lines: ["late"],
			truncated: true,
		});
		await reader.close();
	});
});

describe("a cursor", () => {
	it("lasts longer than the server, as long as the file does", async () => {
		await writeFile(path, "one\n");
		const before = await openReader();
		await before.close();
		await appendFile(path, "two\n");
		const after = await openReader();
		after.seek(before.cursor());
		expect(await after.read()).toMatchObject({
			lines: ["two"],
			truncated: false,
		});
		await after.close();
	});

	it("of another file is a gap", async () => {
		await writeFile(path, "one\n");
		const before = await openReader();
		await before.close();
		await writeFile(join(folder, "new"), "two\n");
		await rename(join(folder, "new"), path);
		const after = await openReader();
		after.seek(before.cursor());
		expect(await after.read()).toMatchObject({
			lines: ["two"],
			truncated: true,
		});
		await after.close();
	});

	it.each(["", "7", "v1.1-2.3.4", "v1.1-2-3.0.-4"])(
		"that reads %j is refused",
		async (cursor) => {
			const reader = await openReader();
			reader.seek(cursor);
			await expect(reader.read()).rejects.toThrow("cursor is none of");
			await reader.close();
		},
	);
});

describe("a rotation", () => {
	it("by rename and create loses nothing and tells nothing", async () => {
		await writeFile(path, "");
		const reader = await openReader();
		await appendFile(path, "a\n");
		await rename(path, `${path}.1`);
		await appendFile(`${path}.1`, "b\n");
		await writeFile(path, "c\n");
		expect((await reader.read()).lines).toEqual(["a", "b"]);
		// A writer that has not noticed yet.
		await appendFile(`${path}.1`, "late\nno end");
		await leaveOldFile(reader.clock, reader.read);
		expect(await reader.read()).toMatchObject({
			lines: ["no end", "c"],
			truncated: false,
		});
		await appendFile(path, "d\n");
		expect(await reader.read()).toMatchObject({
			lines: ["d"],
			truncated: false,
		});
		expect(reader.notes).toEqual([]);
		await reader.close();
	});

	it("after which the old file goes on is a gap, told", async () => {
		await writeFile(path, "a\n");
		const reader = await openReader();
		await rename(path, `${path}.1`);
		await writeFile(path, "b\n");
		await leaveOldFile(reader.clock, reader.read);
		expect((await reader.read()).lines).toEqual(["b"]);
		await appendFile(`${path}.1`, "lost\n");
		await reader.clock.advance(250);
		await appendFile(path, "c\n");
		expect(await reader.read()).toMatchObject({
			lines: ["c"],
			truncated: true,
		});
		expect(await reader.read()).toMatchObject({ lines: [], truncated: false });
		expect(reader.notes).toEqual([expect.stringContaining("old file")]);
		await reader.close();
	});

	it("by copy and truncate is a gap, told once", async () => {
		await writeFile(path, "one\ntwo\n");
		const reader = await openReader();
		await truncate(path);
		expect(await reader.read()).toMatchObject({ lines: [], truncated: true });
		await appendFile(path, "three\n");
		expect((await reader.read()).lines).toEqual(["three"]);
		expect(reader.notes).toEqual([expect.stringContaining("truncated")]);
		expect(await reader.read()).toMatchObject({ lines: [], truncated: false });
		await reader.close();
	});

	it("by truncation to the same bytes is a gap all the same", async () => {
		await writeFile(path, "one\n");
		const reader = await openReader();
		const old = reader.cursor();
		await truncate(path);
		await reader.read();
		await appendFile(path, "one\n");
		await reader.read();
		reader.seek(old);
		expect(await reader.read()).toMatchObject({
			lines: ["one"],
			truncated: true,
		});
		await reader.close();
	});
});

describe("a path", () => {
	it("may be empty at first: then its file is read from its start", async () => {
		const reader = await openReader();
		expect(await reader.read()).toMatchObject({ lines: [], truncated: false });
		await writeFile(path, "first\n");
		expect(await reader.read()).toMatchObject({
			lines: ["first"],
			truncated: false,
		});
		await reader.close();
	});

	it("that is no file is told once, and followed when it becomes one", async () => {
		const reader = await openReader({ path: folder });
		await reader.read();
		await reader.clock.advance(1_000);
		expect(reader.notes).toEqual([expect.stringContaining("no regular file")]);
		await reader.close();
	});

	it("wakes those who watch it, by its timer alone too", async () => {
		await writeFile(path, "");
		const reader = await openReader();
		const woken = new Promise<void>((resolve) =>
			reader.type.watch({}, resolve),
		);
		await appendFile(path, "x\n");
		await reader.clock.advance(250);
		await woken;
		await reader.close();
	});

	it.skipIf(!existsSync(FDS))(
		"leaves no file, watcher or timer behind",
		async () => {
			await writeFile(path, "");
			const reader = await openReader();
			await rename(path, `${path}.1`);
			await writeFile(path, "");
			await reader.read();
			expect(openFiles().filter((name) => name.startsWith(folder)).length).toBe(
				2,
			);
			await reader.close();
			expect(openFiles().filter((name) => name.startsWith(folder))).toEqual([]);
			expect(reader.clock.timers).toBe(0);
		},
	);
});

describe("streams that stand at the same place", () => {
	it("share one read of the file", async () => {
		await writeFile(path, "");
		const { type, close } = await openReader();
		const cursor = await type.head({});
		await appendFile(path, "x\n");
		const request = { arguments: {}, cursor, limit: 10 };
		await type.read(request);
		const [one, two] = await Promise.all([
			type.read(request),
			type.read(request),
		]);
		expect(one.events[0]).toBe(two.events[0]);
		await close();
	});
});

function openFiles(): string[] {
	return readdirSync(FDS).flatMap((fd) => {
		try {
			return [readlinkSync(`${FDS}/${fd}`)];
		} catch {
			return [];
		}
	});
}
