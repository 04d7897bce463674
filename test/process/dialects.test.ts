// Errors and answers as deployed servers write them, read through a session: the number, the status and the id differ,
// the meaning does not.
import { describe, expect, test } from "vitest";
import {
	askPoll,
	openEventStream,
	openSession,
} from "../../src/session/index.ts";
import {
	type Answer,
	openRawOddities,
	type RawOptions,
} from "../fixtures/servers/raw-oddities.ts";
import type { Oddity } from "../fixtures/servers/raw-wire.ts";
import { compacted, DESCRIPTOR_TEXTS } from "../fixtures/verbatim-events.ts";
import { httpTarget, sessionOptions } from "../session/session-options.ts";

async function withSession<T>(
	options: RawOptions,
	use: (session: Awaited<ReturnType<typeof openSession>>) => Promise<T>,
): Promise<T> {
	await using server = await openRawOddities(options);
	const { options: how } = sessionOptions();
	await using session = await openSession(httpTarget(server.url), how);
	return await use(session);
}

const unknown = { name: "no.such.event", arguments: {} };
const quietly = { odd: () => {} };

describe("an unknown event is known as such", () => {
	test.each<[Oddity[]]>([
		[[]],
		[["error-404"]],
		[["error-400"]],
		[["no-error-id"]],
		[["sketch-codes"]],
		[["error-404", "sketch-codes", "no-error-id", "pretty-crlf"]],
		[["error-400", "escaped-keys", "member-order", "duplicate-keys"]],
		[["sse-for-all", "split-data", "cr"]],
	])("with %j", async (oddities) => {
		const fault = await withSession({ oddities }, (session) =>
			askPoll(session, unknown, quietly).catch((error) => error),
		);
		expect(fault).toMatchObject({
			code: "event-unknown",
			wire: { name: "NotFound", message: "no event type no.such.event" },
		});
	});
});

const frame = (id: unknown, events: string) =>
	`data: {"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"events":[${events}]}}\n\n`;

/** Two responses to one request: against the protocol, and the first has answered it. */
const twice: Answer = ({ id }, response) =>
	response
		.writeHead(200, { "content-type": "text/event-stream" })
		.end(frame(id, DESCRIPTOR_TEXTS[0] ?? "") + frame(id, ""));

test("of two responses the first counts, and the next request gets its own", async () => {
	const instead = { "events/list": twice };
	const results = await withSession({ instead }, async (session) => [
		await session.request("events/list", {}),
		await session.request("events/list", {}),
	]);
	const firsts = results.map(({ result }) => JSON.stringify(result.events));
	expect(firsts).toEqual(Array(2).fill(compacted(`[${DESCRIPTOR_TEXTS[0]}]`)));
});

test("a stream that says requestId in place of _meta is read, and that is told", async () => {
	const notes: string[] = [];
	const odd = (what: string) => notes.push(what);
	const frames = await withSession({ oddities: ["request-id"] }, (session) => {
		const params = { name: "verbatim.case", arguments: {}, cursor: "0" };
		return openEventStream(session, params, { odd }).next();
	});
	expect(frames.value?.[0]).toMatchObject({ kind: "active", cursor: "0" });
	expect(notes).toContain(
		"params.requestId in place of _meta (the oldest dialect)",
	);
});
