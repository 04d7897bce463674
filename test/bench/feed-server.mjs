// A server that writes as fast as it is read, for the benches: node feed-server.mjs EVENTS [STREAMS] [TIMES]
// Each of so many streams, told apart by the argument `part`, gets its share of the events, all of it so many times.
// `events/poll` has them too, in pages of 1,000.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import {
	active,
	answer,
	ended,
	eventChunks,
	makePages,
	pollAnswer,
} from "./feed.mjs";

const [events, streams = 1, times = 1] = process.argv.slice(2).map(Number);
const PAGE = 1_000;
const pages = makePages(Math.min(events, 300_000), PAGE);
const share = Math.ceil(events / streams);
const frame = (json) => `event: message\ndata: ${json}\n\n`;

/** By request id: a client that comes again asks by the same one, and must not wait for its frames to be made. */
const made = new Map();

function chunksFor(id, part) {
	const key = JSON.stringify([id, part]);
	const known = made.get(key);
	if (known) return known;
	const from = part * share;
	const chunks = eventChunks(id, { from, to: from + share }, frame);
	made.set(key, chunks);
	return chunks;
}

function pump(response, chunks, done) {
	const all = chunks.length * times;
	let at = 0;
	const write = () => {
		while (at < all)
			if (!response.write(chunks[at++ % chunks.length])) {
				response.once("drain", write);
				return;
			}
		done();
	};
	write();
}

function stream({ id, params }, response) {
	response.writeHead(200, { "content-type": "text/event-stream" });
	response.write(frame(active(id)));
	const chunks = chunksFor(id, params.arguments?.part ?? 0);
	pump(response, chunks, () => {
		// Whoever follows many counts what comes of all of them: no stream ends of itself then.
		if (streams === 1) response.end(frame(ended(id)));
	});
}

const server = createServer(async (request, response) => {
	response.socket.setNoDelay(true);
	const message = JSON.parse(await text(request));
	if (message.method === "events/stream") return stream(message, response);
	const pieces =
		message.method === "events/poll"
			? pollAnswer(message.id, message.params, pages)
			: [Buffer.from(answer(message))];
	response.writeHead(200, {
		"content-type": "application/json",
		"content-length": pieces.reduce((sum, { length }) => sum + length, 0),
	});
	response.cork();
	for (const piece of pieces) response.write(piece);
	response.end();
});
server.listen(0, "127.0.0.1", () =>
	console.error(`at http://127.0.0.1:${server.address().port}/mcp`),
);
