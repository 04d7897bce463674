// subscriptions/listen with eventsListChanged: the stream, and what it was promised (base.md, subscriptions/listen).
import { isRecord, METHODS, NOTIFICATIONS } from "../protocol/index.ts";
import type { GradeContext } from "./context.ts";
import type { Frame } from "./wire/frame.ts";
import type { GradeStream } from "./wire/stream.ts";

export interface Listening extends AsyncDisposable {
	stream: GradeStream;
	/** The first message that came, whatever it was; undefined where none did in time. */
	first: Frame | undefined;
	/** The acknowledgement, wherever it stood. */
	acknowledged: Frame | undefined;
	/** Whether it promises the notices. */
	isPromised: boolean;
}

/** Opens it and waits for the acknowledgement. The caller closes it. */
export async function openListening({
	wire,
	waits,
}: GradeContext): Promise<Listening> {
	const stream = wire.openStream(METHODS.listen, {
		notifications: { eventsListChanged: true },
	});
	const isAcknowledged = ({ method, kind }: Frame) =>
		method === NOTIFICATIONS.acknowledged || kind === "error";
	const frame = await stream.waitFor(
		isAcknowledged,
		waits.listenAcknowledgedMs,
	);
	const acknowledged = frame?.kind === "notification" ? frame : undefined;
	const filter = acknowledged?.params.notifications;
	return {
		stream,
		first: stream.frames[0],
		acknowledged,
		isPromised: isRecord(filter) && filter.eventsListChanged === true,
		[Symbol.asyncDispose]: () => stream.cancel(),
	};
}

export const isListChanged = ({ method }: Frame) =>
	method === NOTIFICATIONS.listChanged;
