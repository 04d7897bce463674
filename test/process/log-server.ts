// A server whose events are a log that only grows: event n has the eventId `en` and the cursor `cn`, in every mode, so
// that a test can say which were lost and which came twice. It is in this process, and outlives the runs of the client.
import {
	type Call,
	openRawServer,
	openSse,
	type RawServer,
	send,
	sendEvent,
	sendResult,
} from "../tail/raw-server.ts";

export interface LogServer extends RawServer {
	/** How many events there are. */
	length: number;
	/** What is older is gone: such a cursor is refused. */
	oldest: number;
	/** How many events an answer to a poll has at most. */
	pageSize: number;
	/** Streams are refused from now on. */
	isPollOnly: boolean;
	/** Nothing is answered, and no stream goes on. */
	isHung: boolean;
	/** Ends all open streams without a word. */
	cutStreams(): void;
}

const EVERY_MS = 5;

/** Grows by one event every few milliseconds until it is disposed of. */
export async function openLogServer(): Promise<LogServer> {
	const streams = new Map<Call, number>();
	const server = await openRawServer((call) => {
		if (log.isHung) return;
		if (call.method === "events/list") return sendList(call);
		if (call.method === "events/poll") return answerPoll(call);
		if (call.method !== "events/stream") return call.response.destroy();
		if (log.isPollOnly) return refuse(call, -32026, "no streams here");
		const from = startOf(call);
		if (from === undefined) return refuse(call, -32602, "no such cursor");
		openSse(call);
		send(call, "active", { cursor: `c${from}`, truncated: false });
		streams.set(call, from);
		call.response.once("close", () => streams.delete(call));
	});
	const timer = setInterval(() => {
		log.length++;
		if (log.isHung) return;
		for (const [call, from] of streams) {
			for (let n = from + 1; n <= log.length; n++) sendEvent(call, n);
			streams.set(call, log.length);
		}
	}, EVERY_MS);
	const startOf = ({ params }: Call): number | undefined => {
		const { cursor } = params;
		if (cursor === undefined || cursor === null) return log.length;
		const from = Number(cursor.slice(1));
		return from < log.oldest ? undefined : from;
	};
	const answerPoll = (call: Call) => {
		const from = startOf(call);
		if (from === undefined) return refuse(call, -32602, "no such cursor");
		const until = Math.min(log.length, from + log.pageSize);
		const ns = Array.from({ length: until - from }, (_, at) => from + at + 1);
		sendResult(call, {
			resultType: "complete",
			events: ns.map((n) => ({
				eventId: `e${n}`,
				name: call.params.name,
				timestamp: "2026-10-01T00:00:00Z",
				data: {},
			})),
			cursor: `c${until}`,
			truncated: false,
			hasMore: until < log.length,
			nextPollMs: 20,
		});
	};
	const log: LogServer = Object.assign(server, {
		length: 0,
		oldest: 0,
		pageSize: 50,
		isPollOnly: false,
		isHung: false,
		cutStreams() {
			for (const { response } of streams.keys()) response.destroy();
		},
	});
	const close = server[Symbol.asyncDispose].bind(server);
	log[Symbol.asyncDispose] = async () => {
		clearInterval(timer);
		await close();
	};
	return log;
}

function sendList(call: Call): void {
	sendResult(call, {
		resultType: "complete",
		events: [
			{
				name: "tick",
				description: "A tick.",
				delivery: ["push", "poll"],
				inputSchema: {},
				payloadSchema: {},
			},
		],
	});
}

function refuse({ id, response }: Call, code: number, message: string): void {
	response
		.writeHead(200, { "content-type": "application/json" })
		.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } }));
}
