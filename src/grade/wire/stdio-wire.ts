// The wire over stdio: one child, whose stdout all answers and streams share (base.md, stdio).
import { signalGroup } from "../../children/index.ts";
import { Fault } from "../../faults/index.ts";
import { LineSplitter, METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import {
	commandLine,
	endChild,
	type StdioTarget,
	startChild,
} from "../../session/index.ts";
import type { Answer } from "./answer.ts";
import { type Agreement, MODERN, messageText } from "./envelope.ts";
import { readFrame } from "./frame.ts";
import { type Shaken, shakeHands } from "./handshake.ts";
import { WIRE_LIMITS } from "./limits.ts";
import type { Scribe } from "./record.ts";
import { LineDesk } from "./stdio-desk.ts";
import { type Link, openLink } from "./stdio-link.ts";
import type { GradeStream } from "./stream.ts";
import type { Trail } from "./trail.ts";
import type { AskOptions, Wire, WireClock } from "./wire.ts";

export interface StdioWireParts {
	target: StdioTarget;
	scribe: Scribe;
	clock: WireClock;
	signal: AbortSignal;
	clientInfo: object;
	timeoutMs: number;
	prefer: "modern" | "legacy";
	newId(): string;
	onStderr(chunk: Buffer): void;
	/** Registers a synchronous last act for a forced exit; returns what takes it back. */
	atExit(act: () => void): () => void;
}

/** How long the era question may stay open: a legacy server may say nothing to it. */
const PROBE_MS = 5_000;
const MOST_REVIVALS = 10;
/** What every message begins with. */
const BRACE = "{".charCodeAt(0);

export class StdioWire implements Wire {
	readonly kind = "stdio";
	readonly #parts: StdioWireParts;
	readonly #trail: Trail;
	readonly #link: Link;

	constructor(parts: StdioWireParts, trail: Trail, link?: Link) {
		this.#parts = parts;
		this.#trail = trail;
		this.#link =
			link ?? openLink(new LineDesk(parts, (message) => this.#write(message)));
	}

	get label(): string {
		return commandLine(this.#parts.target);
	}

	get era(): "modern" | "legacy" | undefined {
		return this.#link.agreement?.era;
	}

	withTrail(trail: Trail): Wire {
		return new StdioWire(this.#parts, trail, this.#link);
	}

	/** Starts the command where it does not run. Throws `child-not-started`. */
	async shake(): Promise<Shaken> {
		if (!this.#link.child) await this.#start();
		const shaken = await shakeHands({
			askUnder: (agreement, method, params) =>
				this.#ask(method, params, { timeoutMs: PROBE_MS }, agreement),
			notifyInitialized: (agreement) =>
				this.#notify(NOTIFICATIONS.initialized, {}, agreement),
			clientInfo: this.#parts.clientInfo,
			prefer: this.#parts.prefer,
		});
		this.#link.agreement = shaken.agreement;
		return shaken;
	}

	async renew(): Promise<boolean> {
		if (this.#link.child && this.era === "modern") {
			const { outcome } = await this.ask(METHODS.discover, {});
			return outcome.kind !== "none";
		}
		return (await this.shake()).agreement !== undefined;
	}

	async ask(
		method: string,
		params: Record<string, unknown>,
		options: AskOptions = {},
	): Promise<Answer> {
		if (!this.#link.child) await this.#revive();
		return await this.#ask(method, params, options, this.#agreement);
	}

	openStream(
		method: string,
		params: Record<string, unknown>,
		options: AskOptions = {},
	): GradeStream {
		const { newId } = this.#parts;
		const id = "id" in options ? options.id : newId();
		const stream = this.#link.desk.openStream(id, method, this.#trail);
		this.#send(this.#text(id, { method, params }, options, this.#agreement));
		return stream;
	}

	notify(method: string, params: Record<string, unknown>): Promise<void> {
		return this.#notify(method, params, this.#agreement);
	}

	async close(): Promise<void> {
		const { child } = this.#link;
		this.#link.child = undefined;
		this.#link.revivals = MOST_REVIVALS;
		if (child) await endChild(child);
		this.#link.desk.endAll("closed by us");
	}

	get #agreement(): Agreement {
		return this.#link.agreement ?? MODERN;
	}

	/** What made it end is one finding: all that is asked later is asked of a new one. */
	async #revive(): Promise<void> {
		const link = this.#link;
		if (link.revivals >= MOST_REVIVALS) return;
		link.reviving ??= this.#shakeAgain().finally(() => {
			link.reviving = undefined;
		});
		await link.reviving;
	}

	async #shakeAgain(): Promise<void> {
		const link = this.#link;
		const before = link.agreement;
		link.revivals++;
		try {
			await this.shake();
		} catch (error) {
			if (!(error instanceof Fault)) throw error;
		}
		link.agreement ??= before;
	}

	async #start(): Promise<void> {
		const { target, onStderr, atExit } = this.#parts;
		const { desk } = this.#link;
		const child = await startChild(target);
		this.#link.child = child;
		const forgetLastAct = atExit(() => signalGroup(child, "SIGKILL"));
		const splitter = new LineSplitter(WIRE_LIMITS.answerBytes, {
			onLine: (line) => this.#take(line),
			onTooLong: (line) => this.#take(line.subarray(0, 1_000)),
		});
		const { stdout } = child;
		stdout.on("data", (chunk: Buffer) => {
			splitter.push(chunk);
			// Else one that writes without end is read without end, and no timer gets its turn.
			stdout.pause();
			setImmediate(() => stdout.resume());
		});
		child.stderr.on("data", onStderr);
		child.stdin.on("error", () => {});
		const gone = (how: string) => {
			forgetLastAct();
			if (this.#link.child === child) this.#link.child = undefined;
			desk.endAll(how);
		};
		child.once("close", (status, signal) =>
			gone(`the command ended with ${signal ?? `status ${status}`}`),
		);
	}

	#take(line: Buffer): void {
		if (line.length === 0) return;
		const { desk } = this.#link;
		if (desk.isFlooded && line[0] !== BRACE) return;
		const { scribe, clock } = this.#parts;
		const record = scribe.note({ direction: "received", via: "stdio" }, line);
		const frame = readFrame(Buffer.from(line), clock.now(), record);
		desk.route(frame, line.length);
	}

	async #ask(
		method: string,
		params: Record<string, unknown>,
		options: AskOptions,
		agreement: Agreement,
	): Promise<Answer> {
		const { newId, timeoutMs, scribe, signal } = this.#parts;
		signal.throwIfAborted();
		const id = "id" in options ? options.id : newId();
		const text = this.#text(id, { method, params }, options, agreement);
		const asked = this.#link.desk.ask({
			id,
			isAnyId: options.raw !== undefined,
			method,
			timeoutMs: options.timeoutMs ?? timeoutMs,
			sent: scribe.note({ direction: "sent", via: "stdio" }, text),
			trail: this.#trail,
		});
		if (!this.#send(text)) this.#link.desk.endAll("the command does not run");
		const answer = await asked;
		signal.throwIfAborted();
		this.#trail.addAnswer(answer);
		return answer;
	}

	#text(
		id: unknown,
		call: { method: string; params: Record<string, unknown> },
		{ raw, meta }: AskOptions,
		agreement: Agreement,
	): string {
		const { clientInfo } = this.#parts;
		if (raw !== undefined) return raw.toString();
		return messageText({ ...call, id }, agreement, { clientInfo, meta });
	}

	async #notify(
		method: string,
		params: Record<string, unknown>,
		agreement: Agreement,
	): Promise<void> {
		this.#send(this.#text(undefined, { method, params }, {}, agreement));
	}

	/** A server that asks and asks, and reads no answer, gets none. */
	#write(message: Record<string, unknown>): void {
		const waitingBytes = this.#link.child?.stdin.writableLength ?? 0;
		if (waitingBytes > WIRE_LIMITS.unreadBytes) return;
		this.#send(JSON.stringify({ jsonrpc: "2.0", ...message }));
	}

	#send(line: string): boolean {
		const stdin = this.#link.child?.stdin;
		if (!stdin?.writable) return false;
		stdin.write(`${line}\n`);
		return true;
	}
}
