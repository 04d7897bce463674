// --exec acts on every event at most once, over kills -9 at moments that nobody chose, and tells of each event that
// it may not have acted on: tail and stream against `serve` in a process of its own, and a listener that a sender of
// webhooks outlives.
import {
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { SECRET_TEXT, signedHeaders } from "../fixtures/deliveries.ts";
import { amount } from "../helpers/amount.ts";
import { type CliProcess, startCli } from "../helpers/run-cli.ts";

const KILLS = amount(10, 4);
const PROGRAM = join(
	import.meta.dirname,
	"../fixtures/programs/exec-append.sh",
);
const patiently = { deadlineMs: 120_000, stdoutForm: "any" as const };

function openFolder() {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-exec-once-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return {
		folder,
		state: join(folder, "state"),
		file: join(folder, "acted"),
		exec: (seconds: number) => `${PROGRAM} ${join(folder, "acted")} ${seconds}`,
	};
}

const actedIn = (file: string) =>
	existsSync(file)
		? readFileSync(file, "utf8")
				.split("\n")
				.filter((id) => id !== "")
		: [];

interface Kept {
	id: string;
	body: string;
	verdict: { kind: string };
}

/** All that lies among the captures, by its eventId. */
function capturesIn(state: string): Map<string, Kept> {
	const folder = join(state, "captures");
	const names = existsSync(folder) ? readdirSync(folder) : [];
	const lines = names
		.filter((name) => name.endsWith(".ndjson"))
		.flatMap((name) => readFileSync(join(folder, name), "utf8").split("\n"))
		.filter((line) => line !== "");
	const kept = lines.map((line): Kept => JSON.parse(line));
	return new Map(kept.map((one) => [JSON.parse(one.body).eventId, one]));
}

const untilExit = (run: CliProcess) => run.done.catch(() => {});

/** A random moment after the run has begun to act. */
async function killSoon(run: CliProcess): Promise<string> {
	await run.stdout.until(/"handled"/);
	await new Promise((resolve) => setTimeout(resolve, Math.random() * 700));
	run.kill("SIGKILL");
	await untilExit(run);
	return run.stdout.text;
}

/** What the records tell of each event: that it was shown, that a command has handled it, that it was not handed on. */
function readRecords(texts: readonly string[]) {
	const whole = texts.flatMap((text) => text.split("\n").slice(0, -1));
	const records = whole.map((line) => JSON.parse(line));
	const shown = records
		.filter(({ kind }) => kind === "event")
		.map(({ event }): string => event.eventId);
	const handled = records.filter(({ kind }) => kind === "handled");
	const idsOf = (isIt: (code: string) => boolean) =>
		handled
			.filter(({ fault }) => fault && isIt(fault.code))
			.map(({ id }): string => id);
	const inDoubt = idsOf((code) => code === "in-doubt");
	return { shown, told: idsOf(() => true), inDoubt };
}

it.each([
	["tail", "push"],
	["poll", "poll"],
])(`%s --resume, ${KILLS} times killed, by %s`, async (command, via) => {
	const { folder, state, file, exec } = openFolder();
	const ready = join(folder, "ready");
	const server = startCli(
		["serve", "demo", "--port", "0", "--ready-file", ready],
		patiently,
	);
	onTestFinished(() => server.kill("SIGKILL"));
	await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
	const { url } = JSON.parse(readFileSync(ready, "utf8"));
	const event = ["clock.tick", "-a", "periodMs=30", "--no-validate"];
	const words = [command, url, ...event];
	const flags = ["--resume", "--state", state, "-o", "records"];
	const own =
		command === "tail" ? ["--via", via] : ["--interval-floor", "50ms"];
	// Longer than from one tick to the next: hardly ever is there none under way that a kill could cut off.
	const args = [...words, ...flags, ...own, "--exec", exec(0.05)];
	const texts: string[] = [];
	for (let n = 0; n < KILLS; n++)
		texts.push(await killSoon(startCli(args, patiently)));
	const last = startCli(args, patiently);
	await last.stdout.until(/"handled".*"status":0/);
	last.kill("SIGTERM");
	texts.push((await last.done).stdout);

	const acted = actedIn(file);
	expect(new Set(acted).size).toBe(acted.length);
	const { shown, told, inDoubt } = readRecords(texts);
	expect(new Set(shown).size).toBe(shown.length);
	expect(acted.length).toBeGreaterThan(KILLS);
	// Ticks are counted: between the first that was acted on and the last, each is acted on or told of.
	const numbers = acted.map((id) => Number(id.split("-").at(-1)));
	const known = new Set([...acted, ...told]);
	const silent: number[] = [];
	for (let n = Math.min(...numbers); n <= Math.max(...numbers); n++)
		if (!known.has(`tick-30-${n}`)) silent.push(n);
	expect(silent).toEqual([]);
	// Each that was cut off is told once, and lies there to be looked at.
	const parked = capturesIn(state);
	for (const id of inDoubt) expect(parked.get(id)?.verdict.kind).toBe("parked");
	expect(new Set(inDoubt).size).toBe(inDoubt.length);
	expect(inDoubt.length).toBeGreaterThan(0);
});

it(`listen, ${KILLS} times killed, while a sender goes on`, async () => {
	const { folder, state, file, exec } = openFolder();
	const secretFile = join(folder, "hook.secret");
	writeFileSync(secretFile, `${SECRET_TEXT}\n`);
	const args = [
		...["listen", "--path", "/in", "--secret-file", secretFile],
		...["--state", state, "-o", "records", "--exec", exec(0.02)],
	];
	const acknowledged = new Set<string>();
	const texts: string[] = [];
	let count = 0;
	for (let n = 0; n <= KILLS; n++) {
		const run = startCli(args, patiently);
		const [, origin = ""] = await run.stderr.until(/receives at (\S+)/);
		const sending = new AbortController();
		const sender = (async () => {
			while (!sending.signal.aborted) {
				const id = `evt_${++count}`;
				if (await deliver(`${origin}/in`, id)) acknowledged.add(id);
			}
		})();
		if (n < KILLS) texts.push(await killSoon(run));
		sending.abort();
		await sender;
		if (n < KILLS) continue;
		await expect
			.poll(() => isAllKnown(acknowledged, file, [...texts, run.stdout.text]), {
				timeout: 60_000,
			})
			.toBe(true);
		run.kill("SIGTERM");
		texts.push((await run.done).stdout);
	}
	const acted = actedIn(file);
	expect(new Set(acted).size).toBe(acted.length);
	expect(acted.length).toBeGreaterThan(KILLS);
	const { told } = readRecords(texts);
	const known = new Set([...acted, ...told]);
	expect([...acknowledged].filter((id) => !known.has(id))).toEqual([]);
	const kept = capturesIn(state);
	for (const id of told) expect(kept.has(id), id).toBe(true);
});

const isAllKnown = (
	ids: ReadonlySet<string>,
	file: string,
	texts: readonly string[],
) => {
	const known = new Set([...actedIn(file), ...readRecords(texts).told]);
	return [...ids].every((id) => known.has(id));
};

/** Whether it was acknowledged. */
async function deliver(url: string, id: string): Promise<boolean> {
	const body = `{"eventId":"${id}","name":"made","timestamp":"2026-01-01T00:00:00Z","data":{}}`;
	const sending = { body, id, secretText: SECRET_TEXT, signedMs: Date.now() };
	const headers = signedHeaders({ ...sending, subscriptionId: "sub_1" });
	try {
		const init = { headers: Object.fromEntries(headers), body };
		const response = await fetch(url, { method: "POST", ...init });
		await response.arrayBuffer();
		return response.ok;
	} catch {
		return false;
	} finally {
		await new Promise((resolve) => setTimeout(resolve, 10));
	}
}
