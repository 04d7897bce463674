// Who is told that the catalogue changed: `subscriptions/listen`, or the channel on which a legacy server speaks unasked.
import {
	isRecord,
	NOTIFICATIONS,
	type RequestId,
} from "../../protocol/index.ts";
import { invalidParams } from "../refusal.ts";
import { notificationText } from "./envelope.ts";
import type { Sink, StreamEnds } from "./stream.ts";

export interface NoticeWorld {
	ends: StreamEnds;
	openSink: () => Sink;
	/** Calls back after each change; undefined where none is told. */
	onChanged: ((tell: () => void) => () => void) | undefined;
}

/** Acknowledges what it will tell of, then tells of each change, until either side ends it. */
export async function runListen(
	id: RequestId,
	params: Record<string, unknown>,
	world: NoticeWorld,
): Promise<void> {
	const { notifications } = params;
	if (!isRecord(notifications))
		throw invalidParams("notifications must be an object");
	const isTold =
		world.onChanged !== undefined && notifications.eventsListChanged === true;
	const honoured = isTold ? { eventsListChanged: true } : {};
	const acknowledged = notificationText(
		NOTIFICATIONS.acknowledged,
		{ notifications: honoured },
		id,
	);
	const notice = notificationText(NOTIFICATIONS.listChanged, {}, id);
	const changes = isTold ? world.onChanged : undefined;
	await tellOf(changes, { ...world, notice, first: acknowledged });
}

/** A change, on the channel that belongs to no request. */
const UNASKED = JSON.stringify({
	jsonrpc: "2.0",
	method: NOTIFICATIONS.listChanged,
});

/** Tells of each change to whom is told without asking, until either side ends it. */
export async function tellUnasked(world: NoticeWorld): Promise<void> {
	await tellOf(world.onChanged, { ...world, notice: UNASKED });
}

async function tellOf(
	onChanged: NoticeWorld["onChanged"],
	{
		ends,
		openSink,
		notice,
		first,
	}: Omit<NoticeWorld, "onChanged"> & { notice: string; first?: string },
): Promise<void> {
	const sink = openSink();
	const say = (message: string) => {
		if (!ends.cancelled.aborted) void sink.write(sink.frame(message));
	};
	if (first !== undefined) say(first);
	const leave = onChanged?.(() => say(notice));
	await ended(ends);
	leave?.();
}

async function ended({ cancelled, ending }: StreamEnds): Promise<void> {
	if (cancelled.aborted || ending.aborted) return;
	await new Promise<void>((resolve) => {
		const over = () => {
			cancelled.removeEventListener("abort", over);
			ending.removeEventListener("abort", over);
			resolve();
		};
		cancelled.addEventListener("abort", over);
		ending.addEventListener("abort", over);
	});
}
