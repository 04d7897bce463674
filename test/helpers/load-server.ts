// The load server (test/fixtures/servers/load) as a process: killed, started again, stopped and told how to behave.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAM = join(
	import.meta.dirname,
	"../fixtures/servers/load/load-server.mjs",
);

/** What load-server.mjs takes; null takes a behaviour back. */
export type Behaviour = Record<string, number | boolean | null>;

export class LoadServer implements AsyncDisposable {
	readonly port: number;
	readonly #folder = mkdtempSync(join(tmpdir(), "mcp-events-load-"));
	#child: ChildProcess | undefined;

	constructor(port: number) {
		this.port = port;
	}

	/** Starts it, with all that it had before. */
	async start(): Promise<void> {
		const args = [PROGRAM, this.#folder, String(this.port)];
		this.#child = spawn(process.execPath, args, {
			// It ends when this pipe is closed, by the end of whoever started it.
			stdio: ["pipe", "pipe", "inherit"],
		});
		if (this.#child.stdout) await once(this.#child.stdout, "data");
	}

	/** kill -9, without a word to anybody. */
	async kill(): Promise<void> {
		const child = this.#child;
		if (!child || child.exitCode !== null || child.signalCode !== null) return;
		child.kill("SIGKILL");
		await once(child, "exit");
	}

	signal(signal: "SIGSTOP" | "SIGCONT"): void {
		this.#child?.kill(signal);
	}

	/** Changes how it behaves; returns how many events there are, and how many streams are open. */
	async control(
		changes: Behaviour = {},
	): Promise<{ length: number; streams: number }> {
		const response = await fetch(`http://127.0.0.1:${this.port}/control`, {
			method: "POST",
			// A connection of before a kill is no good after it.
			headers: { connection: "close" },
			body: JSON.stringify(changes),
			signal: AbortSignal.timeout(10_000),
		});
		return (await response.json()) as { length: number; streams: number };
	}

	async [Symbol.asyncDispose]() {
		await this.kill();
		rmSync(this.#folder, { recursive: true, force: true });
	}
}

/** Opens one on a free port, behaving like this from the start. */
export async function openLoadServer(
	behaviour: Behaviour = {},
): Promise<LoadServer> {
	const server = new LoadServer(await freePort());
	await server.start();
	await server.control(behaviour);
	return server;
}

/** A port that nobody has for now. */
export async function freePort(): Promise<number> {
	const probe = createServer().listen(0, "127.0.0.1");
	await once(probe, "listening");
	const { port } = probe.address() as AddressInfo;
	await new Promise((resolve) => probe.close(resolve));
	return port;
}
