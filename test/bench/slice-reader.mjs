// What one would write by hand for one server: node slice-reader.mjs URL. undici, a line at a time, JSON.parse to be sure
// of each message, and the bytes of `params` as they came; one write for each chunk. It checks nothing else.
import { once } from "node:events";
import { Agent, request } from "undici";
import { STREAM_REQUEST } from "./feed.mjs";

const LF = 0x0a;
const PREFIX = Buffer.from(
	'{"jsonrpc":"2.0","method":"notifications/events/event","params":',
);
const FIELD = "data: ".length;

const dispatcher = new Agent({ headersTimeout: 0, bodyTimeout: 0 });
const { body } = await request(process.argv[2], {
	...STREAM_REQUEST,
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
				length += bytes.copy(
					out,
					length,
					start + FIELD + PREFIX.length,
					end - 1,
				);
				out[length++] = LF;
			}
		}
		start = end + 1;
	}
	rest = bytes.subarray(start);
	if (length > 0 && !process.stdout.write(out.subarray(0, length)))
		await once(process.stdout, "drain");
}
await new Promise((resolve) => process.stdout.write("", resolve));
process.exit();
