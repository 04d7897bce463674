// What one would write by hand for one server: node slice-reader.mjs URL [STREAMS EVENTS]. undici, a line at a time,
// JSON.parse to be sure of each message, and the bytes of `params` as they came; one write for each chunk. It checks
// nothing else. Of several streams, told apart by the argument `part`, it reads so many events in all.
import { once } from "node:events";
import { Agent, request } from "undici";
import { streamRequest } from "./feed.mjs";

const LF = 0x0a;
const PREFIX = Buffer.from(
	'{"jsonrpc":"2.0","method":"notifications/events/event","params":',
);
const FIELD = "data: ".length;

const [url, streams = "1", events] = process.argv.slice(2);
const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
let left = events === undefined ? Number.POSITIVE_INFINITY : Number(events);

async function read(args) {
	const { body } = await request(url, {
		...streamRequest(args),
		method: "POST",
		dispatcher,
	});
	let rest = Buffer.alloc(0);
	for await (const chunk of body) {
		const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
		const out = Buffer.allocUnsafe(bytes.length);
		let length = 0;
		let start = 0;
		for (
			let end = bytes.indexOf(LF);
			end !== -1;
			end = bytes.indexOf(LF, start)
		) {
			// A line of data begins with a "d".
			if (bytes[start] === 0x64) {
				const { method } = JSON.parse(bytes.utf8Slice(start + FIELD, end));
				if (method === "notifications/events/event") {
					const from = start + FIELD + PREFIX.length;
					length += bytes.copy(out, length, from, end - 1);
					out[length++] = LF;
					left--;
				}
			}
			start = end + 1;
		}
		rest = bytes.subarray(start);
		if (length > 0 && !process.stdout.write(out.subarray(0, length)))
			await once(process.stdout, "drain");
		if (left === 0) return end();
	}
}

async function end() {
	await new Promise((resolve) => process.stdout.write("", resolve));
	process.exit();
}

process.stdout.setMaxListeners(0);
await Promise.all(
	Array.from({ length: Number(streams) }, (_, part) =>
		read(events === undefined ? {} : { part }),
	),
);
await end();
