// The same by the SDK's client: node sdk-reader.mjs poll URL | node sdk-reader.mjs stream COMMAND...
import { once } from "node:events";
import {
	Client,
	StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import * as z from "zod/v4";
import { EVENT_NAME } from "./feed.mjs";

const ANYTHING = z.looseObject({});
/** There is no way to say "none". */
const LONGEST_MS = 2 ** 31 - 1;
const [way, ...words] = process.argv.slice(2);
const client = new Client(
	{ name: "bench", version: "1.0.0" },
	{
		capabilities: { extensions: { "io.modelcontextprotocol/events": {} } },
		versionNegotiation: { mode: { pin: "2026-07-28" } },
	},
);

async function poll([url]) {
	const headers = { "mcp-name": EVENT_NAME };
	const transport = new StreamableHTTPClientTransport(new URL(url), {
		requestInit: { headers },
	});
	await client.connect(transport);
	let cursor = "0";
	for (let hasMore = true; hasMore; ) {
		const params = {
			name: EVENT_NAME,
			arguments: {},
			cursor,
			maxEvents: 1_000,
		};
		const request = { method: "events/poll", params };
		const result = await client.request(request, ANYTHING);
		const lines = result.events.map((event) => `${JSON.stringify(event)}\n`);
		if (!process.stdout.write(lines.join("")))
			await once(process.stdout, "drain");
		({ cursor, hasMore } = result);
	}
}

async function stream([command, ...args]) {
	await client.connect(new StdioClientTransport({ command, args }));
	client.setNotificationHandler(
		"notifications/events/event",
		{ params: ANYTHING },
		(params) => void process.stdout.write(`${JSON.stringify(params)}\n`),
	);
	client.setNotificationHandler(
		"notifications/events/active",
		{ params: ANYTHING },
		() => {},
	);
	const params = { name: EVENT_NAME, arguments: {}, cursor: "0" };
	const request = { method: "events/stream", params };
	await client.request(request, ANYTHING, { timeout: LONGEST_MS });
	// What was read is handed on in later turns.
	await new Promise((resolve) => setImmediate(resolve));
}

await (way === "poll" ? poll(words) : stream(words));
await new Promise((resolve) => process.stdout.write("", resolve));
await client.close();
process.exit();
