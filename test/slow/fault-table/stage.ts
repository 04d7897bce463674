// Where one row of the fault table plays: a server under load, proxies before it and before our receiver, and the tail.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type FaultProxy, openFaultProxy } from "../../helpers/fault-proxy.ts";
import { freePort } from "../../helpers/free-port.ts";
import {
	type Behaviour,
	type LoadServer,
	openLoadServer,
} from "../../helpers/load-server.ts";
import {
	type NameServer,
	startNameServer,
} from "../../helpers/open-name-server.ts";
import {
	BINARY,
	type CliProcess,
	type CliRun,
	pinnedEnvironment,
	startCli,
} from "../../helpers/run-cli.ts";
import { openTextCollector } from "../../helpers/text-collector.ts";
import { within } from "../../helpers/within.ts";
import { type LossForm, Tally } from "./tally.ts";

export type Mode = "poll" | "push" | "webhook";
export const MODES: readonly Mode[] = ["poll", "push", "webhook"];

export interface StageOptions {
	mode: Mode;
	behaviour?: Behaviour | undefined;
	/** Flags of the tail beside those that all have. */
	args?: readonly string[] | undefined;
	/** Whether the mode may change: it is not asked for by --via. */
	isFree?: boolean | undefined;
	/** The server is found by its name, which the stage's name server knows. */
	isNamed?: boolean | undefined;
	/** How long one run may take. */
	deadlineMs?: number | undefined;
}

/** Many times what the ends of all take. */
const CLOSE_MS = 12_000;

export class Stage implements AsyncDisposable {
	readonly tally: Tally;
	readonly folder = mkdtempSync(join(tmpdir(), "mcp-events-fault-"));
	readonly state = join(this.folder, "state");
	readonly mode: Mode;
	readonly server: LoadServer;
	/** Before the server's endpoint. */
	readonly front: FaultProxy;
	/** Before our receiver. */
	readonly back: FaultProxy;
	readonly names: (NameServer & AsyncDisposable) | undefined;
	readonly #options: StageOptions;
	readonly #receiverPort: number;
	/** The run that goes on, or the last one. */
	run: CliProcess | undefined;
	#endedRun: CliProcess | undefined;
	/** How many events may come twice: printed, but not saved when the tail was killed. */
	mayRepeat = 0;

	constructor(
		options: StageOptions,
		parts: {
			server: LoadServer;
			front: FaultProxy;
			back: FaultProxy;
			receiverPort: number;
			names: (NameServer & AsyncDisposable) | undefined;
		},
	) {
		this.#options = options;
		this.mode = options.mode;
		this.tally = new Tally(options.mode !== "webhook");
		this.server = parts.server;
		this.front = parts.front;
		this.back = parts.back;
		this.#receiverPort = parts.receiverPort;
		this.names = parts.names;
	}

	/** Both of them: what happens to the network happens to either way. */
	get proxies(): FaultProxy[] {
		return [this.front, this.back];
	}

	get args(): string[] {
		const { isFree, args = [] } = this.#options;
		const { mode, front, back, names } = this;
		const host = names ? HOST : "127.0.0.1";
		const resolver = names ? [`${names.host}:${names.port}`] : [];
		const webhook = [
			...["--port", String(this.#receiverPort)],
			...["--public-url", `http://127.0.0.1:${back.port}/`],
		];
		return [
			...["tail", `http://${host}:${front.port}/mcp`, "tick"],
			...resolver.flatMap((name) => ["--resolver", name]),
			...(isFree ? [] : ["--via", mode]),
			...(mode === "webhook" ? webhook : []),
			...["--resume", "--state", this.state, "-o", "records"],
			// How soon a schema is checked on a busy machine is none of this.
			"--no-validate",
			...(args.includes("--stale-after") ? [] : ["--stale-after", "1s"]),
			...["--interval-floor", "50ms", ...args],
		];
	}

	/** Starts a run, whose records are counted. */
	begin(): CliProcess {
		const { deadlineMs = 60_000 } = this.#options;
		const options = { stdoutForm: "any", deadlineMs } as const;
		const run = startCli(this.args, options);
		this.run = run;
		if (run.child.stdout) this.tally.read(run.child.stdout);
		const end = () => {
			this.#endedRun = run;
			this.tally.wake();
		};
		run.done.then(end, end);
		return run;
	}

	/** Starts a run, and waits until events have come. */
	async beginAndFlow(): Promise<CliProcess> {
		const run = this.begin();
		await this.flow(5);
		return run;
	}

	/** Waits for so many more events. */
	async flow(events: number): Promise<void> {
		const until = this.tally.numbers.size + events;
		const isDone = () => this.tally.numbers.size >= until;
		const isOver = () => this.run === this.#endedRun;
		await this.tally.until(() => isDone() || isOver(), 40_000);
		if (!isDone())
			throw new Error(
				`${isOver() ? "the tail ended" : "nothing flows"}: ${this.context()}`,
			);
	}

	/** No more events come, and all that were sent are read. */
	async readAll(): Promise<void> {
		const { length } = await this.server.control({ paused: true });
		if (await this.tally.until(() => this.tally.isWhole(length))) return;
		throw new Error(`not all of ${length} are read: ${this.context()}`);
	}

	/** What is to be seen of everything that plays, for whoever wonders why it does not go on. */
	context(): string {
		const { front, back, tally, server, run } = this;
		const { child, stderr, stdout } = run ?? {};
		const { numbers, start, kinds } = tally;
		const connections = { front: front.connections, back: back.connections };
		const { exitCode, signalCode } = child ?? {};
		const figures = { start, printed: numbers.size, kinds, connections };
		return [
			JSON.stringify({ ...figures, exitCode, signalCode }),
			`server's stderr: ${server.said}`,
			`stderr: ${stderr?.text.slice(-3_000)}`,
			`stdout: ${stdout?.text.slice(-1_500)}`,
		].join("\n");
	}

	/** No more events come: waits until all have arrived that will, and ends the tail. */
	async settle(toldBy?: LossForm): Promise<{ length: number; last: CliRun }> {
		const { length } = await this.server.control({ paused: true });
		const { tally } = this;
		// As long as anything comes, a busy machine may take its time.
		for (let before = -1; before < tally.numbers.size; ) {
			before = tally.numbers.size;
			if (await tally.until(() => tally.isWhole(length, toldBy), 20_000)) break;
		}
		this.run?.kill("SIGTERM");
		const last = await this.ended();
		return { length, last };
	}

	/** The end of the present run. */
	async ended(): Promise<CliRun> {
		if (!this.run) throw new Error("nothing was started");
		return this.run.done;
	}

	/** A run to its end whose stdout is this file. */
	async runInto(
		path: string,
	): Promise<{ status: number | null; stderr: string }> {
		const stdout = openSync(path, "w");
		const child = spawn(process.execPath, [BINARY, ...this.args], {
			env: pinnedEnvironment(this.folder),
			stdio: ["ignore", stdout, "pipe"],
			timeout: 20_000,
			killSignal: "SIGKILL",
		});
		closeSync(stdout);
		const stderr = openTextCollector(child.stderr as Readable);
		const [status] = await once(child, "close");
		return { status, stderr: stderr.text };
	}

	/** Nothing runs any more. */
	async stop(): Promise<void> {
		const { run } = this;
		run?.kill("SIGKILL");
		const done = Promise.resolve(run?.done).catch(() => {});
		await within(done, CLOSE_MS, () => `no end of it: ${this.context()}`);
	}

	async [Symbol.asyncDispose]() {
		await this.stop();
		const { proxies, server, names } = this;
		const closed = [...proxies, server, ...(names ? [names] : [])].map((one) =>
			one[Symbol.asyncDispose](),
		);
		const what = () => `the stage does not close: ${this.context()}`;
		await within(Promise.all(closed), CLOSE_MS, what);
		rmSync(this.folder, { recursive: true, force: true });
	}
}

export async function openStage(options: StageOptions): Promise<Stage> {
	// Each delivery is synced to a disk that others use too.
	const everyMs = options.mode === "webhook" ? 25 : 10;
	const server = await openLoadServer({ everyMs, ...options.behaviour });
	const receiverPort = await freePort();
	const names = options.isNamed
		? await startNameServer({ [HOST]: ["127.0.0.1"] })
		: undefined;
	const front = await openFaultProxy(server.port);
	const back = await openFaultProxy(receiverPort);
	return new Stage(options, { server, front, back, receiverPort, names });
}

/** What the server is called where it has a name. */
export const HOST = "events.test";

export const sleep = (ms: number) =>
	new Promise<void>((resolve) => setTimeout(resolve, ms));
