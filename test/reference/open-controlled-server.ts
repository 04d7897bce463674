// A reference server with its fixture controls, and nothing else but what a test hands in.
import {
	type HttpOptions,
	openReferenceServer,
} from "../../src/reference/index.ts";
import { realClock } from "./manual-clock.ts";
import { ask, type Json } from "./wire-client.ts";

export const SPARE = "conformance.spare";
export const STEADY = "conformance.steady";

export async function openControlledServer(options: Partial<HttpOptions> = {}) {
	const server = await openReferenceServer({
		sources: [],
		version: "1.2.3",
		clock: realClock,
		conformanceControls: true,
		// All on one page, so that a test need not read on.
		pageSize: 50,
		...options,
	});
	const { url } = server;
	return {
		url,
		/** Calls a fixture control; the text that it answers with. */
		async control(tool: string, args: Json = {}): Promise<string> {
			const name = `events_conformance_${tool}`;
			const answer = await ask(url, "tools/call", { name, arguments: args });
			return answer.result?.content?.[0]?.text ?? JSON.stringify(answer.error);
		},
		async names(): Promise<string[]> {
			const { result } = await ask(url, "events/list");
			return result.events.map(({ name }: Json) => name);
		},
		close: server.close,
		[Symbol.asyncDispose]: server.close,
	};
}

/** The first of the messages that fits. */
export async function until(
	messages: AsyncIterator<Json>,
	fits: (message: Json) => boolean,
): Promise<Json> {
	for (;;) {
		const { value, done } = await messages.next();
		if (done) throw new Error("the stream ended before");
		if (fits(value)) return value;
	}
}

export const isMethod = (end: string) => (message: Json) =>
	message.method?.endsWith(end) === true;
