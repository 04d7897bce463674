// What a server of the legacy era may ask of us, and our answer (base.md, Legacy in short).
import { CORE_CODES, METHODS, type Message } from "../protocol/index.ts";

/** The response, less `jsonrpc`: `ping` is answered, and we declared nothing else that could be asked for. */
export function answerServerRequest(
	request: Message & { kind: "request" },
): Record<string, unknown> {
	if (request.method === METHODS.ping) return { id: request.id, result: {} };
	return {
		id: request.id,
		error: { code: CORE_CODES.MethodNotFound, message: "Method not found" },
	};
}
