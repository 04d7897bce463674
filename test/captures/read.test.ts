import { appendFile, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
	type CaptureFilters,
	type Delivery,
	type OddLine,
	parseCapture,
	readCaptureLines,
	readCaptures,
	readPlacedCaptures,
	writeCaptureLine,
} from "../../src/captures/index.ts";

const base: Delivery = {
	receivedAtMs: 1000,
	method: "POST",
	path: "/x",
	headers: [],
	body: Buffer.from("{}"),
	verdict: { kind: "valid" },
	answer: { status: 204 },
};
const named = (name: string) => Buffer.from(JSON.stringify({ name }));
const line = (id: string, change: Partial<Delivery> = {}) =>
	writeCaptureLine(id, { ...base, ...change });

async function folderWith(files: Record<string, Buffer>) {
	const folder = await mkdtemp(join(tmpdir(), "captures-"));
	for (const [name, bytes] of Object.entries(files))
		await writeFile(join(folder, name), bytes);
	return folder;
}

async function read(paths: string[], filters?: CaptureFilters) {
	const odd: OddLine[] = [];
	const ids: string[] = [];
	for await (const { id } of readCaptures(paths, {
		filters,
		odd: (line) => odd.push(line),
	}))
		ids.push(id);
	return { ids, odd };
}

describe("reading captures", () => {
	it("reads files as named and folders by name", async () => {
		const folder = await folderWith({
			"b.ndjson": line("2"),
			"a.ndjson": line("1"),
			"other.txt": line("9"),
		});
		expect(await read([folder])).toEqual({ ids: ["1", "2"], odd: [] });
		expect(
			(await read([join(folder, "other.txt"), join(folder, "a.ndjson")])).ids,
		).toEqual(["9", "1"]);
	});

	it("tells a torn last line and a broken one, and reads on", async () => {
		const whole = line("1");
		const folder = await folderWith({
			"a.ndjson": Buffer.concat([
				line("0"),
				Buffer.from("nonsense\n\n"),
				whole,
				line("2").subarray(0, 20),
			]),
			"b.ndjson": line("3"),
		});
		const { ids, odd } = await read([folder]);
		expect(ids).toEqual(["0", "1", "3"]);
		expect(odd).toMatchObject([
			{ kind: "broken", line: 2 },
			{ kind: "torn", line: 5, path: join(folder, "a.ndjson") },
		]);
	});

	it("leaves what is appended while it reads", async () => {
		const folder = await folderWith({ "a.ndjson": line("1") });
		const path = join(folder, "a.ndjson");
		const ids: string[] = [];
		for await (const { id } of readCaptures([folder])) {
			ids.push(id);
			await appendFile(path, line(`${id}1`));
		}
		expect(ids).toEqual(["1"]);
	});

	it("reads a last line that is whole but for its line feed", async () => {
		const folder = await folderWith({ "a.ndjson": line("1").subarray(0, -1) });
		expect(await read([folder])).toEqual({ ids: ["1"], odd: [] });
	});

	it.each<[string, CaptureFilters, string[]]>([
		["time", { sinceMs: 1500, untilMs: 2500 }, ["b"]],
		["event", { events: ["x.made", "y"] }, ["a"]],
		["a subscription's label", { subscriptions: ["first"] }, ["a"]],
		["a subscription's id", { subscriptions: ["sub_2"] }, ["b"]],
		["verdict", { verdicts: ["no-match"] }, ["c"]],
		["id", { ids: ["b", "c"] }, ["b", "c"]],
		["several at once", { ids: ["b", "c"], verdicts: ["valid"] }, ["b"]],
	])("filters by %s", async (_, filters, expected) => {
		const folder = await folderWith({
			"a.ndjson": Buffer.concat([
				line("a", { body: named("x.made"), subscription: "first" }),
				line("b", {
					receivedAtMs: 2000,
					headers: [["X-MCP-Subscription-Id", "sub_2"]],
				}),
				line("c", {
					receivedAtMs: 3000,
					body: Buffer.from([0xff]),
					verdict: { kind: "no-match" },
				}),
			]),
		});
		expect((await read([folder], filters)).ids).toEqual(expected);
	});

	it("passes over a line beyond all bounds without keeping it", async () => {
		async function* endless() {
			for (let at = 0; at < 700; at++) yield Buffer.alloc(64 * 1024, "x");
			yield Buffer.concat([Buffer.from("\n"), line("after")]);
		}
		const odd: OddLine[] = [];
		const captures = await collect(
			readCaptureLines(endless(), { path: "-", odd: (one) => odd.push(one) }),
		);
		expect(captures.map(({ id }) => id)).toEqual(["after"]);
		expect(odd).toMatchObject([{ kind: "too-long", line: 1 }]);
	});

	it("says which path cannot be read", async () => {
		await expect(read(["/nowhere/at/all"])).rejects.toMatchObject({
			code: "file-failed",
			what: expect.stringContaining("/nowhere/at/all"),
		});
	});
});

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
	const all: T[] = [];
	for await (const item of items) all.push(item);
	return all;
}

describe("the places of captures", () => {
	it("are where their lines can be read again, over chunks and lines that are none", async () => {
		const bytes = Buffer.concat([
			line("1"),
			Buffer.from("\nbroken\n"),
			line("2", { body: Buffer.from('{"é":"😀"}') }),
			line("3").subarray(0, -1),
		]);
		const chunks = async function* () {
			for (let at = 0; at < bytes.length; at += 7)
				yield bytes.subarray(at, at + 7);
		};
		const ids: string[] = [];
		for await (const placed of readPlacedCaptures(chunks(), { path: "x" })) {
			const { id } = parseCapture(bytes.subarray(placed.start, placed.end));
			expect(id).toBe(placed.capture.id);
			ids.push(id);
		}
		expect(ids).toEqual(["1", "2", "3"]);
	});
});
