// Texts that a terminal would obey, through every field of a stranger that reaches one. That nothing dangerous is
// written raw is an invariant of every run (run-cli.ts); here the fields are filled, and what is shown is looked for.
// Fields that share their way out with one of these stand in test/slow/hostile.test.ts.
import { describe, expect, test } from "vitest";
import { stdioServer } from "../fixtures/servers/catalogue.ts";
import { rpcError, streams } from "../fixtures/servers/raw-faults.ts";
import type { Answer } from "../fixtures/servers/raw-oddities.ts";
import { runCli } from "../helpers/run-cli.ts";
import {
	ALL,
	catalogue,
	expectHarmless,
	expectShown,
	headers,
	page,
	runAgainst,
	TEXTS,
} from "./hostile-server.ts";

describe.concurrent("hostile text", () => {
	test("list shows names, titles, modes and arguments", async () => {
		const run = await runAgainst({}, ["list", "-o", "table", "--verbose"]);
		expect(run.status).toBe(0);
		expectShown(run.stdout);
	});

	test("describe shows descriptions and schemas", async () => {
		const words = ["describe", "verbatim.case", "-o", "text"];
		const run = await runAgainst({}, words);
		expect(run.status).toBe(0);
		expectShown(run.stdout);
	});

	test("tail shows payloads", async () => {
		const words = ["tail", "verbatim.case", "--cursor", "0", "-o", "pretty"];
		const count = ["--count", String(TEXTS.length), "--verbose"];
		const run = await runAgainst({}, [...words, ...count]);
		expect(run.status).toBe(0);
		expectShown(run.stdout);
	});

	test("what a stream tells on its way, and its end, stays on one line each", async () => {
		const notices = TEXTS.flatMap((text): [string, string][] => [
			["heartbeat", JSON.stringify({ cursor: text })],
			["error", JSON.stringify({ error: { code: -32603, message: text } })],
			["active", JSON.stringify({ cursor: text, truncated: true })],
		]);
		const error = { code: -32023, message: ALL, data: { [ALL]: ALL } };
		const end: [string, string] = ["terminated", JSON.stringify({ error })];
		const instead = { "events/stream": streams(...notices, end) };
		const words = ["tail", "verbatim.case", "-o", "pretty", "--heartbeats"];
		const run = await runAgainst({ instead }, [...words, "--verbose"]);
		expect(run.status).toBe(8);
		expectShown(run.stderr);
	});

	test.each<[string, Answer, number]>([
		["a JSON-RPC error", rpcError(-31999, ALL, { [ALL]: ALL }), 5],
		["a web page", page("text/html", 200), 5],
		["a header", headers(401), 4],
	])("%s is told in one fault", async (_, answer, status) => {
		const instead = { "events/list": answer };
		const run = await runAgainst({ instead }, ["list"]);
		expect(run.status).toBe(status);
		expectHarmless(run);
	});

	test("a child's stderr is passed on line by line", async () => {
		const { command } = stdioServer("raw-stdio", catalogue);
		const run = await runCli(["list", "-o", "table", "--", ...command]);
		expect(run.status).toBe(0);
		expectShown(run.stderr);
	});
});
