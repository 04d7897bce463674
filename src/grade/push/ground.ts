// What the checks of push share: one stream that is held open from the start, and every stream that was opened beside it.
import { excerpt, METHODS, NOTIFICATIONS } from "../../protocol/index.ts";
import type { GradeContext } from "../context.ts";
import { type Finding, untestable } from "../finding.ts";
import { type Check, checkRow } from "../scenario.ts";
import type { Subject } from "../traffic/subject.ts";
import { tellError } from "../wire/answer.ts";
import type { Frame, FrameError } from "../wire/frame.ts";
import type { Citable } from "../wire/record.ts";
import type { GradeStream } from "../wire/stream.ts";
import type { AskOptions } from "../wire/wire.ts";

export interface PushGround {
	/** The first event type that offers push. */
	subject: Subject;
	/** A stream of it from now on, which stays open. */
	main: GradeStream;
	opening: Opening;
	/** All that were opened, the main one too. */
	streams: GradeStream[];
	/** A refusal that was met where none was looked for. */
	refusal?: { error: FrameError; cite: Frame };
}

/** What became of a stream that was opened. */
export type Opening =
	| { kind: "active"; frame: Frame; cursor: unknown; truncated: unknown }
	| { kind: "refused"; told: string; error?: FrameError; frame?: Frame }
	/** It is open, as far as can be seen, and was not confirmed. */
	| { kind: "silent"; told: string };

/** Opens the main stream. Judges nothing. */
export async function openPushGround(
	context: GradeContext,
): Promise<PushGround> {
	const subject = await context.subjects.first("push");
	const streams: GradeStream[] = [];
	const main = openStream(context, { streams }, startOf(subject));
	return { subject, main, streams, opening: await confirm(context, main) };
}

/** Params that begin now, or behind a cursor. */
export const startOf = (
	subject: Pick<Subject, "name" | "arguments">,
	cursor: string | null = null,
) => ({ name: subject.name, arguments: subject.arguments, cursor });

/** Opens a stream and remembers it. Whoever opens it cancels it; what is left over ends with the scenario. */
export function openStream(
	{ wire }: GradeContext,
	{ streams }: Pick<PushGround, "streams">,
	params: Record<string, unknown>,
	options?: Omit<AskOptions, "timeoutMs">,
): GradeStream {
	const stream = wire.openStream(METHODS.stream, params, options);
	streams.push(stream);
	return stream;
}

/** Long enough to see that a stream does not stand. */
const SETTLE_MS = 100;

/** Opens one that is to stand while something is done to it; else the finding of what needs it. The caller cancels it. */
export async function openStanding(
	context: GradeContext,
	ground: PushGround,
	subject: Subject,
): Promise<
	| { kind: "stands"; stream: GradeStream; active: Frame; cursor: unknown }
	| { kind: "failed"; finding: Finding }
> {
	if (context.found().get("stream-implemented")?.kind === "broken") {
		const why = "streams do not stand; stream-implemented tells of it";
		return { kind: "failed", finding: notOpen(why, ground.main) };
	}
	const stream = openStream(context, ground, startOf(subject));
	const next = await confirm(context, stream);
	if (next.kind === "active") await stream.watch(SETTLE_MS);
	if (next.kind === "active" && !stream.end)
		return { kind: "stands", stream, active: next.frame, cursor: next.cursor };
	const told = "told" in next ? next.told : stream.end?.told;
	await stream.cancel();
	const finding = notOpen(`${excerpt(subject.name, 80)}: ${told}`, stream);
	return { kind: "failed", finding };
}

export const isActive = ({ method }: Frame) => method === NOTIFICATIONS.active;
export const isEvent = ({ method }: Frame) => method === NOTIFICATIONS.event;
export const isTerminated = ({ method }: Frame) =>
	method === NOTIFICATIONS.terminated;
export const isResponse = ({ kind }: Frame) =>
	kind === "result" || kind === "error";

/** Waits for the confirmation, or for what comes in its place. */
export async function confirm(
	{ waits }: Pick<GradeContext, "waits">,
	stream: Pick<GradeStream, "waitFor" | "head" | "end">,
): Promise<Opening> {
	const frame = await stream.waitFor(
		(one) => isActive(one) || isResponse(one),
		waits.activeMs,
	);
	if (frame && isActive(frame)) {
		const { cursor = null, truncated } = frame.params;
		return { kind: "active", frame, cursor, truncated };
	}
	const told = tellOpening(stream, frame);
	if (frame?.error) return { kind: "refused", told, error: frame.error, frame };
	if (frame || stream.end || (stream.head && !stream.head.isEvents))
		return { kind: "refused", told, ...(frame && { frame }) };
	return { kind: "silent", told };
}

function tellOpening(
	stream: Pick<GradeStream, "head" | "end">,
	frame: Frame | undefined,
): string {
	const http = stream.head ? ` (HTTP ${stream.head.status})` : "";
	if (frame?.error) return `${tellError(frame.error)}${http}`;
	if (frame) return `a response in place of a stream${http}`;
	if (stream.end) return `${stream.end.told}${http}`;
	if (stream.head && !stream.head.isEvents)
		return `${stream.head.headers["content-type"] ?? "no content type"}${http}`;
	return `no notifications/events/active${http}`;
}

/** Nothing came at all, not even the head of an answer: a server that is busy has said nothing wrong. */
export const isUnheard = ({
	head,
	end,
	frames,
}: Pick<GradeStream, "head" | "end" | "frames">): boolean =>
	head === undefined && end === undefined && frames.length === 0;

/** The finding of a row that needed a word, for or against. */
export const notHeard = (told: string, stream: GradeStream): Finding =>
	untestable(
		{ kind: "answer", name: `${METHODS.stream} ${told}` },
		"nothing came in time",
		stream,
	);

/** The finding of a row for which a stream would have had to be open. */
export const notOpen = (told: string, stream: Citable): Finding =>
	untestable({ kind: "answer", name: "events/stream" }, told, stream);

/**
 * The same where a further stream did not open for what other rows are about: a limit, that this server confirms none,
 * or that it takes its time. Undefined where it was none of these.
 */
export function whyAsideOf(
	next: Opening,
	stream: Pick<GradeStream, "head" | "end" | "frames"> & Citable,
	{ opening }: Pick<PushGround, "opening">,
): Finding | undefined {
	if (next.kind === "active") return undefined;
	const isLimit =
		next.kind === "refused" && next.error?.name === "ResourceExhausted";
	const isUsual = next.kind === "silent" && opening.kind === "silent";
	const isLate = next.kind === "silent" && isUnheard(stream);
	return isLimit || isUsual || isLate ? notOpen(next.told, stream) : undefined;
}

/** A check of one row, which is untestable where the main stream was refused: then nothing of push can be tried. */
export function pushRow(
	id: string,
	run: (context: GradeContext, ground: PushGround) => Promise<Finding>,
	more: Omit<Check<PushGround>, "ids" | "run"> = {},
): Check<PushGround> {
	return checkRow(
		id,
		async (context, ground) =>
			whyRefused(ground) ?? (await run(context, ground)),
		more,
	);
}

/** The same for several rows of one experiment. */
export function pushRows<Id extends string>(
	ids: readonly Id[],
	run: (
		context: GradeContext,
		ground: PushGround,
	) => Promise<Record<Id, Finding>>,
	more: Omit<Check<PushGround>, "ids" | "run"> = {},
): Check<PushGround> {
	return {
		...more,
		ids,
		async run(context, ground) {
			const refused = whyRefused(ground);
			return refused ? sameFor(ids, refused) : await run(context, ground);
		},
	};
}

/** One finding for several rows. */
export const sameFor = <Id extends string>(
	ids: readonly Id[],
	finding: Finding,
) => Object.fromEntries(ids.map((id) => [id, finding])) as Record<Id, Finding>;

function whyRefused({ opening, main }: PushGround): Finding | undefined {
	if (opening.kind !== "refused") return undefined;
	return notOpen(`no stream could be opened: ${opening.told}`, main);
}
