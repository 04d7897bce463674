// The rest of the fields of test/process/hostile.test.ts: nothing that a terminal would obey gets through any of them.
import { describe, expect, test } from "vitest";
import { rpcError } from "../fixtures/servers/raw-faults.ts";
import type { Answer } from "../fixtures/servers/raw-oddities.ts";
import { isFull } from "../helpers/amount.ts";
import { runCli } from "../helpers/run-cli.ts";
import {
	ALL,
	catalogue,
	discovery,
	expectHarmless,
	expectShown,
	headers,
	page,
	runAgainst,
	TEXTS,
	wrongType,
} from "../process/hostile-server.ts";

describe("hostile text", () => {
	test("list passes descriptors on as they are where no terminal is", async () => {
		const run = await runAgainst({}, ["list", "--verbose"]);
		expect(run.lines).toEqual(catalogue.descriptors);
	});

	test("poll shows payloads", async () => {
		const words = ["poll", "verbatim.case", "--cursor", "0", "-o", "pretty"];
		const flags = ["--count", String(TEXTS.length), "--interval-floor", "10ms"];
		const run = await runAgainst({}, [...words, ...flags, "--verbose"]);
		expect(run.status).toBe(0);
		expectShown(run.stdout);
	});

	test("records and CloudEvents stay JSON, each on one line", async () => {
		for (const form of ["records", "cloudevents"]) {
			const words = ["tail", "verbatim.case", "--cursor", "0", "-o", form];
			const run = await runAgainst({}, [...words, "-n", "20"]);
			expect(run.status).toBe(0);
		}
	});

	// test/output/hostile.test.ts has all of them in every form: in CI a third shows that describe goes that way.
	const some = TEXTS.map((_, at) => [at]).filter(
		([at = 0]) => isFull || at % 3 === 0,
	);
	test.each(some)(
		"describe shows the type whose name holds text %i",
		async (at = 0) => {
			const name = `type-${at}-${TEXTS[at]}`;
			// The system takes no NUL and no lone surrogate in a word of a command line.
			if (/\0|\p{Surrogate}/u.test(name)) return;
			const run = await runAgainst({}, ["describe", name, "-o", "text"]);
			expect(run.status).toBe(0);
			expect(run.stdout).not.toMatch(/^mcp-events: all is well/m);
		},
	);

	test("an unknown event is told with the nearest names", async () => {
		const run = await runAgainst({}, ["tail", "type-1-"]);
		expect(run.status).toBe(2);
		expectHarmless(run);
	});

	const data = { limit: ALL, feature: ALL, value: ALL, [ALL]: ALL };
	test.each<[string, Answer, number]>([
		["a limit", rpcError(-32025, ALL, data), 3],
		["what is not supported", rpcError(-32026, ALL, data), 2],
		["no JSON", page("application/json", 200), 5],
		["a failing status", page("text/plain", 404), 3],
		["a redirect", headers(302), 3],
		["an unknown result type", wrongType, 5],
	])("%s is told in one fault", async (_, answer, status) => {
		const run = await runAgainst({ instead: { "events/list": answer } }, [
			"list",
		]);
		expect(run.status).toBe(status);
		expectHarmless(run);
	});

	test("the server's own name is told at --verbose", async () => {
		const instead = { "server/discover": discovery };
		expectHarmless(await runAgainst({ instead }, ["list", "-v"]));
	});

	test("what a child says on stdout in place of JSON is told", async () => {
		const script =
			"process.stdout.write(JSON.parse(process.argv[1])); process.exit(3)";
		const command = [process.execPath, "-e", script, JSON.stringify(ALL)];
		const run = await runCli(["list", "-v", "--", ...command]);
		expect(run.status).toBe(3);
		expectHarmless(run);
	});
});
