// Occurrences are printed as the server wrote them, held against the bytes that the test server sent: by poll, HTTP
// stream and stdio, however the JSON is laid out, framed and cut.
import { describe, expect, test } from "vitest";
import {
	askPoll,
	openEventStream,
	openSession,
	type Session,
} from "../../src/session/index.ts";
import { rawCatalogue, stdioServer } from "../fixtures/servers/catalogue.ts";
import {
	openRawOddities,
	type RawOptions,
} from "../fixtures/servers/raw-oddities.ts";
import { compacted, VERBATIM_EVENTS } from "../fixtures/verbatim-events.ts";
import { runCli } from "../helpers/run-cli.ts";
import { httpTarget, sessionOptions } from "../session/session-options.ts";

const COUNT = String(VERBATIM_EVENTS.length);

/** Servers that are odd in one way or in many; `isSpread`: every JSON token stands on a line of its own. */
const LAYOUTS: Record<string, RawOptions & { isSpread?: true }> = {
	"as plain as can be": {},
	"a pretty-printed body and split data lines": {
		oddities: ["pretty-body"],
		isSpread: true,
	},
	"a body with CRLF in it, frames with CRLF": {
		oddities: ["pretty-crlf", "crlf"],
		isSpread: true,
	},
	"CR alone, and nothing after the last frame": {
		oddities: ["cr", "split-data", "no-space"],
		heartbeatMs: 0,
		isSpread: true,
	},
	"all that SSE allows at once": {
		oddities: [
			"mixed-line-ends",
			"comments",
			"ids",
			"retry",
			"bom",
			"event-message",
			"empty-data",
			"unknown-sse-fields",
			"charset",
			"upper-case-type",
			"sse-for-all",
		],
	},
	"all that JSON allows at once": {
		oddities: [
			"member-order",
			"escaped-keys",
			"duplicate-keys",
			"unknown-fields",
		],
	},
	"a byte at a time": {
		oddities: ["mixed-line-ends", "bom", "comments"],
		cutBytes: 1,
	},
	"two bytes at a time, poll answered by frames": {
		oddities: ["crlf", "sse-for-all", "split-data"],
		cutBytes: 2,
		isSpread: true,
	},
	"an old dialect": {
		oddities: [
			"request-id",
			"poll-seconds",
			"no-result-type",
			"no-truncated",
			"no-has-more",
			"top-level-capability",
			"empty-page-cursor",
		],
	},
	"no cursor and no id in a stream": { oddities: ["no-meta", "no-next-poll"] },
};

const expectedOf = (sent: string[], isSpread: boolean | undefined) =>
	isSpread ? sent.map(compacted) : sent;

describe.each(Object.entries(LAYOUTS))(
	"through a session: %s",
	(_, { isSpread, ...options }) => {
		test.each([["poll"], ["stream"]] as const)("by %s", async (way) => {
			const server = await openRawOddities(options);
			const target = httpTarget(server.url);
			const { options: how } = sessionOptions();
			const session = await openSession(target, how);
			const read = way === "poll" ? readByPoll : readByStream;
			const texts = await read(session);
			await session.close();
			await server.close();
			expect(texts).toEqual(expectedOf(server.sent[way], isSpread));
			expect(texts).toHaveLength(VERBATIM_EVENTS.length);
		});
	},
);

const PRINTED = [
	"a pretty-printed body and split data lines",
	"all that SSE allows at once",
	"a byte at a time",
];

describe.concurrent.each(PRINTED)("printed: %s", (name) => {
	const { isSpread, ...options } = LAYOUTS[name] ?? {};
	test.each([["poll"], ["stream"]] as const)("by %s", async (command) => {
		const server = await openRawOddities(options);
		const where = [server.url, "verbatim.case", "--cursor", "0"];
		const floor = command === "poll" ? ["--interval-floor", "10ms"] : [];
		const run = await runCli([command, ...where, "-n", COUNT, ...floor]);
		await server.close();
		const expected = expectedOf(server.sent[command], isSpread);
		expect(run.status).toBe(0);
		expect(run.stdout).toBe(`${expected.join("\n")}\n`);
	});
});

describe.concurrent.each([["byte by byte"]])(
	"printed over stdio: %s",
	(trait) => {
		test.each([["poll"], ["stream"]])("by %s", async (command) => {
			const catalogue = rawCatalogue();
			const { command: server } = stdioServer("raw-stdio", catalogue, trait);
			const ours = [command, "verbatim.case", "--cursor", "0", "-n", COUNT];
			const floor = command === "poll" ? ["--interval-floor", "10ms"] : [];
			const run = await runCli([...ours, ...floor, "--", ...server]);
			expect(run.status).toBe(0);
			const own = run.lines.map((line) => line.replace(STREAM_MEMBERS, "}"));
			expect(own).toEqual(VERBATIM_EVENTS.map(({ text }) => text));
		});
	},
);

const quietly = { odd: () => {} };
const params = { name: "verbatim.case", arguments: {}, cursor: "0" };

async function readByPoll(session: Session): Promise<string[]> {
	const texts: string[] = [];
	let cursor: string | undefined = params.cursor;
	for (let hasMore = true; hasMore; ) {
		const result = await askPoll(session, { ...params, cursor }, quietly);
		texts.push(...result.occurrences.map(({ raw }) => raw.toString()));
		({ cursor, hasMore } = result);
	}
	return texts;
}

async function readByStream(session: Session): Promise<string[]> {
	const texts: string[] = [];
	for await (const frames of openEventStream(session, params, quietly)) {
		for (const frame of frames)
			if (frame.kind === "event") texts.push(frame.occurrence.raw.toString());
		if (texts.length >= VERBATIM_EVENTS.length) break;
	}
	return texts;
}

/** What the raw server adds to an occurrence in a stream. */
const STREAM_MEMBERS =
	/,"cursor":"\d+","_meta":\{"io\.modelcontextprotocol\/subscriptionId":[^}]*\}\}$/;
