// One HTTP answer: a JSON body, or a stream of server-sent events.
import type { RequestId } from "../../protocol/index.ts";
import type { About, HttpReply } from "../flaws/flaw.ts";
import type { Flaws } from "../flaws/flaws.ts";
import type { Refusal } from "../refusal.ts";
import { type Era, errorText } from "../rpc/envelope.ts";
import type { Sink } from "../rpc/stream.ts";
import type { Settings } from "../settings.ts";
import type { HttpResponse } from "./exchange.ts";

const JSON_HEADERS = {
	"content-type": "application/json",
	"cache-control": "no-store",
};

export function replyJson(
	response: HttpResponse,
	status: number,
	text: string,
): void {
	write(response, { status, headers: JSON_HEADERS, body: text });
}

function write(
	response: HttpResponse,
	{ status, headers, body }: HttpReply,
): void {
	response.writeHead(status, {
		...headers,
		"content-length": Buffer.byteLength(body),
	});
	response.end(body);
}

/**
 * The answer to a request that could be read: as JSON, or as the frame that ends its stream. `admit` may refuse JSON
 * of so many characters.
 */
export async function replyTo(
	response: HttpResponse,
	{
		status,
		text,
		admit,
	}: { status: number; text: string; admit?: (length: number) => void },
	{ flaws, ...about }: About & { flaws: Flaws },
): Promise<void> {
	const { texts, isCut } = await flaws.answer(text, about);
	if (isCut || texts.length === 0) {
		response.destroy();
	} else if (response.headersSent) {
		const frames = texts.map((one) => flaws.frame(frameSse(one), about));
		response.end(frames.join(""));
	} else {
		const body = texts.join("\n");
		admit?.(body.length);
		const reply = { status, headers: { ...JSON_HEADERS }, body };
		flaws.reply(reply, about);
		write(response, reply);
	}
}

export function replyRefusal(
	response: HttpResponse,
	refusal: Refusal,
	about: { id?: RequestId; era?: Era; settings: Settings },
): void {
	const { status, text } = refusalReply(refusal, about);
	replyJson(response, status, text);
}

export function refusalReply(
	refusal: Refusal,
	{
		id,
		era = "modern",
		settings,
	}: { id?: RequestId; era?: Era; settings: Settings },
): { status: number; text: string } {
	const text = errorText(id, refusal, settings.numbers);
	return { status: statusOf(refusal, era), text };
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
		// What was written before goes out first.
		cut: () => void setImmediate(() => response.destroy()),
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
