import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCheckThreads } from "../../../src/program/captures/check-threads.ts";

const ORDER = {
	secrets: { given: [{ label: "a", text: "whsec_hidden" }], ours: [] },
	publicKeys: [],
	nowMs: undefined,
	toleranceSeconds: undefined,
	filters: {},
};

let folder: string;
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "mcp-events-threads-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(program: string, stop = new AbortController().signal) {
	const file = join(folder, `${Math.random()}.mjs`);
	const head = 'import { parentPort, workerData } from "node:worker_threads";';
	writeFileSync(file, `${head}\n${program}`);
	return openCheckThreads(ORDER, {
		threads: 2,
		stop,
		file: pathToFileURL(file),
	});
}

const piece = (text: string) => ({
	path: "a",
	bytes: Uint8Array.from(Buffer.from(text)),
});

describe("the threads of verify", () => {
	it("give each answer to whoever asked for it", async () => {
		await using threads = open(
			"parentPort.on('message', ({ bytes }) => parentPort.postMessage({ lines: bytes.length }));",
		);
		const texts = ["", "a", "bc", "def", "ghij"];
		const answers = await Promise.all(
			texts.map((text) => threads.check(piece(text))),
		);
		expect(answers.map(({ lines }) => lines)).toEqual([0, 1, 2, 3, 4]);
	});

	it.each([
		["throws", "throw new Error('out of luck')", "out of luck"],
		["ends", "process.exit(0)", "it ended before its work was done"],
	])("end the work with a fault where one %s", async (_, act, why) => {
		await using threads = open(`parentPort.on('message', () => { ${act} });`);
		const asked = [threads.check(piece("a")), threads.check(piece("b"))];
		const results = await Promise.allSettled(asked);
		for (const result of [
			...results,
			...(await Promise.allSettled([threads.check(piece("c"))])),
		])
			expect(result).toMatchObject({
				status: "rejected",
				reason: { code: "bug", why },
			});
	});

	it("are left at a stop, whatever they have under way", async () => {
		const stop = new AbortController();
		await using threads = open("for (;;);", stop.signal);
		const asked = threads.check(piece("a"));
		stop.abort("stopped");
		await expect(asked).rejects.toBe("stopped");
		await expect(threads.check(piece("b"))).rejects.toBe("stopped");
	});
});
