import { PassThrough } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import {
	openReferenceServer,
	openSqliteSource,
	serveStdio,
} from "../../../../src/reference/index.ts";
import { openTextCollector } from "../../../helpers/text-collector.ts";
import { realClock } from "../../manual-clock.ts";
import { createDatabase, HAS_SQLITE3 } from "../../sqlite-database.ts";
import { ask, META, post, streamMessages, take } from "../../wire-client.ts";

const SCHEMA = "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, v TEXT)";
const EXHAUSTED = { data: { limit: "streams", max: 10 } };

async function openOptions(schema = SCHEMA) {
	const { file, sql } = createDatabase(schema);
	const clock = realClock;
	const source = await openSqliteSource({ file, table: "t", clock });
	return { sql, options: { sources: [source], clock, version: "0.0.0" } };
}

async function openServer() {
	const { sql, options } = await openOptions();
	const server = await openReferenceServer(options);
	onTestFinished(() => server.close());
	return { url: server.url, sql };
}

describe.skipIf(!HAS_SQLITE3)(
	"rows over the wire (skipped without sqlite3)",
	() => {
		it("come by poll and by push with the same ids", async () => {
			const { url, sql } = await openServer();
			const { result } = await ask(url, "events/poll", { name: "t.added" });
			const stream = streamMessages(url, { name: "t.added" });
			await take(stream, 1);
			sql("INSERT INTO t (v) VALUES ('a')");
			const [message] = await take(stream, 1);
			await stream.return(undefined);
			const polled = await ask(url, "events/poll", {
				name: "t.added",
				cursor: result.cursor,
			});
			// Undated rows carry the time of their scan.
			const { eventId, data, cursor } = message.params;
			expect(data.v).toBe("a");
			expect(polled.result).toMatchObject({
				events: [{ eventId, data }],
				cursor,
			});
		});

		it("have ten streams over HTTP, then ResourceExhausted", async () => {
			const { url } = await openServer();
			const streams = Array.from({ length: 10 }, (_, id) =>
				streamMessages(url, { name: "t.added" }, { id }),
			);
			for (const stream of streams) await take(stream, 1);
			const refused = await post(url, "events/stream", { name: "t.added" });
			expect(await refused.json()).toMatchObject({ error: EXHAUSTED });
			for (const stream of streams) await stream.return(undefined);
		});

		it("have ten streams over stdio, then ResourceExhausted", async () => {
			const { options } = await openOptions();
			const input = new PassThrough();
			const output = new PassThrough();
			const stop = new AbortController();
			const serving = serveStdio({
				...options,
				input,
				output,
				signal: stop.signal,
			});
			for (let id = 1; id <= 11; id++) {
				const params = { _meta: META, name: "t.added" };
				const message = { jsonrpc: "2.0", id, method: "events/stream", params };
				input.write(`${JSON.stringify(message)}\n`);
			}
			const [, line = ""] =
				await openTextCollector(output).until(/^(.*"error".*)$/m);
			expect(JSON.parse(line)).toMatchObject({ id: 11, error: EXHAUSTED });
			stop.abort();
			await serving;
		});
	},
);
