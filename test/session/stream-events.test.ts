import { describe, expect, it } from "vitest";
import { openEventStream, type StreamFrame } from "../../src/session/index.ts";
import { scriptedSession } from "./scripted-session.ts";

const notice = (kind: string, params: string) =>
	`{"jsonrpc":"2.0","method":"notifications/events/${kind}","params":${params}}`;
const occurrence =
	'{"eventId":"1","name":"t","timestamp":"2026-01-01T00:00:00Z","data":{"n":1.0}, "cursor":null}';

async function read(...batches: string[][]) {
	const { session } = scriptedSession({ stream: batches });
	const odd: string[] = [];
	const frames: StreamFrame[][] = [];
	let fault: unknown;
	try {
		for await (const batch of openEventStream(
			session,
			{ name: "t", arguments: {} },
			{ odd: (what) => odd.push(what) },
		))
			frames.push([...batch]);
	} catch (error) {
		fault = error;
	}
	return { frames, odd, fault };
}

describe("a stream's notifications", () => {
	it.each([
		[
			"active",
			'{"cursor":"c","truncated":true}',
			{ kind: "active", cursor: "c", truncated: true },
		],
		["active", "{}", { kind: "active", cursor: undefined, truncated: false }],
		["heartbeat", '{"cursor":null}', { kind: "heartbeat", cursor: undefined }],
		["heartbeat", '{"cursor":""}', { kind: "heartbeat", cursor: "" }],
		[
			"error",
			'{"error":{"code":-32603,"message":"m"}}',
			{ kind: "error", error: { name: "InternalError" } },
		],
		[
			"terminated",
			'{"error":{"code":-32012,"message":"m"}}',
			{ kind: "terminated", error: { name: "Forbidden" } },
		],
		["terminated", "{}", { kind: "terminated", error: { name: "Unknown" } }],
	])("%s %s is read", async (kind, params, frame) => {
		expect((await read([notice(kind, params)])).frames).toMatchObject([
			[frame],
		]);
	});

	it.each([
		["plain", notice("event", occurrence)],
		[
			"with members after params",
			notice("event", occurrence).replace(/}$/, ',"x":{"params":1}}'),
		],
		["with params twice", notice("event", `{},"params":${occurrence}`)],
		[
			"in another order",
			`{ "params" : ${occurrence} , "method":"notifications/events/event","jsonrpc":"2.0"}`,
		],
	])("an event keeps its own bytes: %s", async (_, text) => {
		const [[frame] = []] = (await read([text])).frames;
		expect(frame?.kind === "event" && frame.occurrence.raw.toString()).toBe(
			occurrence,
		);
	});

	it("that do not belong are noted and skipped", async () => {
		const { frames, odd } = await read([
			notice("list_changed", "{}"),
			notice("error", "{}"),
			'{"jsonrpc":"2.0","method":"notifications/message","params":{}}',
		]);
		expect(frames).toEqual([]);
		expect(odd).toEqual([
			"notifications/events/list_changed came on an events stream; skipped",
			"notifications/events/error came without a readable error",
		]);
	});
});

describe("the end of a stream", () => {
	it("is a frame, and the last one", async () => {
		const { frames } = await read(
			['{"jsonrpc":"2.0","id":1,"result":{}}'],
			[notice("heartbeat", "{}")],
		);
		expect(frames).toEqual([[{ kind: "ended" }]]);
	});

	it.each([
		["an event without an id", notice("event", '{"name":"t"}')],
		["a cursor that is a number", notice("heartbeat", '{"cursor":7}')],
	])("may be a fault, after all that came before it: %s", async (_, broken) => {
		const { frames, fault } = await read([notice("event", occurrence), broken]);
		expect(frames).toMatchObject([[{ kind: "event" }]]);
		expect(fault).toMatchObject({ code: "wrong-shape" });
	});
});
