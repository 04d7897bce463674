import { randomBytes } from "node:crypto";
import {
	chmod,
	mkdir,
	mkdtemp,
	readdir,
	readFile,
	stat,
	truncate,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	type CaptureLogOptions,
	type Delivery,
	openCaptureLog,
	type Repair,
	readCaptures,
} from "../../src/captures/index.ts";
import { failingDisk } from "../fixtures/captures/failing-disk.ts";

const delivery: Delivery = {
	receivedAtMs: 1_700_000_000_000,
	method: "POST",
	path: "/x",
	headers: [["webhook-id", "msg_1"]],
	body: Buffer.from('{"a":1}'),
	verdict: { kind: "valid" },
	answer: { status: 204 },
};

let clock = delivery.receivedAtMs;
const makeFolder = () => mkdtemp(join(tmpdir(), "captures-"));
const openIn = (folder: string, change: Partial<CaptureLogOptions> = {}) =>
	openCaptureLog({
		folder,
		now: () => clock++,
		randomBytes,
		owner: { pid: 4242, host: "here", isAlive: () => false },
		...change,
	});

async function filesIn(folder: string) {
	const names = (await readdir(folder))
		.filter((name) => name.endsWith(".ndjson"))
		.sort();
	return names.map((name) => join(folder, name));
}

async function idsIn(folder: string) {
	const ids: string[] = [];
	for await (const { id } of readCaptures([folder], {
		odd: (line) => ids.push(line.kind),
	}))
		ids.push(id);
	return ids;
}

/** What a listener leaves behind that was killed in the middle of a line. */
async function leaveTorn(folder: string, lock: string) {
	const log = randomBytes(4).toString("hex");
	const path = join(folder, `2026-01-01T00-00-00-000Z-${log}-000001.ndjson`);
	await mkdir(folder, { recursive: true });
	await writeFile(path, '{"whole":1}\n{"torn":');
	await writeFile(join(folder, `${log}.lock`), lock);
	return path;
}

describe("a capture log", () => {
	it("keeps deliveries in private files and gives each an id of its own", async () => {
		const folder = join(await makeFolder(), "new");
		const log = await openIn(folder);
		const kept = await Promise.all([1, 2, 3].map(() => log.append(delivery)));
		await log.close();
		const [file = ""] = await filesIn(folder);
		expect((await stat(file)).mode & 0o777).toBe(0o600);
		expect((await stat(folder)).mode & 0o777).toBe(0o700);
		expect(await idsIn(folder)).toEqual(kept.map(({ id }) => id));
		expect(new Set(kept.map(({ id }) => id)).size).toBe(3);
	});

	it("leaves nothing behind when nothing came", async () => {
		const folder = await makeFolder();
		await (await openIn(folder)).close();
		expect(await readdir(folder)).toEqual(["rejected"]);
		expect(await readdir(join(folder, "rejected"))).toEqual([]);
	});

	it("goes on in a new file when one is full, and all are read in order", async () => {
		const folder = await makeFolder();
		const log = await openIn(folder, { segmentBytes: 300 });
		const ids: string[] = [];
		for (let at = 0; at < 10; at++) ids.push((await log.append(delivery)).id);
		await log.close();
		expect((await filesIn(folder)).length).toBeGreaterThan(3);
		expect(await idsIn(folder)).toEqual(ids);
	});

	it("keeps the rejected apart and within their bound, the newest ones", async () => {
		const folder = await makeFolder();
		const log = await openIn(folder, { rejectedBytes: 16_000 });
		const ids: string[] = [];
		for (let at = 0; at < 300; at++)
			ids.push(
				(
					await log.appendRejected({
						...delivery,
						verdict: { kind: "no-match" },
					})
				).id,
			);
		await log.close();
		const files = await filesIn(join(folder, "rejected"));
		const sizes = await Promise.all(
			files.map(async (file) => (await stat(file)).size),
		);
		expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(16_000);
		const left = await idsIn(join(folder, "rejected"));
		expect(left.length).toBeGreaterThan(20);
		expect(left).toEqual(ids.slice(-left.length));
		expect(await idsIn(folder)).toEqual([]);
	});

	it("makes room among what earlier listeners rejected", async () => {
		const folder = await makeFolder();
		for (let run = 0; run < 20; run++) {
			const log = await openIn(folder, { rejectedBytes: 8000 });
			for (let at = 0; at < 4; at++) await log.appendRejected(delivery);
			await log.close();
		}
		const files = await filesIn(join(folder, "rejected"));
		const sizes = await Promise.all(
			files.map(async (file) => (await stat(file)).size),
		);
		expect(sizes.reduce((a, b) => a + b)).toBeLessThanOrEqual(8000);
	});

	it("gives a fault for a delivery that a full disk does not take", async () => {
		const disk = failingDisk({ room: () => 10 });
		const log = await openIn(await makeFolder(), {
			openDisk: async () => disk,
		});
		await expect(log.append(delivery)).rejects.toMatchObject({
			code: "file-failed",
			why: expect.stringContaining("ENOSPC"),
		});
		expect(disk.content.length).toBe(0);
	});

	it("does not open where it cannot write, and says so", async () => {
		const file = join(await makeFolder(), "file");
		await writeFile(file, "");
		await expect(openIn(join(file, "folder"))).rejects.toMatchObject({
			code: "file-failed",
			what: expect.stringContaining("captures cannot be kept in"),
		});
		const readOnly = async () => {
			throw Object.assign(new Error("EROFS: read-only file system"), {
				code: "EROFS",
			});
		};
		const folder = await makeFolder();
		await expect(openIn(folder, { openDisk: readOnly })).rejects.toMatchObject({
			code: "file-failed",
			why: expect.stringContaining("EROFS"),
		});
		expect(await readdir(folder)).toEqual(["rejected"]);
	});
});

describe("what a crash leaves", () => {
	it.each([
		["a process that is gone", '{"pid":1,"host":"here"}'],
		["our own process id, from before a restart", '{"pid":4242,"host":"here"}'],
	])("is repaired if it is of %s", async (_, lock) => {
		const folder = await makeFolder();
		const path = await leaveTorn(folder, lock);
		const inRejected = await leaveTorn(join(folder, "rejected"), lock);
		const repairs: Repair[] = [];
		await (
			await openIn(folder, { repaired: (repair) => repairs.push(repair) })
		).close();
		expect(await readFile(path, "utf8")).toBe('{"whole":1}\n');
		expect(repairs).toEqual([
			{ path, droppedBytes: 8 },
			{ path: inRejected, droppedBytes: 8 },
		]);
		expect(
			(await readdir(folder)).filter((name) => name.endsWith(".lock")),
		).toEqual([]);
	});

	it.each([
		["a process that runs", '{"pid":77,"host":"here"}'],
		["another machine on the same disk", '{"pid":1,"host":"there"}'],
		["a process that is writing its lock", ""],
	])("is left alone if it may be of %s", async (_, lock) => {
		const folder = await makeFolder();
		const path = await leaveTorn(folder, lock);
		const owner = {
			pid: 4242,
			host: "here",
			isAlive: (pid: number) => pid === 77,
		};
		const nowMs = (await stat(path)).mtimeMs;
		await (await openIn(folder, { owner, now: () => nowMs })).close();
		expect(await readFile(path, "utf8")).toBe('{"whole":1}\n{"torn":');
	});

	it("is repaired when it has rested, whosever it is", async () => {
		const folder = await makeFolder();
		const path = await leaveTorn(folder, '{"pid":1,"host":"there"}');
		const later = (await stat(path)).mtimeMs + 3_600_000;
		await (await openIn(folder, { now: () => later })).close();
		expect(await readFile(path, "utf8")).toBe('{"whole":1}\n');
	});

	it("may be a file without one whole line, or one longer than a chunk", async () => {
		const folder = await makeFolder();
		const path = await leaveTorn(folder, '{"pid":1,"host":"here"}');
		await writeFile(path, `${"a".repeat(100)}\n${"b".repeat(200_000)}`);
		const other = await leaveTorn(folder, '{"pid":1,"host":"here"}');
		await truncate(other, 5);
		await (await openIn(folder)).close();
		expect([(await stat(path)).size, (await stat(other)).size]).toEqual([
			101, 0,
		]);
	});

	it("is told from files that are not ours", async () => {
		const folder = await makeFolder();
		const path = join(folder, "mine.ndjson");
		await writeFile(path, "half a line");
		await chmod(path, 0o600);
		await (await openIn(folder)).close();
		expect(await readFile(path, "utf8")).toBe("half a line");
	});
});

describe("two logs on one folder", () => {
	it("write files of their own and disturb neither each other nor a later one", async () => {
		const folder = await makeFolder();
		const first = await openIn(folder);
		const kept = [await first.append(delivery)];
		const second = await openIn(folder);
		kept.push(
			...(await Promise.all([first.append(delivery), second.append(delivery)])),
		);
		await (await openIn(folder)).close();
		kept.push(await first.append(delivery));
		await Promise.all([first.close(), second.close()]);
		expect((await idsIn(folder)).sort()).toEqual(
			kept.map(({ id }) => id).sort(),
		);
	});
});
