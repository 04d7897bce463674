// Holds a public address for a local port: the program is started, watched, started again when it ends, and ended.
import type { Fault } from "../faults/index.ts";
import { quickTunnelArgs, readQuickTunnel } from "./cloudflared.ts";
import { parseTunnelCommand, readPublicUrl } from "./command.ts";
import { notReady } from "./faults.ts";
import { type FindPieces, findCloudflared } from "./find-cloudflared.ts";
import { type OpenRun, startTunnel, type TunnelProgram } from "./start.ts";

/** `cloudflared`: a quick tunnel, without an account. `command`: a program of the user's, by a template with {port}. */
export type TunnelVia =
	| { kind: "cloudflared" }
	| { kind: "command"; template: string };

export interface TunnelPieces extends FindPieces {
	/** Epoch milliseconds. */
	now(): number;
	/** A line on what the tunnel does: that it ended, that it is up again. */
	note(text: string): void;
	/** Ends the opening. An open tunnel stays until it is closed. */
	signal: AbortSignal;
}

export interface Tunnel {
	/** The address as it is now, without a slash at its end. */
	readonly url: string;
	/**
	 * Yields the address whenever another took its place, the newest alone. Throws `tunnel-failed` where it cannot be
	 * held any longer; ends when the tunnel is closed. For one reader.
	 */
	changes(): AsyncGenerator<string>;
	/** Ends the program and all that it started. Nothing runs on when it resolves. Never throws. */
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

/** Somebody waits for the first start; a tunnel that was up is worth more patience. */
const FIRST_STARTS = 3;
const LATER_STARTS = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** One that was up for less counts as a failed start. */
const STEADY_MS = 60_000;

/**
 * Opens a tunnel to a port of this machine; resolves when deliveries can arrive. Throws `tunnel-failed`, and
 * `wrong-use` for a template that is no command. Whoever asked closes it.
 */
export async function openTunnel(
	via: TunnelVia,
	port: number,
	pieces: TunnelPieces,
): Promise<Tunnel> {
	const program = await describeProgram(via, port, pieces);
	const first = await keepStarting(program, pieces, {
		failures: 0,
		most: FIRST_STARTS,
		signal: pieces.signal,
	});
	return new HeldTunnel(program, pieces, first);
}

async function describeProgram(
	via: TunnelVia,
	port: number,
	pieces: TunnelPieces,
): Promise<TunnelProgram> {
	const { env } = pieces;
	if (via.kind === "command")
		return {
			...parseTunnelCommand(via.template, port),
			env,
			makeReader: readPublicUrl,
		};
	return {
		command: await findCloudflared(pieces),
		args: quickTunnelArgs(port),
		env,
		makeReader: readQuickTunnel,
	};
}

interface Patience {
	/** How many starts have failed already, one after the other. */
	failures: number;
	most: number;
	signal: AbortSignal;
}

/** Starts until one is up, with growing waits. Throws the last fault once too many have failed. */
async function keepStarting(
	program: TunnelProgram,
	pieces: TunnelPieces,
	{ failures, most, signal }: Patience,
): Promise<OpenRun> {
	for (let failed = failures; ; failed++) {
		if (failed > 0) await pieces.sleep(waitMs(failed), signal);
		const run = await startTunnel(program, pieces, signal);
		if ("url" in run) return run;
		if (run.isFinal || failed + 1 >= most) throw run.fault;
		pieces.note(tellFailure(run.fault, waitMs(failed + 1)));
	}
}

const waitMs = (failures: number) =>
	Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), LONGEST_WAIT_MS);

const tellFailure = ({ what, why }: Fault, ms: number) =>
	`${what} (${why}); trying again in ${ms / 1000} s`;

class HeldTunnel implements Tunnel {
	readonly #program: TunnelProgram;
	readonly #pieces: TunnelPieces;
	readonly #closing = new AbortController();
	readonly #holding: Promise<void>;
	#run: OpenRun;
	/** An address that has not been told yet. */
	#untold: string | undefined;
	#end: { error?: unknown } | undefined;
	#wake: () => void = () => {};

	constructor(program: TunnelProgram, pieces: TunnelPieces, first: OpenRun) {
		this.#program = program;
		this.#pieces = pieces;
		this.#run = first;
		this.#holding = this.#hold().then(
			() => this.#finish({}),
			(error) => this.#finish(this.#closing.signal.aborted ? {} : { error }),
		);
	}

	get url(): string {
		return this.#run.url;
	}

	async *changes(): AsyncGenerator<string> {
		for (;;) {
			const url = this.#untold;
			this.#untold = undefined;
			if (url !== undefined) yield url;
			else if (!this.#end)
				await new Promise<void>((resolve) => {
					this.#wake = resolve;
				});
			else if ("error" in this.#end) throw this.#end.error;
			else return;
		}
	}

	async close(): Promise<void> {
		this.#closing.abort();
		await this.#run.program.end();
		await this.#holding;
	}

	[Symbol.asyncDispose](): Promise<void> {
		return this.close();
	}

	/** Starts it again whenever it ends, until it is closed. */
	async #hold(): Promise<void> {
		const { now, note } = this.#pieces;
		const { signal } = this.#closing;
		for (let failures = 0; ; ) {
			const upAt = now();
			const { how } = await this.#run.program.ended;
			if (signal.aborted) return;
			const isSteady = now() - upAt >= STEADY_MS;
			failures = isSteady ? 1 : failures + 1;
			if (failures > LATER_STARTS) throw this.#fault(failures, how);
			const before = this.#run.url;
			note(`the tunnel at ${before} ended (${how}); starting it again`);
			const patience = { failures, most: LATER_STARTS, signal };
			this.#run = await keepStarting(this.#program, this.#pieces, patience);
			// The closing came while nothing waited: it has ended the run before this one.
			if (signal.aborted) return this.#run.program.end();
			note(`the tunnel is up again at ${this.#run.url}`);
			if (this.#run.url === before) continue;
			this.#untold = this.#run.url;
			this.#wake();
		}
	}

	#fault(times: number, how: string): Fault {
		const lastLines = this.#run.program.lastLines();
		const why = `it ended ${times} times, each soon after it was up (${how})`;
		return notReady(this.#program.command, why, lastLines);
	}

	#finish(end: { error?: unknown }): void {
		this.#end = end;
		this.#wake();
	}
}
