// What the servers of the benches say: one event type, and as many distinct events of about 380 bytes as are wanted. It
// shares no code with the product.
const NAME = "bench.event";
const CHUNK_BYTES = 64 * 1024;

/** What asks a feed server for a stream, by hand. */
export const streamRequest = (args = {}) => ({
	headers: {
		accept: "application/json, text/event-stream",
		"content-type": "application/json",
		"mcp-protocol-version": "2026-07-28",
		"mcp-method": "events/stream",
		"mcp-name": NAME,
	},
	body: JSON.stringify({
		jsonrpc: "2.0",
		id: 1,
		method: "events/stream",
		params: {
			name: NAME,
			arguments: args,
			cursor: "0",
			_meta: {
				"io.modelcontextprotocol/protocolVersion": "2026-07-28",
				"io.modelcontextprotocol/clientCapabilities": {},
			},
		},
	}),
});

export { NAME as EVENT_NAME };

const meta = (id) => ({ "io.modelcontextprotocol/subscriptionId": id });

const occurrence = (n, more) => ({
	...more,
	eventId: `evt_${String(n).padStart(8, "0")}`,
	name: NAME,
	timestamp: new Date(1_796_000_000_000 + n).toISOString(),
	...(more && { cursor: String(n) }),
	data: {
		seq: n,
		repo: "acme/widgets",
		title: "Crème brûlée ☕ pull request",
		ok: true,
		labels: ["a", "b"],
		score: 12.5,
		pad: "abcdefghijklmnopqrst",
	},
});

const notification = (kind, params) =>
	JSON.stringify({
		jsonrpc: "2.0",
		method: `notifications/events/${kind}`,
		params,
	});

/** The message that opens the stream of a request. */
export const active = (id) =>
	notification("active", { _meta: meta(id), cursor: "0", truncated: false });

/** The response that ends it. */
export const ended = (id) =>
	JSON.stringify({
		jsonrpc: "2.0",
		id,
		result: { resultType: "complete", _meta: meta(id) },
	});

/** The events from `from` up to `to` as messages of one stream, written by `frame`, in chunks that cut them anywhere. */
export function eventChunks(id, { from, to }, frame) {
	const _meta = meta(id);
	const texts = [];
	for (let n = from; n < to; n++)
		texts.push(frame(notification("event", occurrence(n, { _meta }))));
	return cut(Buffer.from(texts.join("")));
}

function cut(bytes) {
	const chunks = [];
	for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
		chunks.push(bytes.subarray(at, at + CHUNK_BYTES));
	return chunks;
}

/** The pages of a backlog, as the bytes of `events`: to make them anew for each poll would take as long as to read them. */
export function makePages(events, size) {
	const pages = [];
	for (let from = 0; from < events; from += size) {
		const page = Array.from({ length: size }, (_, at) => occurrence(from + at));
		pages.push(Buffer.from(JSON.stringify(page)));
	}
	return pages;
}

const NO_EVENTS = Buffer.from("[]");

/** The answer to `events/poll` at a cursor that is the number of the page, in pieces. */
export function pollAnswer(id, { cursor }, pages) {
	const at = Number(cursor ?? pages.length);
	const rest = {
		resultType: "complete",
		cursor: String(Math.min(at + 1, pages.length)),
		truncated: false,
		hasMore: at + 1 < pages.length,
		nextPollMs: 1_000,
	};
	const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"events":`;
	const tail = `,${JSON.stringify(rest).slice(1)}}`;
	return [Buffer.from(head), pages[at] ?? NO_EVENTS, Buffer.from(tail)];
}

const RESULTS = {
	"server/discover": {
		resultType: "complete",
		supportedVersions: ["2026-07-28"],
		capabilities: { extensions: { "io.modelcontextprotocol/events": {} } },
		serverInfo: { name: "bench", version: "1.0.0" },
		ttlMs: 0,
		cacheScope: "private",
	},
	"events/list": {
		resultType: "complete",
		events: [
			{
				name: NAME,
				description: "An event of a bench.",
				delivery: ["poll", "push"],
				inputSchema: {
					type: "object",
					properties: { part: { type: "integer" } },
				},
				payloadSchema: { type: "object" },
			},
		],
	},
};

/** The answer to any other request. */
export function answer({ id, method }) {
	const result = RESULTS[method];
	const error = { code: -32601, message: "no such method" };
	return JSON.stringify({
		jsonrpc: "2.0",
		id,
		...(result ? { result } : { error }),
	});
}
