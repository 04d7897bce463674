// Tells the lines of a child's stdout apart: which request or stream each belongs to. What is wrong is kept, not dropped.
import { METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { Answer } from "./answer.ts";
import { type Frame, subscriptionOf } from "./frame.ts";
import { WIRE_LIMITS } from "./limits.ts";
import { type Asked, endsAnswer, judgeFrames, none } from "./read-answer.ts";
import type { WireMessage } from "./record.ts";
import { FrameLog, type GradeStream, streamOf } from "./stream.ts";
import type { Trail } from "./trail.ts";
import type { WireClock } from "./wire.ts";

interface Question extends Asked {
	method: string;
	timeoutMs: number;
	sent: WireMessage;
	trail: Trail;
}

interface Pending extends Question {
	frames: Frame[];
	settle(why: string | undefined): void;
}

interface OpenStream {
	id: unknown;
	method: string;
	log: FrameLog;
	trail: Trail;
	isCancelled: boolean;
}

type Write = (message: Record<string, unknown>) => void;

export class LineDesk {
	readonly #clock: WireClock;
	readonly #write: Write;
	readonly #pending = new Set<Pending>();
	readonly #streams = new Set<OpenStream>();
	#strays = 0;

	constructor({ clock }: { clock: WireClock }, write: Write) {
		this.#clock = clock;
		this.#write = write;
	}

	ask(question: Question): Promise<Answer> {
		const sentAtMs = this.#clock.now();
		return new Promise((resolve) => {
			const settle = (why: string | undefined) => {
				stopTimer();
				this.#pending.delete(pending);
				const { frames, method, id, sent } = pending;
				const isTooLate = why !== undefined && frames.length === 0;
				resolve({
					method,
					id,
					status: undefined,
					headers: {},
					outcome: isTooLate
						? none(why.startsWith("no answer") ? "timed-out" : "cut", why)
						: judgeFrames(frames, question),
					frames,
					record: [sent, ...frames.flatMap(({ record }) => record)],
					sentAtMs,
					endedAtMs: this.#clock.now(),
					bodyBytes: 0,
				});
			};
			const pending: Pending = { ...question, frames: [], settle };
			const stopTimer = this.#clock.setTimer(
				() => settle(`no answer in ${question.timeoutMs} ms`),
				question.timeoutMs,
			);
			this.#pending.add(pending);
		});
	}

	openStream(id: unknown, method: string, trail: Trail): GradeStream {
		const log = new FrameLog(this.#clock);
		const stream: OpenStream = { id, method, log, trail, isCancelled: false };
		this.#streams.add(stream);
		const cancel = async () => {
			if (log.end) return;
			stream.isCancelled = true;
			log.finish("cancelled", "cancelled by us");
			this.#write({
				method: NOTIFICATIONS.cancelled,
				params: { requestId: id },
			});
		};
		return streamOf(log, { id, method, cancel });
	}

	/** So many lines belonged to nobody that further ones say nothing new. */
	get isFlooded(): boolean {
		return this.#strays > WIRE_LIMITS.strayLines;
	}

	route(frame: Frame, bytes: number): void {
		if (frame.kind === "request") this.#answer(frame);
		else if (frame.kind === "notification")
			this.#routeNotification(frame, bytes);
		else if (frame.kind === "stray") this.#routeStray(frame);
		else this.#routeResponse(frame, bytes);
	}

	/** Nothing more will come: all that is waited for ends. */
	endAll(why: string): void {
		for (const pending of [...this.#pending]) pending.settle(why);
		for (const { log } of this.#streams) log.finish("cut", why);
	}

	#routeResponse(frame: Frame, bytes: number): void {
		const stream = [...this.#streams].find(({ id }) => id === frame.id);
		if (stream) {
			this.#give(stream, frame, bytes);
			return;
		}
		const pending = [...this.#pending];
		const owner =
			pending.find((each) => endsAnswer(frame, each) && !each.isAnyId) ??
			pending.find((each) => endsAnswer(frame, each)) ??
			pending.at(0);
		if (!owner) return;
		owner.frames.push(frame);
		owner.trail.addFrame(frame, owner.method);
		owner.settle(undefined);
	}

	#routeNotification(frame: Frame, bytes: number): void {
		const id = subscriptionOf(frame);
		const named = [...this.#streams].filter((stream) => stream.id === id);
		if (named.length > 0) {
			for (const stream of named) this.#give(stream, frame, bytes);
			return;
		}
		// Without a known id it belongs to nobody: every stream that is open has to tell of it.
		const isOfEvents = frame.method.startsWith("notifications/events/");
		for (const stream of this.#streams)
			if (isOfEvents && !stream.log.end) this.#give(stream, frame, bytes);
	}

	#give(stream: OpenStream, frame: Frame, bytes: number): void {
		stream.trail.addFrame(frame, stream.method);
		if (!stream.log.add(frame, bytes))
			stream.log.finish("overrun", "more came than is read of one stream");
		if (frame.kind === "result" || frame.kind === "error")
			stream.log.finish("ended", "the server sent the response");
	}

	#routeStray(frame: Frame): void {
		this.#strays++;
		if (this.isFlooded) return;
		for (const { trail, method } of [...this.#pending, ...this.#streams].slice(
			0,
			1,
		))
			trail.addFrame(frame, method);
	}

	#answer({ id, method }: Frame): void {
		if (method === METHODS.ping) this.#write({ id, result: {} });
		else
			this.#write({ id, error: { code: -32601, message: "Method not found" } });
	}
}
