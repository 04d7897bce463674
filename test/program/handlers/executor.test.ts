import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type {
	ExecEvent,
	HandledItem,
} from "../../../src/program/handlers/exec-event.ts";
import { readExecOptions } from "../../../src/program/handlers/exec-options.ts";
import { Executor } from "../../../src/program/handlers/executor.ts";
import { type Claims, openClaims } from "../../../src/state/index.ts";
import type { Item } from "../../../src/tail/index.ts";
import { temporaryFolder } from "../../state/temporary-folder.ts";

const FLAGS = {
	"exec-timeout": 10_000,
	"exec-concurrency": 1,
	"exec-retries": 0,
};

const event = (id: string): ExecEvent => ({
	...{ id, subscription: "made", via: "push", name: "made", at: 0 },
	line: Buffer.from(`{"eventId":"${id}"}`),
	capture: undefined,
});

interface Opened {
	executor: Executor;
	told: HandledItem[];
	warnings: string[];
	/** The waits that were asked for. */
	waits: number[];
	/** Ends a timer that is waited for, or lets the time of all go on. */
	pass(ms: number): void;
}

/** With a clock that only `pass` moves, but for sleeps, which end at once; `claims` are those of a folder. */
async function open(
	exec: string,
	more: Partial<Parameters<typeof readExecOptions>[0]> = {},
	claims?: Claims,
): Promise<Opened> {
	const options = await readExecOptions({ ...FLAGS, ...more, exec });
	if (!options) throw new Error("no --exec");
	let nowMs = 10_000_000;
	const waits: number[] = [];
	let timer: { at: number; act: () => void } | undefined;
	const told: Item[] = [];
	const warnings: string[] = [];
	const executor = new Executor(options, {
		world: {
			now: () => nowMs,
			env: process.env,
			cwd: "/",
			random: () => 0,
			async sleep(ms) {
				waits.push(ms);
			},
			setTimer(act, ms) {
				timer = { at: nowMs + ms, act };
				return () => {
					timer = undefined;
				};
			},
		},
		claims,
		parking: { park: async ({ id }) => `cap_${id}`, close: async () => {} },
		show: async (items) => void told.push(...items),
		warn: (text) => void warnings.push(text),
		noun: "the run",
		isLeft: () => false,
	});
	const pass = (ms: number) => {
		nowMs += ms;
		if (timer && timer.at <= nowMs) timer.act();
	};
	return { executor, told: told as HandledItem[], warnings, waits, pass };
}

const claimsIn = (folder: string, pid = 1) =>
	openClaims(
		{ server: "s", principal: "p" },
		{
			folder,
			owner: { pid, host: "here", isAlive: () => false },
			now: () => 10_000_000,
			randomBytes,
			damaged: () => {},
		},
	);

/** Appends its stdin, and ends with a status. */
const appendTo = (file: string, status = 0) =>
	`sh -c 'cat >> "$1"; echo no >&2; exit ${status}' sh ${file}`;

describe("a command that fails", () => {
	it("is run again with growing waits, then its event is parked, with the way to run it by hand", async () => {
		const file = join(temporaryFolder(), "ran");
		const exec = await open(appendTo(file, 3), { "exec-retries": 2 });
		const outcome = await exec.executor.add(event("e1"));
		expect(outcome).toMatchObject({ isHandled: false, isSettled: true });
		expect(exec.waits).toEqual([1_000, 2_000]);
		expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
		expect(exec.told.map(({ retryInMs }) => retryInMs)).toEqual([
			1_000,
			2_000,
			undefined,
		]);
		expect(exec.told.at(-1)).toMatchObject({
			...{ id: "e1", status: 3, capture: "cap_e1" },
			fault: {
				code: "handler-failed",
				what: "the command ended with status 3, 3 times",
				why: "no",
				next: expect.stringMatching(/captures show cap_e1 .* replay cap_e1/),
			},
		});
	});

	it("is not run again unless that is asked for", async () => {
		const exec = await open("false");
		await exec.executor.add(event("e1"));
		expect(exec.told).toHaveLength(1);
		expect(exec.executor.tally.words()).toMatchObject({
			text: expect.stringContaining("0 handled, 1 parked"),
			isBad: true,
		});
	});
});

it("acts on an event once over several runs, and on none that a crash has left in doubt", async () => {
	const folder = temporaryFolder();
	const file = join(folder, "ran");
	const first = await open(appendTo(file), {}, await claimsIn(folder));
	await first.executor.add(event("e1"));
	// A run that is gone: one event was under way, one had come as a delivery and waited.
	const gone = await claimsIn(folder, 2);
	await gone.run(event("e2"));
	gone.wait({ ...event("e3"), capture: "cap_3" });
	const next = await open(appendTo(file), {}, await claimsIn(folder, 3));
	await next.executor.takeOver();
	await Promise.all(["e1", "e2"].map((id) => next.executor.add(event(id))));
	await next.executor.settle();
	expect(readFileSync(file, "utf8").match(/e\d/g)).toEqual(["e1", "e3"]);
	const [doubtful, handled] = next.told;
	expect(doubtful).toMatchObject({ id: "e2", capture: "cap_e2" });
	expect(doubtful?.fault?.code).toBe("in-doubt");
	expect(handled).toMatchObject({ id: "e3", status: 0, capture: "cap_3" });
	expect(next.warnings).toEqual([expect.stringContaining("e2")]);
	expect(next.executor.tally).toMatchObject({ handled: 1, repeated: 2 });
});

describe("--batch", () => {
	it("waits for others until the first has waited long enough, and hands all to one run", async () => {
		const file = join(temporaryFolder(), "ran");
		const exec = await open(appendTo(file), { batch: "3,5s" });
		const two = ["e1", "e2"].map((id) => exec.executor.add(event(id)));
		exec.pass(4_999);
		expect(exec.told).toEqual([]);
		exec.pass(1);
		await Promise.all(two);
		expect(readFileSync(file, "utf8")).toBe(
			'{"eventId":"e1"}\n{"eventId":"e2"}\n',
		);
		expect(exec.told.map(({ id, status }) => [id, status])).toEqual([
			["e1", 0],
			["e2", 0],
		]);
	});

	it("waits for nobody once it is full", async () => {
		const exec = await open("cat", { batch: "2,1h" });
		await Promise.all(["e1", "e2"].map((id) => exec.executor.add(event(id))));
		expect(exec.told[0]?.stdoutStart).toBe(
			'{"eventId":"e1"}\n{"eventId":"e2"}\n',
		);
	});
});

describe("--max-per-hour", () => {
	it("lets what exceeds it wait, and says so once", async () => {
		const exec = await open("true", { "max-per-hour": 2 });
		const add = (n: number) => exec.executor.add(event(`e${n}`));
		await Promise.all([add(1), add(2)]);
		exec.pass(1_500);
		const all = [add(3), add(4)];
		await expect.poll(() => exec.warnings).toHaveLength(1);
		expect(exec.warnings[0]).toMatch(
			/--max-per-hour 2 is reached.* the next run is in 1h$/,
		);
		expect(exec.told).toHaveLength(2);
		exec.pass(3_600_000);
		await Promise.all(all);
		expect(exec.told).toHaveLength(4);
	});

	it("counts the runs of an earlier process", async () => {
		const folder = temporaryFolder();
		const before = await open("true", {}, await claimsIn(folder));
		await before.executor.add(event("e1"));
		const claims = await claimsIn(folder, 2);
		const exec = await open("true", { "max-per-hour": 1 }, claims);
		const waiting = exec.executor.add(event("e2"));
		expect(exec.warnings).toHaveLength(1);
		exec.pass(3_600_000);
		await waiting;
		expect(exec.told).toHaveLength(1);
	});
});

it("runs nothing that it cannot claim, and tells", async () => {
	const folder = temporaryFolder();
	const file = join(folder, "ran");
	const claims = await claimsIn(folder);
	claims.run = async () => {
		throw new Error("the disk is full");
	};
	const exec = await open(appendTo(file), {}, claims);
	expect(await exec.executor.add(event("e1"))).toMatchObject({
		isSettled: false,
	});
	expect(existsSync(file)).toBe(false);
	expect(exec.told[0]?.fault?.what).toBe("the disk is full");
});

it("at its end cuts off what runs, parks what waits, in their order, and tells of each", async () => {
	const exec = await open("sleep 60");
	const all = ["e1", "e2", "e3"].map((id) => exec.executor.add(event(id)));
	exec.executor.giveUp();
	await Promise.all(all);
	expect(exec.told.map(({ id, fault }) => [id, fault?.what])).toEqual([
		["e1", "the run ended while it ran"],
		["e2", "the run ended first"],
		["e3", "the run ended first"],
	]);
});

it.each([
	[{ batch: "2", exec: "x {{event.eventId|id}}" }, "--batch cannot be used"],
	[{ batch: "0", exec: "x" }, '--batch "0" is not N or N,DURATION'],
	[{ batch: "2,soon", exec: "x" }, "batch"],
	[{ batch: "2" }, "--batch is given without --exec"],
	[{ "max-per-hour": 1 }, "--max-per-hour is given without --exec"],
	[{ "exec-retries": 1 }, "--exec-retries is given without --exec"],
	[{ exec: "" }, "the command of --exec is empty"],
	[{ exec: "a 'b" }, "a quote or a backslash that leads nowhere"],
])("refuses %j", async (flags, what) => {
	await expect(readExecOptions({ ...FLAGS, ...flags })).rejects.toThrow(what);
});
