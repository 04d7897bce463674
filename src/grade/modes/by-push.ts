// Push as one of the modes that are compared: a stream that is opened again where it was cut, as a client would.
import { METHODS } from "../../protocol/index.ts";
import { untestable } from "../finding.ts";
import {
	confirm,
	isActive,
	isEvent,
	isTerminated,
	type Opening as StreamOpening,
	startOf,
} from "../push/ground.ts";
import type { Frame } from "../wire/frame.ts";
import type { GradeStream } from "../wire/stream.ts";
import type { ModeLog } from "./mode-log.ts";
import { leftOut, type Opened, type Opening, type Way } from "./way.ts";
import type { ComparedWindow } from "./window.ts";

const MOST_OPENED = 5;

export async function openByPush(opening: Opening): Promise<Opened> {
	const { context } = opening;
	const open = (cursor: string | null) =>
		opening.wire.openStream(METHODS.stream, startOf(opening.subject, cursor));
	let from = opening.cursor;
	let stream = open(from);
	let confirmed = await confirm(context, stream);
	if (confirmed.kind === "refused" && from !== null) {
		await stream.cancel();
		from = null;
		stream = open(from);
		confirmed = await confirm(context, stream);
	}
	if (confirmed.kind !== "refused")
		return { kind: "open", way: wayOf(stream, confirmed, { from, open }) };
	await stream.cancel();
	const need = { kind: "answer", name: "events/stream" } as const;
	return leftOut(untestable(need, confirmed.told, stream));
}

type Open = (cursor: string | null) => GradeStream;

function wayOf(
	first: GradeStream,
	confirmed: StreamOpening,
	{ from, open }: { from: string | null; open: Open },
): Way {
	let stream = first;
	let opened = 1;
	let seen = 0;
	const isActiveFirst = confirmed.kind === "active";
	let cursor = textOf(isActiveFirst ? confirmed.cursor : undefined) ?? from;

	/** Reads one frame; false where nothing more is to come. */
	function read(frame: Frame, at: number, [window, log]: Target): boolean {
		cursor = textOf(frame.params.cursor) ?? cursor;
		const [cite] = frame.record;
		if (isEvent(frame))
			window.take(log, { event: frame.params, at: frame.at, cite });
		// The first confirmation of the first stream is told by the way itself.
		const isLater = opened > 1 || at > 0;
		if (isActive(frame) && isLater && frame.params.truncated === true)
			log.hasGap = true;
		if (isTerminated(frame)) log.lost = "the server ended the subscription";
		if (frame.kind === "error") log.lost = "its stream was refused";
		return log.lost === undefined;
	}

	function goOn({ end, counts, frames }: GradeStream, log: ModeLog): void {
		if (counts.frames > frames.length || end?.kind === "overrun")
			log.lost = `it brought more than the ${frames.length} messages that are kept`;
		else if (end && (opened === MOST_OPENED || cursor === null))
			log.lost = `its stream ended: ${end.told}`;
		else if (end) {
			stream = open(cursor);
			seen = 0;
			opened++;
		}
	}

	return {
		mode: "push",
		cursor: cursor ?? undefined,
		isFromPosition:
			from !== null && isActiveFirst && confirmed.truncated !== true,
		opening: first,
		look(window, log) {
			if (log.lost !== undefined) return;
			const fresh = stream.frames.slice(seen);
			const start = seen;
			seen += fresh.length;
			const stands = fresh.every((frame, at) =>
				read(frame, start + at, [window, log]),
			);
			if (stands) goOn(stream, log);
		},
		close: async () => await stream.cancel(),
	};
}

type Target = readonly [ComparedWindow, ModeLog];

const textOf = (cursor: unknown) =>
	typeof cursor === "string" ? cursor : undefined;
