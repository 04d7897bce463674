import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import {
	type Capture,
	eachOf,
	findCaptures,
	readCaptureFolder,
	readDeliveries,
	writeCaptureLine,
} from "../../src/captures/index.ts";

const id = (n: number, log = "0b1c2d3e") => `cap_x_${log}_${n}`;
const line = (n: number, log?: string, verdict = "valid") =>
	writeCaptureLine(id(n, log), {
		receivedAtMs: n,
		method: "POST",
		path: "/",
		headers: [],
		body: Buffer.from("{}"),
		verdict: { kind: verdict },
		answer: { status: 204 },
	});

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-captures-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	mkdirSync(join(folder, "rejected"));
	const file = (log: string) => `2026-01-01T00-00-00-000Z-${log}-000001.ndjson`;
	const kept = [1, 4, 5].map((n) => line(n));
	const rejected = [2, 3, 6].map((n) => line(n, "ffffffff", "no-match"));
	writeFileSync(join(folder, file("0b1c2d3e")), Buffer.concat(kept));
	const place = join(folder, "rejected", file("ffffffff"));
	writeFileSync(place, Buffer.concat(rejected));
	return folder;
}

async function all(captures: AsyncIterable<Capture>): Promise<Capture[]> {
	const found: Capture[] = [];
	for await (const capture of captures) found.push(capture);
	return found;
}

async function idsOf(captures: AsyncIterable<Capture>): Promise<string[]> {
	return (await all(captures)).map(({ id }) => id);
}

describe("the folder of captures", () => {
	it("gives what was kept and what was rejected, by time", async () => {
		const ids = await idsOf(eachOf(readCaptureFolder(makeFolder())));
		expect(ids).toEqual([
			id(1),
			id(2, "ffffffff"),
			id(3, "ffffffff"),
			id(4),
			id(5),
			id(6, "ffffffff"),
		]);
	});

	it("gives captures by their ids, in the order asked for", async () => {
		const wanted = [id(6, "ffffffff"), id(4)];
		expect(await idsOf(findCaptures(makeFolder(), wanted))).toEqual(wanted);
	});

	it("says which id is not in it", async () => {
		const found = idsOf(findCaptures(makeFolder(), [id(4), id(9)]));
		await expect(found).rejects.toMatchObject({
			code: "capture-unknown",
			what: `there is no capture ${id(9)}`,
		});
	});
});

describe("bytes that hold deliveries", () => {
	const read = (text: Buffer | string, filters = {}) =>
		eachOf(
			readDeliveries(Readable.from([Buffer.from(text)]), {
				path: "FILE",
				nowMs: 7,
				filters,
			}),
		);

	it("are read as captures where they begin with one", async () => {
		const lines = Buffer.concat([Buffer.from("\n"), line(1), line(2)]);
		expect(await idsOf(read(lines))).toEqual([id(1), id(2)]);
	});

	it("are read as HTTP text elsewhere, received now and not checked yet", async () => {
		const filters = { verdicts: ["valid"] };
		const [capture] = await all(read("a: 1\n\n{}", filters));
		expect(capture).toMatchObject({
			id: "FILE",
			receivedAtMs: 7,
			verdict: { kind: "unchecked" },
		});
	});

	it("may be none at all", async () => {
		expect(await idsOf(read(""))).toEqual([]);
	});
});
