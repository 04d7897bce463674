// The load server (test/fixtures/servers/load) as a process: killed, started again, stopped and told how to behave.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { openTextCollector, type TextCollector } from "./text-collector.ts";
import { within } from "./within.ts";

const PROGRAM = join(
	import.meta.dirname,
	"../fixtures/servers/load/load-server.mjs",
);

/** Many times what a process takes to start, and to answer. */
const PATIENCE_MS = 20_000;

/** What load-server.mjs takes; null takes a behaviour back. */
export type Behaviour = Record<string, number | boolean | null>;

export class LoadServer implements AsyncDisposable {
	readonly port: number;
	readonly #folder = mkdtempSync(join(tmpdir(), "mcp-events-load-"));
	#child: ChildProcess | undefined;
	#stderr: TextCollector | undefined;

	constructor(port: number) {
		this.port = port;
	}

	/** Starts it, with all that it had before; throws, with what it said, where it does not listen. */
	async start(): Promise<void> {
		const args = [PROGRAM, this.#folder, String(this.port)];
		// It ends when its stdin is closed, by the end of whoever started it.
		const child = spawn(process.execPath, args);
		this.#child = child;
		this.#stderr = openTextCollector(child.stderr);
		const ended = once(child, "close").then(() => {
			throw new Error(`the load server ended: ${this.said}`);
		});
		await within(
			Promise.race([once(child.stdout, "data"), ended]),
			PATIENCE_MS,
			() => `the load server does not listen: ${this.said}`,
		);
	}

	/** What it has to say of its failure, since its last start. */
	get said(): string {
		return this.#stderr?.text ?? "";
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
			signal: AbortSignal.timeout(PATIENCE_MS),
		}).catch((cause) => {
			throw new Error(`the load server does not answer: ${this.said}`, {
				cause,
			});
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
