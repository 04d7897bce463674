// A session by script: each request gets the next answer, each stream the messages given.
import { parseMessage } from "../../src/protocol/index.ts";
import type { Session } from "../../src/session/index.ts";

/** JSON texts of results, in the order of the requests; and of the messages of every stream, in batches. */
export function scriptedSession(script: {
	results?: string[];
	stream?: string[][];
}) {
	const asked: { method: string; params: Record<string, unknown> }[] = [];
	let count = 0;
	const session: Session = {
		server: {
			label: "http://scripted.test/mcp",
			transport: "http",
			era: "modern",
			protocolVersion: "2026-07-28",
			name: undefined,
			version: undefined,
			offers: [],
			events: { listChanged: false },
		},
		async request(method, params) {
			asked.push({ method, params });
			const { results = [] } = script;
			const text = results[Math.min(count++, results.length - 1)];
			const message = parseMessage(
				Buffer.from(`{"jsonrpc":"2.0","id":1,"result":${text}}`),
			);
			if (message.kind !== "result") throw new Error("no result");
			return message;
		},
		async *openStream(method, params) {
			asked.push({ method, params });
			for (const batch of script.stream ?? [])
				yield batch.map((text) => parseMessage(Buffer.from(text)));
		},
		async close() {},
		async [Symbol.asyncDispose]() {},
	};
	return { session, asked };
}
