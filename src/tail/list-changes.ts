// Notices of catalogue changes, by subscriptions/listen (events.md 2).
import { Fault } from "../faults/index.ts";
import {
	isRecord,
	METHODS,
	type Message,
	NOTIFICATIONS,
} from "../protocol/index.ts";
import type { Session } from "../session/index.ts";
import type { Pieces } from "./follow.ts";
import { RETRY_DEFAULTS, retryDelayMs } from "./retry.ts";
import { pause } from "./wait.ts";

/**
 * Listens until the signal aborts, or the server will not send such notices; opened again where the stream ends, with a
 * `changed` after each break, in which a notice may have been missed. Faults end it quietly: it can be done without.
 */
export async function listenForChanges(
	session: Session,
	pieces: Pieces,
	changed: () => Promise<void>,
): Promise<void> {
	const { signal } = pieces;
	let failures = 0;
	while (!signal.aborted) {
		const begun = pieces.now();
		const how = await listenOnce(session, pieces, changed);
		if (how === "refused" || signal.aborted) return;
		failures = pieces.now() - begun > RETRY_DEFAULTS.capMs ? 0 : failures + 1;
		const options = { retry: RETRY_DEFAULTS, fault: undefined };
		await pause(retryDelayMs(failures, options, pieces.random), pieces);
		if (!signal.aborted) await changed();
	}
}

async function listenOnce(
	session: Session,
	{ signal, note }: Pieces,
	changed: () => Promise<void>,
): Promise<"refused" | "ended"> {
	const params = { notifications: { eventsListChanged: true } };
	try {
		const batches = session.openStream(METHODS.listen, params, { signal });
		for await (const batch of batches)
			for (const message of batch) {
				if (isRefusal(message)) return "refused";
				if (isMethod(message, NOTIFICATIONS.listChanged)) await changed();
			}
		return "ended";
	} catch (error) {
		if (signal.aborted) return "ended";
		if (!(error instanceof Fault)) throw error;
		if (error.isTransient) return "ended";
		note(`the server tells of no catalogue changes: ${error.what}`);
		return "refused";
	}
}

const isMethod = (
	message: Message,
	method: string,
): message is Message & { kind: "notification" } =>
	message.kind === "notification" && message.method === method;

/** Only what is acknowledged will be sent. */
function isRefusal(message: Message): boolean {
	if (!isMethod(message, NOTIFICATIONS.acknowledged)) return false;
	const { notifications } = message.params;
	return !isRecord(notifications) || notifications.eventsListChanged !== true;
}
