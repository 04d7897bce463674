// The rows of the table of faults that test/process/faults.test.ts leaves out; certificates, and server commands.
import { describe, expect, test } from "vitest";
import { rawCatalogue, stdioServer } from "../fixtures/servers/catalogue.ts";
import { openRawOddities } from "../fixtures/servers/raw-oddities.ts";
import { expectFault } from "../helpers/expect-fault.ts";
import { CA_FILE, keyPair } from "../helpers/key-pair.ts";
import { runCli } from "../helpers/run-cli.ts";
import { FAULT_ROWS } from "../process/fault-rows.ts";

const rows = FAULT_ROWS.filter((row) => !row.isSample);
test.concurrent.each(rows.map((row) => [row.name, row] as const))(
	"%s",
	async (_, row) => expectFault(row),
);

describe("a certificate", () => {
	test.each([
		["elsewhere", "its certificate is for another host"],
		["expired", "its certificate has expired"],
	] as const)("%s is refused", async (name, why) => {
		await using server = await openRawOddities({ tls: keyPair(name) });
		const run = await runCli(["list", server.url, "--ca", CA_FILE]);
		expect(run).toMatchObject({ status: 3, stdout: "" });
		expect(run.stderr).toContain(why);
		const insecure = await runCli(["list", server.url, "--insecure"]);
		expect(insecure).toMatchObject({ status: 0 });
	});

	test("of a CA that was named is taken", async () => {
		await using server = await openRawOddities({ tls: keyPair("localhost") });
		const run = await runCli(["list", server.url, "--ca", CA_FILE]);
		expect(run).toMatchObject({ status: 0, stderr: "" });
	});

	test("is not asked for where a TLS port is spoken to in plain HTTP", async () => {
		await using server = await openRawOddities({ tls: keyPair("localhost") });
		const run = await runCli(["list", server.url.replace("https:", "http:")]);
		expect(run.status).toBe(3);
		expect(run.stderr).toContain("https://");
	});
});

test.each([
	["is killed", 3, "the server command was ended by SIGKILL"],
	["says a line without an end", 5, "16777216 bytes"],
	["says no JSON", 3, "Listening on port 3000"],
	["says bytes that are no UTF-8", 3, "no JSON-RPC message"],
	["says nothing", 3, "did not answer events/list within 2000 ms"],
])("a server command that %s", async (trait, status, text) => {
	const { command } = stdioServer("raw-stdio", rawCatalogue(), trait);
	const words = ["list", "--timeout", "2s", "--", ...command];
	const run = await runCli(words);
	expect(run.stderr).toContain(text);
	expect(run).toMatchObject({ status, stdout: "" });
});
