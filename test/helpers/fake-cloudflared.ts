// The stand-in for cloudflared, and what its runs tell of themselves.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";

export const FAKE_CLOUDFLARED = fileURLToPath(
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
	/** Has a run do what it waits for. */
	tell(run: FakeRun, act: "register" | "die"): Promise<void>;
	remove(): void;
}

/** `modes`: what each run does (fake-cloudflared.mjs). */
export function openFakeRuns(modes: string): FakeRuns {
	const folder = mkdtempSync(join(tmpdir(), "fake-cloudflared-"));
	const pathOf = (number: number) => join(folder, `run-${number}.json`);
	return {
		env: {
			PATH: process.env.PATH ?? "",
			CLOUDFLARED_BIN: FAKE_CLOUDFLARED,
			FAKE_CLOUDFLARED: modes,
			FAKE_CLOUDFLARED_DIR: folder,
		},
		async run(number) {
			const read = () => JSON.parse(readFileSync(pathOf(number), "utf8"));
			await expect.poll(() => tried(read), { timeout: 8_000 }).toBeTruthy();
			return read();
		},
		count: () => readdirSync(folder).length,
		async tell(run, act) {
			await fetch(`${run.address}/__fake/${act}`, { method: "POST" });
		},
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
