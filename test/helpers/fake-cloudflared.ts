// The stand-in for cloudflared, and what its runs tell of themselves.
import {
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

const FAKE_CLOUDFLARED = fileURLToPath(
	new URL("../fixtures/programs/fake-cloudflared.mjs", import.meta.url),
);

export interface FakeRun {
	/** The name that it printed. */
	url: string;
	/** Where it really listens, and carries on to the port that it was given. */
	address: string;
	pid: number;
	/** A process that it started. */
	child?: number;
	args: string[];
}

export interface FakeRuns {
	/** For the environment of whoever starts it. */
	env: { CLOUDFLARED_BIN: string; [name: string]: string };
	/** The facts of a run, the first is 1; waits for it. */
	run(number: number): Promise<FakeRun>;
	count(): number;
	/** A URL below a name that a run printed, as it can be reached; throws where that run has not said so yet. */
	reach(url: string): string;
	/** Has a run do what it waits for. */
	tell(run: FakeRun, act: "register" | "die"): Promise<void>;
	/** There is no cloudflared any more; what runs goes on. */
	removeProgram(): void;
	remove(): void;
}

/** `modes`: what each run does (fake-cloudflared.mjs). */
export function openFakeRuns(modes: string): FakeRuns {
	const folder = mkdtempSync(join(tmpdir(), "fake-cloudflared-"));
	const program = join(folder, "cloudflared");
	symlinkSync(FAKE_CLOUDFLARED, program);
	const pathOf = (number: number) => join(folder, `run-${number}.json`);
	return {
		env: {
			PATH: process.env.PATH ?? "",
			CLOUDFLARED_BIN: program,
			FAKE_CLOUDFLARED: modes,
			FAKE_CLOUDFLARED_DIR: folder,
		},
		async run(number) {
			const read = () => JSON.parse(readFileSync(pathOf(number), "utf8"));
			await expect.poll(() => tried(read), { timeout: 8_000 }).toBeTruthy();
			return read();
		},
		reach(url) {
			const { hostname, pathname } = new URL(url);
			const number = Number(/-(\d+)\.trycloudflare\.com$/.exec(hostname)?.[1]);
			const run: FakeRun = JSON.parse(readFileSync(pathOf(number), "utf8"));
			return run.address + pathname;
		},
		count: () =>
			readdirSync(folder).filter((name) => name.endsWith(".json")).length,
		async tell(run, act) {
			await fetch(`${run.address}/__fake/${act}`, { method: "POST" });
		},
		removeProgram: () => unlinkSync(program),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}

function tried<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}

/** False too for a process that has ended and that nobody has asked about yet. */
export function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
		return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
	} catch {
		return false;
	}
}
