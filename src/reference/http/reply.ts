// One HTTP answer: a JSON body, or a stream of server-sent events.
import type { RequestId } from "../../protocol/index.ts";
import type { Refusal } from "../refusal.ts";
import { type Era, errorText } from "../rpc/envelope.ts";
import type { Sink } from "../rpc/stream.ts";
import type { Settings } from "../settings.ts";
import type { HttpResponse } from "./exchange.ts";

export function replyJson(
	response: HttpResponse,
	status: number,
	text: string,
): void {
	response.writeHead(status, {
		"content-type": "application/json",
		"content-length": Buffer.byteLength(text),
		"cache-control": "no-store",
	});
	response.end(text);
}

export function replyRefusal(
	response: HttpResponse,
	refusal: Refusal,
	about: { id?: RequestId; era?: Era; settings: Settings },
): void {
	const { id, era = "modern", settings } = about;
	const text = errorText(id, refusal, settings.numbers);
	replyJson(response, statusOf(refusal, era), text);
}

/** The events errors have no HTTP status of their own (events.md 1). */
function statusOf({ error, httpStatus }: Refusal, era: Era): number {
	if (httpStatus !== undefined) return httpStatus;
	switch (error) {
		case "ParseError":
		case "InvalidRequest":
		case "HeaderMismatch":
			return 400;
		case "MethodNotFound":
			// An `initialize` client takes a 404 for the end of its session.
			return era === "modern" ? 404 : 200;
		case "InternalError":
			return 500;
		default:
			return 200;
	}
}

export function openSse(response: HttpResponse): Sink {
	let isGone = false;
	response.once("close", () => {
		isGone = true;
	});
	response.writeHead(200, {
		"content-type": "text/event-stream",
		"cache-control": "no-store",
		// A proxy that buffers would hold events back.
		"x-accel-buffering": "no",
	});
	return {
		frame: frameSse,
		write(text) {
			if (isGone || response.write(text)) return Promise.resolve();
			return new Promise((resolve) => {
				const go = () => {
					response.off("drain", go);
					response.off("close", go);
					resolve();
				};
				response.on("drain", go);
				response.on("close", go);
			});
		},
	};
}

export const frameSse = (message: string) => `data: ${message}\n\n`;
