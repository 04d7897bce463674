// The listener behind all callback paths of a run: it keeps what comes as it came, and answers by path.
import { WELL_KNOWN_PATH } from "../../protocol/index.ts";
import {
	type Answer,
	openShell,
	RECEIVER_LIMITS,
	type RequestHead,
	readBytes,
	type Shell,
} from "../../receiver/index.ts";
import type { ReceiverPlace } from "../options.ts";
import type { Scribe } from "../wire/record.ts";
import type { Behaviour } from "./behaviour.ts";
import { CallbackPath, type PathClock } from "./callback-path.ts";
import { type CallbackRequest, readCallback } from "./callback-request.ts";

/** Larger bodies than a receiver has to take are looked at, too: that they are too large is a finding. */
export const RECEIVING_LIMITS = {
	...RECEIVER_LIMITS,
	bodyBytes: 4 * 1024 * 1024,
};

/** Under this prefix lies what the well-known document covers. */
export const COVERED_PREFIX = "/covered/";
const PREFIX = "/callbacks/";

export interface CallbackReceiver {
	/** Scheme, host and port on this machine. */
	readonly origin: string;
	readonly port: number;
	/** A new path, under a base of the caller's; `isCovered`: one that the well-known document names. */
	openPath(
		base: string,
		behaviour: Behaviour,
		isCovered?: boolean,
	): CallbackPath;
	/** Answers who asks for the well-known document; at first with one that names COVERED_PREFIX alone. */
	document: (request: CallbackRequest) => Answer;
	readonly documentRequests: readonly CallbackRequest[];
	close(): Promise<void>;
}

export interface ReceiverPieces extends PathClock {
	scribe: Scribe;
	unique(): string;
}

/** Throws `address-unusable` or `tls-failed`. */
export async function openCallbackReceiver(
	place: ReceiverPlace,
	pieces: ReceiverPieces,
): Promise<CallbackReceiver> {
	const paths = new Map<string, CallbackPath>();
	const documentRequests: CallbackRequest[] = [];
	const { scribe, now, unique } = pieces;

	function answer(request: CallbackRequest): Answer {
		const segments = request.target.split("?")[0]?.split("/") ?? [];
		// By its last part alone: a proxy on the way may have put something before it, or taken something away.
		const path = paths.get(segments.at(-1) ?? "");
		if (path) return path.take(request);
		if (!request.target.endsWith(WELL_KNOWN_PATH)) return { status: 404 };
		documentRequests.push(request);
		return receiver.document(request);
	}

	const shell: Shell = await openShell({
		// Whatever leads here from elsewhere may come by another interface.
		host: place.openPublicAddress && !place.isTunnelled ? "0.0.0.0" : LOOPBACK,
		port: place.port ?? 0,
		tls: place.tls,
		limits: RECEIVING_LIMITS,
		failed() {},
		async answer(request, head: RequestHead) {
			const { socket } = request;
			const body = await readBytes(request, RECEIVING_LIMITS.bodyBytes);
			if (body === "gone") return undefined;
			const isWhole = body !== "too-large";
			const bytes = isWhole ? body : Buffer.alloc(0);
			const declaredBytes = isWhole
				? undefined
				: RECEIVING_LIMITS.bodyBytes + 1;
			const came = { head, body: bytes, atMs: now(), socket, declaredBytes };
			const answered = answer(readCallback(came, scribe));
			return isWhole ? answered : { status: 413 };
		},
	});
	const receiver: CallbackReceiver = {
		origin: `${place.tls ? "https" : "http"}://${LOOPBACK}:${shell.port}`,
		port: shell.port,
		document: () => coveringDocument(receiver.origin),
		documentRequests,
		openPath(base, behaviour, isCovered = false) {
			const token = unique();
			const prefix = isCovered ? COVERED_PREFIX : PREFIX;
			const url = `${base.replace(/\/+$/, "")}${prefix}${token}`;
			const path = new CallbackPath(url, behaviour, pieces);
			paths.set(token, path);
			return path;
		},
		close: () => shell.close(0),
	};
	return receiver;
}

const LOOPBACK = "127.0.0.1";

/** The well-known document that names COVERED_PREFIX alone, under the path of this base. */
export function coveringDocument(base: string): Answer {
	const path = new URL(base).pathname.replace(/\/+$/, "");
	return {
		status: 200,
		headers: {
			"content-type": "application/json",
			"cache-control": "no-store",
		},
		body: JSON.stringify({ receivers: [path + COVERED_PREFIX] }),
	};
}
