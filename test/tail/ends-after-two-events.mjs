// A server over stdio that sends two events after the cursor it is given, and then ends as if it had crashed.
import { createInterface } from "node:readline";

const say = (message) =>
	process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const discovered = {
	resultType: "complete",
	supportedVersions: ["2026-07-28"],
	capabilities: { extensions: { "io.modelcontextprotocol/events": {} } },
	serverInfo: { name: "short-lived", version: "1" },
	ttlMs: 0,
	cacheScope: "private",
};

function stream({ id, params }) {
	const notify = (kind, rest) =>
		say({
			method: `notifications/events/${kind}`,
			params: {
				...rest,
				_meta: { "io.modelcontextprotocol/subscriptionId": id },
			},
		});
	const from = Number(params.cursor ?? 0);
	notify("active", { cursor: `${from}`, truncated: false });
	for (const n of [from + 1, from + 2])
		notify("event", {
			eventId: `e${n}`,
			name: params.name,
			timestamp: "2026-10-01T00:00:00Z",
			data: {},
			cursor: `${n}`,
		});
	process.stdout.write("", () => process.exit(1));
}

createInterface({ input: process.stdin }).on("line", (line) => {
	const message = JSON.parse(line);
	if (message.method === "server/discover")
		say({ id: message.id, result: discovered });
	else if (message.method === "events/stream") stream(message);
});
