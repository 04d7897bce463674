// Much data through real pipes: nothing lost, nothing out of order, nothing piled up, however slow the reader is.
import {
	createReadStream,
	existsSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { floodId } from "../fixtures/servers/flood.mjs";
import { type FloodServer, openFlood } from "../fixtures/servers/flood-http.ts";
import { amount } from "../helpers/amount.ts";
import { type FloodReader, openFloodReader } from "../helpers/flood-reader.ts";
import {
	hasProgram,
	runShell,
	type ShellProcess,
	startShell,
} from "../helpers/run-shell.ts";

const MANY = amount(200_000, 40_000);
/** From here on memory is level. */
const MANY_FOR_MEMORY = amount(200_000, 100_000);
const GROWTH = amount(4, 2);
const SOME = 20_000;
const MIB = 1024 * 1024;
/** What may be under way between the source and a reader that stands still: buffers of sockets, pipes and batches. */
const UNDER_WAY_BYTES = 16 * MIB;
const STDIO_FLOOD = fileURLToPath(
	new URL("../fixtures/servers/flood-stdio.mjs", import.meta.url),
);
/** The binary's own status, not that of the program behind the pipe. */
const PIPED = `"$@" | cat; exit \${PIPESTATUS[0]}`;

let server: FloodServer;
let folder: string;
beforeAll(async () => {
	server = await openFlood();
	folder = mkdtempSync(join(tmpdir(), "mcp-events-pipes-"));
});
afterAll(async () => {
	await server.close();
	rmSync(folder, { recursive: true, force: true });
});

const inFolder = (name: string) => join(folder, name);
const flood = (events: number, flags: string[]) => [
	...["flood.drop", "-a", `events=${events}`, "--cursor", "0", ...flags],
];

const WAYS = [
	{
		name: "stream over HTTP",
		words: (events: number, ...flags: string[]) => [
			...["stream", server.url, ...flood(events, flags)],
		],
		sentBytes: () => server.sentBytes(),
	},
	{
		name: "stream over stdio",
		words: (events: number, ...flags: string[]) => [
			...["stream", ...flood(events, flags), "--"],
			...[process.execPath, STDIO_FLOOD, inFolder("sent")],
		],
		sentBytes: () => Number(readFileSync(inFolder("sent"), "utf8")),
	},
	{
		name: "poll over HTTP",
		words: (events: number, ...flags: string[]) => [
			...["poll", server.url, ...flood(events, flags)],
		],
		sentBytes: () => server.sentBytes(),
	},
];
const [OVER_HTTP] = WAYS as [(typeof WAYS)[0]];

describe.skipIf(!hasProgram("jq"))("through | jq -c .eventId", () => {
	test.each(WAYS)(`$name: ${MANY} events, in order`, async ({ words }) => {
		const args = words(MANY, "-n", String(MANY));
		const script = `"$@" | jq -c .eventId; exit \${PIPESTATUS[0]}`;
		const run = await runShell(script, args);
		expect(run.status).toBe(0);
		const ids = run.stdout.split("\n");
		const wrong = ids.findIndex((id, at) => id !== `"${floodId(at + 1)}"`);
		// After the last line's end comes nothing.
		expect([wrong, ids[wrong], ids.length]).toEqual([MANY, "", MANY + 1]);
	});
});

describe("a reader that stands still", () => {
	test.each(WAYS)(
		"slows the source of $name, and then gets it all",
		async (way) => {
			const before = way === WAYS[1] ? 0 : way.sentBytes();
			await withShell(
				PIPED,
				way.words(MANY, "-n", String(MANY)),
				async (shell) => {
					const reader = openFloodReader(shell.stdout);
					await reader.readBytes(MIB);
					const sent = (await standstill(way.sentBytes)) - before;
					console.log(
						`${way.name}: read ${reader.bytes} bytes, sent ${sent} until it stood still`,
					);
					expect(sent).toBeLessThan(reader.bytes + UNDER_WAY_BYTES);
					await reader.readOn();
					expect(await shell.status).toBe(0);
					expectAll(reader, MANY);
				},
			);
		},
	);
});

describe("a reader that takes one line and goes", () => {
	test.each(WAYS)("ends $name with status 0 and no word", async ({ words }) => {
		const script = `"$@" | head -1; exit \${PIPESTATUS[0]}`;
		const run = await runShell(script, words(10_000_000, "--quiet"));
		expect(run).toMatchObject({ status: 0, stderr: "" });
		expect(JSON.parse(run.stdout).eventId).toBe(floodId(1));
	});
});

// A peak is a matter of chance too: when the collector runs. A leak of a byte an event fails every time.
describe("memory", () => {
	test.each(WAYS)(
		`of $name at ${GROWTH} times as many events peaks within 15 %`,
		{ retry: 1 },
		async (way) => {
			const [less, more] = [MANY_FOR_MEMORY, GROWTH * MANY_FOR_MEMORY];
			const few = await peakKib(way.words, less);
			const many = await peakKib(way.words, more);
			console.log(
				`${way.name}: peak ${few} KiB at ${less}, ${many} KiB at ${more}`,
			);
			expect(many).toBeLessThan(few * 1.15);
		},
	);
});

describe("no event is lost at the end", () => {
	const ENDING = ["-a", "end=terminated"];

	test("in a pipe", async () => {
		await withShell(PIPED, OVER_HTTP.words(SOME, ...ENDING), async (shell) => {
			const reader = openFloodReader(shell.stdout);
			await reader.readOn();
			expect(await shell.status).toBe(8);
			expectAll(reader, SOME);
		});
	});

	test("in a file", async () => {
		const script = `exec "$@" > '${inFolder("out")}'`;
		const run = await runShell(script, OVER_HTTP.words(SOME, ...ENDING));
		expect(run.status).toBe(8);
		expectAll(await readFlood(inFolder("out")), SOME);
	});

	test("behind a slow reader, long after the server has said all", async () => {
		await withShell(PIPED, OVER_HTTP.words(SOME, ...ENDING), async (shell) => {
			const reader = openFloodReader(shell.stdout);
			for (let bytes = 1; reader.lines < SOME; bytes += MIB / 4) {
				await reader.readBytes(bytes);
				await standstill(server.sentBytes, 200);
			}
			await reader.readOn();
			expect(await shell.status).toBe(8);
			expectAll(reader, SOME);
		});
	});
});

describe("SIGTERM in the middle of a burst", () => {
	const endless = () =>
		OVER_HTTP.words(50_000_000, "--ready-file", inFolder("ready"));
	const stop = () => {
		const { pid } = JSON.parse(readFileSync(inFolder("ready"), "utf8"));
		process.kill(pid, "SIGTERM");
		return pid;
	};

	test("leaves whole lines in a pipe, and says the cursor of the last", async () => {
		await withShell(PIPED, endless(), async (shell) => {
			const reader = openFloodReader(shell.stdout);
			await reader.readLines(SOME);
			stop();
			await reader.readOn();
			expect(await shell.status).toBe(143);
			expectUpTo(await toldCursor(shell), reader);
		});
	});

	test("leaves whole lines in a file, and says the cursor of the last", async () => {
		const script = `exec "$@" > '${inFolder("cut")}'`;
		await withShell(script, endless(), async (shell) => {
			await vi.waitUntil(() => sizeOf(inFolder("cut")) > MIB, 30_000);
			stop();
			expect(await shell.status).toBe(143);
			expectUpTo(await toldCursor(shell), await readFlood(inFolder("cut")));
		});
	});

	test("waits for a slow reader that reads on, and loses nothing", async () => {
		await withShell(PIPED, endless(), async (shell) => {
			const reader = openFloodReader(shell.stdout);
			await reader.readBytes(MIB);
			await standstill(server.sentBytes);
			stop();
			await reader.readOn();
			expect(await shell.status).toBe(143);
			expectUpTo(await toldCursor(shell), reader);
		});
	});

	test("does not wait for ever for a reader that stands still, and says where to go on", async () => {
		await withShell(PIPED, endless(), async (shell) => {
			const reader = openFloodReader(shell.stdout);
			await reader.readBytes(MIB);
			await standstill(server.sentBytes);
			const pid = stop();
			const cursor = await toldCursor(shell);
			await vi.waitUntil(() => !existsSync(`/proc/${pid}`), 10_000);
			await reader.readOn();
			expect(await shell.status).toBe(143);
			// A line may have been cut off in the middle, behind those that the cursor vouches for.
			expect(reader.wrong ?? "the end is").toContain("the end is");
			expect(reader.lines).toBeGreaterThanOrEqual(cursor);
			expect(cursor).toBeGreaterThan(0);
		});
	});
});

/** Resolves to a number once it has not changed for a while. */
async function standstill(
	read: () => number,
	quietMs = 1_500,
): Promise<number> {
	let last = read();
	let since = performance.now();
	await vi.waitUntil(
		() => {
			const now = read();
			if (now !== last) since = performance.now();
			last = now;
			return performance.now() - since >= quietMs;
		},
		{ timeout: 60_000, interval: 50 },
	);
	return last;
}

/** The highest mark of the memory of a run that has printed so many events and waits for more. */
async function peakKib(words: (events: number) => string[], events: number) {
	return withShell(`exec "$@"`, words(events), async (shell) => {
		const reader = openFloodReader(shell.stdout);
		await reader.readLines(events);
		expect(reader.wrong).toBeUndefined();
		const facts = readFileSync(`/proc/${shell.pid}/status`, "utf8");
		return Number(/VmHWM:\s+(\d+) kB/.exec(facts)?.[1]);
	});
}

async function withShell<T>(
	script: string,
	args: string[],
	use: (shell: ShellProcess) => Promise<T>,
): Promise<T> {
	const shell = startShell(script, args);
	try {
		return await use(shell);
	} finally {
		shell.close();
		shell.stdout.destroy();
		await shell.status;
		rmSync(inFolder("ready"), { force: true });
	}
}

function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

async function readFlood(path: string): Promise<FloodReader> {
	const reader = openFloodReader(createReadStream(path));
	await reader.readOn();
	return reader;
}

async function toldCursor(shell: ShellProcess): Promise<number> {
	const [, cursor] = await shell.stderr.until(/--cursor '?(\d+)/);
	return Number(cursor);
}

function expectAll(reader: FloodReader, events: number): void {
	expect([reader.wrong, reader.lines]).toEqual([undefined, events]);
}

function expectUpTo(cursor: number, reader: FloodReader): void {
	expectAll(reader, cursor);
	expect(cursor).toBeGreaterThan(0);
}
