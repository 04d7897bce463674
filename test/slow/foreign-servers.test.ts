// The rest of what foreign servers are asked: every page, typed arguments, an unknown event, and the servers over stdio.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DESCRIPTOR_TEXTS, tickTexts } from "../fixtures/verbatim-events.ts";
import { runCli } from "../helpers/run-cli.ts";
import {
	FAR_SERVERS,
	type FarServer,
	type FarServerName,
} from "../process/far-servers.ts";

describe.each(Object.keys(FAR_SERVERS) as FarServerName[])("%s", (name) => {
	let far: FarServer;
	beforeAll(async () => {
		far = await FAR_SERVERS[name]();
	});
	afterAll(() => far.close());

	test("list prints every page of descriptors as the server wrote them", async () => {
		const run = await runCli(["list", ...far.before, ...far.after]);
		expect(run).toMatchObject({ status: 0, lines: [...DESCRIPTOR_TEXTS] });
	});

	test("an argument is typed by the schema and reaches the server", async () => {
		const ours = ["poll", ...far.before, "counter.tick", "-a", "step=5"];
		const flags = ["--cursor", "0", "--count", "3"];
		const run = await runCli([...ours, ...flags, ...far.after]);
		expect(run).toMatchObject({ status: 0, lines: tickTexts(5) });
	});

	test("an unknown event ends with status 2 and names those there are", async () => {
		const ours = ["tail", ...far.before, "verbatim.cast"];
		const run = await runCli([...ours, ...far.after]);
		expect(run).toMatchObject({ status: 2, stdout: "" });
		expect(run.stderr).toContain("verbatim.case");
	});

	test("a type without push is tailed by poll, and cannot be streamed", async () => {
		const flags = ["counter.tick", "--cursor", "0", "--count", "3"];
		const run = await runCli(["tail", ...far.before, ...flags, ...far.after]);
		expect(run).toMatchObject({ status: 0, lines: tickTexts(1) });
		const refused = ["stream", ...far.before, "counter.tick", ...far.after];
		expect(await runCli(refused)).toMatchObject({ status: 2, stdout: "" });
	});

	test("what began by stream goes on by poll from the same cursor", async () => {
		const first = ["stream", ...far.before, "verbatim.case", "--cursor", "0"];
		const one = await runCli([...first, "--count", "4", ...far.after]);
		const cursor = /--cursor '([^']+)'/.exec(one.stderr)?.[1] ?? "";
		const next = ["poll", ...far.before, "verbatim.case", "--cursor", cursor];
		const rest = String(far.events.length - 4);
		const flags = ["--interval-floor", "10ms", "--count", rest];
		const two = await runCli([...next, ...flags, ...far.after]);
		const ids = [...one.lines, ...two.lines].map(
			(line) => JSON.parse(line).eventId,
		);
		const all = far.events.map((event) => JSON.parse(event.text).eventId);
		expect(ids).toEqual(all);
	});
});
