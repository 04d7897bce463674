import {
	type ChildProcess,
	execFileSync,
	spawn,
	spawnSync,
} from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readCaptures } from "../../src/captures/index.ts";
import { eventBody, PATH, signedHeaders } from "../fixtures/deliveries.ts";
import { randomFrom } from "../fixtures/fuzzed-deliveries.ts";
import { amount } from "../helpers/amount.ts";
import { bundleProgram } from "../output/bundle-program.ts";

const KILLS = amount(100, 20);
const hasTool = (name: string) =>
	spawnSync("sh", ["-c", `command -v ${name}`]).status === 0;

let program: Awaited<ReturnType<typeof bundleProgram>>;
const folders: string[] = [];
beforeAll(async () => {
	program = await bundleProgram("keep-deliveries");
});
afterAll(() => {
	program.remove();
	for (const folder of folders)
		rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-kept-"));
	folders.push(folder);
	return folder;
}

async function start(
	folder: string,
	before: string[] = [],
): Promise<{ child: ChildProcess; pid: number; origin: string }> {
	const [command = "", ...args] = [
		...before,
		process.execPath,
		program.path,
		folder,
	];
	const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
	const [said] = await once(child.stdout ?? process.stdin, "data");
	const [port, pid] = String(said).trim().split(" ").map(Number);
	// Under strace the child is strace, and it ends with what it traces.
	return { child, pid: pid ?? 0, origin: `http://127.0.0.1:${port}` };
}

/** Sends one event after the other until the receiver is gone; adds what was acknowledged to `acknowledged`. */
async function load(options: {
	origin: string;
	prefix: string;
	acknowledged: Set<string>;
	most?: number;
}) {
	const { origin, prefix, acknowledged, most = Infinity } = options;
	const dispatcher = new Agent();
	try {
		for (let at = 0; at < most; at++) {
			const eventId = `${prefix}-${at}`;
			const body = eventBody(eventId);
			const headers = signedHeaders({
				body,
				id: `msg_${eventId}`,
				signedMs: Date.now(),
			}).flat();
			const answer = await request(origin + PATH, {
				method: "POST",
				headers,
				body,
				dispatcher,
			});
			await answer.body.dump();
			if (answer.statusCode === 204) acknowledged.add(eventId);
		}
	} catch {
		// The receiver was killed.
	} finally {
		await dispatcher.destroy();
	}
}

async function keptIds(folder: string) {
	const ids: string[] = [];
	const odd: unknown[] = [];
	for await (const capture of readCaptures([folder], {
		odd: (line) => odd.push(line),
	}))
		ids.push(JSON.parse(capture.body.toString()).eventId);
	return { ids, odd };
}

describe("what was acknowledged", () => {
	it(`is there, whole and once, after ${KILLS} kills in the middle of work`, async () => {
		const folder = makeFolder();
		const random = randomFrom(7);
		const acknowledged = new Set<string>();
		for (let run = 0; run < KILLS; run++) {
			const { child, origin } = await start(folder);
			const senders = Array.from({ length: 8 }, (_, at) =>
				load({ origin, prefix: `r${run}-s${at}`, acknowledged }),
			);
			await new Promise((resolve) => setTimeout(resolve, 10 + random(150)));
			child.kill("SIGKILL");
			await Promise.all([once(child, "exit"), ...senders]);
		}
		const last = await start(folder);
		last.child.kill("SIGKILL");
		await once(last.child, "exit");
		const { ids, odd } = await keptIds(folder);
		const kept = new Set(ids);
		// How many depends on how long a sync takes.
		expect(acknowledged.size).toBeGreaterThan(KILLS);
		expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
		expect(ids.length).toBe(kept.size);
		expect(odd).toEqual([]);
	});

	it.skipIf(!hasTool("strace"))(
		"was synced before its answer was sent (skipped where strace is not installed)",
		async () => {
			const folder = makeFolder();
			const trace = join(folder, "trace");
			const { child, pid, origin } = await start(folder, [
				"strace",
				"-f",
				"-o",
				trace,
				"-e",
				"trace=pwrite64,fdatasync,write,writev",
				"-s",
				"100000",
			]);
			const acknowledged = new Set<string>();
			await Promise.all(
				Array.from({ length: 4 }, (_, at) =>
					load({ origin, prefix: `s${at}`, acknowledged, most: 30 }),
				),
			);
			process.kill(pid, "SIGKILL");
			await once(child, "exit");
			expect(acknowledged.size).toBe(120);
			expect(countUncovered(readFileSync(trace, "utf8"))).toEqual({
				answers: 120,
				uncovered: 0,
			});
		},
	);
});

/** Walks the system calls in their order: never may more have been answered than a finished sync has covered. */
function countUncovered(trace: string) {
	const written = new Set<string>();
	const begun = new Map<string, { ids: string[]; covering: number }>();
	let synced = 0;
	let answers = 0;
	let uncovered = 0;
	for (const line of trace.split("\n")) {
		const [thread = ""] = line.split(" ");
		const isResumed = line.includes("resumed>");
		if (!isResumed) {
			const ids = [...line.matchAll(/eventId\W+([\w-]+)/g)].map(
				([, id = ""]) => id,
			);
			begun.set(thread, { ids, covering: written.size });
		}
		const call = begun.get(thread);
		const isDone = /= \d+$/.test(line);
		if (line.includes("pwrite64") && isDone)
			for (const id of call?.ids ?? []) written.add(id);
		if (line.includes("fdatasync") && isDone)
			synced = Math.max(synced, call?.covering ?? 0);
		for (const _ of line.matchAll(/HTTP\/1\.1 204/g))
			if (++answers > synced) uncovered++;
	}
	return { answers, uncovered };
}

const isRoot = process.getuid?.() === 0;
const canMount = isRoot && hasTool("mount") && tryMount();

function tryMount(): boolean {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-mount-"));
	const isMounted =
		spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder])
			.status === 0;
	if (isMounted) execFileSync("umount", [folder]);
	rmSync(folder, { recursive: true });
	return isMounted;
}

describe.skipIf(!canMount)(
	"on a disk of 256 KiB (skipped where nothing can be mounted)",
	() => {
		it("what does not fit is not acknowledged, and what was is whole", async () => {
			const folder = makeFolder();
			execFileSync("mount", [
				"-t",
				"tmpfs",
				"-o",
				"size=256k",
				"tmpfs",
				folder,
			]);
			try {
				const { child, origin } = await start(folder);
				const acknowledged = new Set<string>();
				await Promise.all(
					Array.from({ length: 8 }, (_, at) =>
						load({ origin, prefix: `s${at}`, acknowledged, most: 100 }),
					),
				);
				child.kill("SIGKILL");
				await once(child, "exit");
				const { ids, odd } = await keptIds(folder);
				expect(acknowledged.size).toBeGreaterThan(50);
				expect(acknowledged.size).toBeLessThan(800);
				expect(new Set(ids)).toEqual(acknowledged);
				expect(odd).toEqual([]);
			} finally {
				execFileSync("umount", [folder]);
			}
		});
	},
);
