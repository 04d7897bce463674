import { describe, expect, it } from "vitest";
import {
	type LineStoreOptions,
	openLineStore,
} from "../../src/captures/line-store.ts";
import {
	type FailingDisk,
	type Failings,
	failingDisk,
} from "../fixtures/captures/failing-disk.ts";

async function openOn(
	failings: Failings,
	change: Partial<LineStoreOptions> = {},
) {
	const disks: FailingDisk[] = [];
	const store = await openLineStore({
		nextPath: () => `file-${disks.length}`,
		segmentBytes: 1000,
		mostWaitingBytes: 10_000,
		sync: true,
		openDisk: async () => {
			const disk = failingDisk(failings);
			disks.push(disk);
			return disk;
		},
		...change,
	});
	return { store, disks };
}

const line = (at: number) => `line ${at}\n`;
const lines = Array.from({ length: 100 }, (_, at) => line(at));

describe("a store of lines", () => {
	it("serves all that wait with one sync, in order", async () => {
		const { store, disks } = await openOn({});
		await Promise.all(lines.map((one) => store.append(one)));
		expect(disks[0]?.content.toString()).toBe(lines.join(""));
		expect(disks[0]?.syncs).toBe(1);
	});

	it("says that a line is kept only after a sync that covers it", async () => {
		const { store, disks } = await openOn({}, { segmentBytes: Infinity });
		let size = 0;
		for (const [at, one] of lines.entries()) {
			size += one.length;
			const end = size;
			const kept = store
				.append(one)
				.then(() => expect(disks[0]?.synced).toBeGreaterThanOrEqual(end));
			if (at % 7 === 0) await kept;
		}
		await store.close();
		expect(disks[0]?.syncs).toBeLessThan(30);
	});

	it("refuses a whole group that does not fit, and keeps the next one that does", async () => {
		let room = 5;
		const { store, disks } = await openOn({ room: () => room });
		const results = await Promise.allSettled([
			store.append(line(1)),
			store.append(line(2)),
		]);
		expect(results).toMatchObject([
			{
				reason: { code: "file-failed", why: expect.stringContaining("ENOSPC") },
			},
			{ status: "rejected" },
		]);
		room = 100;
		await store.append(line(3));
		expect(disks.map(({ content }) => content.toString())).toEqual([
			"line 3\n",
		]);
	});

	it("goes on in a new file after a failed sync", async () => {
		let isFailing = true;
		const { store, disks } = await openOn({ failSync: () => isFailing });
		await expect(store.append(line(1))).rejects.toMatchObject({
			code: "file-failed",
		});
		isFailing = false;
		await store.append(line(2));
		expect(disks.map(({ content }) => content.toString())).toEqual([
			"",
			"line 2\n",
		]);
	});

	it("starts a new file when one is full", async () => {
		const { store, disks } = await openOn({}, { segmentBytes: 15 });
		for (const one of lines.slice(0, 5)) await store.append(one);
		expect(disks.map(({ content }) => content.length)).toEqual([21, 14]);
	});

	it("refuses at once what would wait beyond its bound", async () => {
		const { store } = await openOn({}, { mostWaitingBytes: 10 });
		const [first, second] = await Promise.allSettled([
			store.append(line(1)),
			store.append(line(2)),
		]);
		expect(first.status).toBe("fulfilled");
		expect(second).toMatchObject({
			reason: {
				code: "file-failed",
				why: expect.stringContaining("wait for the disk"),
			},
		});
		await store.append(line(3));
	});

	it("keeps what was appended before it was closed, and nothing after", async () => {
		const { store, disks } = await openOn({});
		const before = store.append(line(1));
		const closing = store.close();
		await expect(store.append(line(2))).rejects.toMatchObject({
			why: "it is closed",
		});
		await Promise.all([before, closing]);
		expect(disks[0]?.synced).toBe(7);
	});
});
