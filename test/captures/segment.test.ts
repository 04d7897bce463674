import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createPrivateFile, openSegment } from "../../src/captures/segment.ts";
import {
	type Failings,
	failingDisk,
} from "../fixtures/captures/failing-disk.ts";

const line = (text: string) => Buffer.from(`${text}\n`);

async function openOn(failings: Failings) {
	const disk = failingDisk(failings);
	const segment = await openSegment({
		path: "x",
		sync: true,
		openDisk: async () => disk,
	});
	return { disk, segment };
}

describe("a segment", () => {
	it("is a private file that nobody else has made", async () => {
		const path = join(await mkdtemp(join(tmpdir(), "segment-")), "a.ndjson");
		const segment = await openSegment({
			path,
			sync: true,
			openDisk: createPrivateFile,
		});
		await segment.commit(line("one"));
		await segment.close();
		expect((await stat(path)).mode & 0o777).toBe(0o600);
		expect(await readFile(path, "utf8")).toBe("one\n");
		await expect(
			openSegment({ path, sync: true, openDisk: createPrivateFile }),
		).rejects.toMatchObject({ code: "EEXIST" });
	});

	it("writes on where the disk takes less than it was given", async () => {
		const { disk, segment } = await openOn({ shortBytes: 3 });
		await segment.commit(line("a long line"));
		expect(disk.content.toString()).toBe("a long line\n");
		expect(disk.synced).toBe(segment.size);
	});

	it("leaves no part of a line behind when the disk runs full, and goes on when there is room again", async () => {
		let room = 10;
		const { disk, segment } = await openOn({ room: () => room });
		await segment.commit(line("first"));
		await expect(segment.commit(line("a line too long"))).rejects.toMatchObject(
			{ code: "ENOSPC" },
		);
		expect(disk.content.toString()).toBe("first\n");
		expect(segment.isBroken).toBe(false);
		room = 100;
		await segment.commit(line("third"));
		expect(disk.content.toString()).toBe("first\nthird\n");
	});

	it.each([
		["a sync failed", { failSync: () => true }],
		[
			"what was written cannot be cut off",
			{ room: () => 2, failTruncate: () => true },
		],
	])("is broken once %s", async (_, failings) => {
		const { segment } = await openOn(failings);
		await expect(segment.commit(line("lost"))).rejects.toThrow();
		expect(segment).toMatchObject({ isBroken: true, size: 0 });
	});
});
