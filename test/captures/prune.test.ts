import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { pruneCaptures, writeCaptureLine } from "../../src/captures/index.ts";

const OWNER = { pid: 1, host: "here", isAlive: () => true };
const FILE = "2026-01-01T00-00-00-000Z-0b1c2d3e-000001.ndjson";
const OTHER = "2026-01-02T00-00-00-000Z-0b1c2d3e-000002.ndjson";

const line = (n: number) =>
	writeCaptureLine(`cap_x_0b1c2d3e_${n}`, {
		receivedAtMs: n,
		method: "POST",
		path: "/",
		headers: [],
		body: Buffer.from("{}"),
		verdict: { kind: n % 2 ? "valid" : "no-match" },
		answer: { status: 204 },
	});

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-prune-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, "rejected"));
	writeFileSync(join(folder, FILE), Buffer.concat([line(1), line(2)]));
	writeFileSync(join(folder, OTHER), Buffer.concat([line(3), line(5)]));
	writeFileSync(join(folder, "rejected", FILE), line(4));
	return folder;
}

const prune = (folder: string, filters: object, isDryRun = false) =>
	pruneCaptures({ folder, filters, isDryRun, owner: OWNER });

describe("captures that are pruned", () => {
	it("go from the middle of a file, and the others stay byte for byte", async () => {
		const folder = makeFolder();
		const pruned = await prune(folder, { verdicts: ["no-match"] });
		expect(pruned).toEqual({
			captures: 2,
			bytes: line(2).length + line(4).length,
			busyFiles: 0,
		});
		expect(readFileSync(join(folder, FILE))).toEqual(line(1));
		expect(readdirSync(join(folder, "rejected"))).toEqual([]);
	});

	it("take their file with them where nothing is left in it", async () => {
		const folder = makeFolder();
		await prune(folder, { untilMs: 2 });
		expect(readdirSync(folder).sort()).toEqual([OTHER, "rejected"]);
	});

	it("are only counted in a dry run", async () => {
		const folder = makeFolder();
		expect((await prune(folder, {}, true)).captures).toBe(5);
		expect(readdirSync(folder).sort()).toEqual([FILE, OTHER, "rejected"]);
	});

	it("stay where a listener writes", async () => {
		const folder = makeFolder();
		const lock = JSON.stringify({ pid: 2, host: "here" });
		writeFileSync(join(folder, "0b1c2d3e.lock"), lock);
		expect(await prune(folder, {})).toMatchObject({
			captures: 0,
			busyFiles: 3,
		});
	});

	it("leave lines alone that are no captures, and files that are not ours", async () => {
		const folder = makeFolder();
		const odd = Buffer.from("what is this\n");
		writeFileSync(join(folder, FILE), Buffer.concat([line(1), odd]));
		writeFileSync(join(folder, "mine.ndjson"), line(1));
		await prune(folder, {});
		expect(readFileSync(join(folder, FILE))).toEqual(odd);
		expect(readdirSync(folder)).toContain("mine.ndjson");
	});

	it("cannot go from a folder that is not there", async () => {
		await expect(prune("/nowhere/captures", {})).rejects.toMatchObject({
			code: "file-failed",
		});
	});
});
