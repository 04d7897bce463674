// A folder into which thousands of files fall at once, and that is then taken away and put back.
import { execFileSync } from "node:child_process";
import { mkdir, rm } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { amount } from "../helpers/amount.ts";
import {
	makeFolder,
	openDirServer,
} from "../reference/sources/dir/dir-server.ts";
import { take } from "../reference/wire-client.ts";

const COUNT = amount(10_000, 2_000);

/** By another process, in a few folders, as fast as it can. */
const writeFiles = (folder: string) =>
	execFileSync("sh", [
		"-c",
		`cd "$1" && for d in a b/c d; do mkdir -p $d; done
		seq 1 ${COUNT} | awk '{print (($1%3==0)?"a":($1%3==1)?"b/c":"d") "/f" $1}' | xargs touch`,
		"sh",
		folder,
	]);

describe(`${COUNT} files`, () => {
	it("are told each once as they come and as they go, and again when the folder is back", async () => {
		const place = await makeFolder();
		await using dir = await openDirServer(place.folder, {
			bufferSize: 3 * COUNT,
			lookEveryMs: 1_000,
			settleMs: 250,
		});
		const args = { kind: "file" };
		const created = await dir.follow("dir.created", args);
		const removed = await dir.follow("dir.removed", args);
		const startedAt = performance.now();
		writeFiles(place.folder);
		const came = await created.paths(COUNT);
		expect(new Set(came).size).toBe(COUNT);
		const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
		const memory = Math.round(process.memoryUsage().rss / 1024 / 1024);
		console.log(
			`${COUNT} files told ${seconds} s after the first, at ${memory} MiB`,
		);
		await rm(place.folder, { recursive: true });
		const went = await removed.paths(COUNT);
		expect(went.sort()).toEqual(came.sort());
		await mkdir(place.folder);
		writeFiles(place.folder);
		const [gap] = await take(created.messages, 1);
		expect(gap.params).toMatchObject({ truncated: true });
		expect(new Set(await created.paths(COUNT)).size).toBe(COUNT);
		await place.remove();
	});
});
