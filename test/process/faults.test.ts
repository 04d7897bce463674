// What goes wrong on the way to a server, and in what it answers: the message, whole, and the exit status. The answers
// stand in test/fixtures/faults.txt; this is a sample of them, test/slow/faults.test.ts runs all.
import { describe, expect, test } from "vitest";
import { rawCatalogue, stdioServer } from "../fixtures/servers/catalogue.ts";
import { listen } from "../fixtures/servers/listen.ts";
import {
	pagingLoop,
	redirectTo,
	rpcError,
} from "../fixtures/servers/raw-faults.ts";
import {
	type Answer,
	openRawOddities,
} from "../fixtures/servers/raw-oddities.ts";
import { expectFault } from "../helpers/expect-fault.ts";
import { freePort } from "../helpers/free-port.ts";
import { keyPair } from "../helpers/key-pair.ts";
import { startNameServer } from "../helpers/open-name-server.ts";
import { runCli } from "../helpers/run-cli.ts";
import { FAULT_ROWS } from "./fault-rows.ts";

describe.concurrent("an answer", () => {
	const sample = FAULT_ROWS.filter((row) => row.isSample);
	test.each(sample.map((row) => [row.name, row] as const))(
		"%s",
		async (_, row) => expectFault(row),
	);

	test("every page names the same next page", async () => {
		const instead = { "events/list": pagingLoop };
		await using server = await openRawOddities({ instead });
		const run = await runCli(["list", server.url]);
		expect(run.status).toBe(5);
		expect(run.stderr).toMatch(
			/^mcp-events: .*events\/list never ends\n {2}why: {2}.*"again" came twice.*\n {2}next: /,
		);
	});

	test("a redirect is told, and never followed with what it would carry", async () => {
		let visits = 0;
		await using other = await listen((_, response) => {
			visits++;
			response.end();
		});
		const instead = { "*": redirectTo(`${other.url}?token=SECRET`) };
		await using server = await openRawOddities({ instead });
		const flags = ["--header", "Authorization: Bearer SECRET-TOKEN"];
		const run = await runCli(["list", server.url, ...flags]);
		expect(run).toMatchObject({ status: 3, stdout: "" });
		expect(run.stderr).toContain(`redirects to ${other.url}`);
		expect(run.stderr).not.toContain("SECRET");
		expect(visits).toBe(0);
	});

	test("a server without Events says what it does offer", async () => {
		const instead = { "server/discover": discovery({ tools: {} }) };
		await using server = await openRawOddities({ instead });
		const run = await runCli(["list", server.url]);
		expect(run).toMatchObject({ status: 5, stdout: "" });
		expect(run.stderr).toMatch(
			/does not offer MCP Events\n.*tools.*\n.*--force/,
		);
	});

	test("no revision is known to both sides", async () => {
		const data = { supported: ["2099-01-01"], requested: "2026-07-28" };
		const refuse = rpcError(-32022, "unsupported", data, 400);
		await using server = await openRawOddities({ instead: { "*": refuse } });
		const run = await runCli(["list", server.url]);
		expect(run.status).toBe(5);
		expect(run.stderr).toContain("2099-01-01");
	});
});

describe.concurrent("the way to it", () => {
	test("nothing listens there", async () => {
		const port = await freePort();
		const run = await runCli(["list", `http://127.0.0.1:${port}/mcp`]);
		expect(run.status).toBe(3);
		expect(run.stderr).toBe(
			[
				`mcp-events: nothing answers at 127.0.0.1:${port}`,
				`  why:  the connection was refused (ECONNREFUSED); no program is listening on port ${port}`,
				`  next: start your server, or try ours first: mcp-events serve --port ${port}`,
				"",
			].join("\n"),
		);
	});

	test("the host has no address", async () => {
		const run = await runCli(["list", "http://no-such-host.invalid/mcp"]);
		expect(run.status).toBe(3);
		expect(run.stderr).toMatch(
			/^mcp-events: the host name no-such-host\.invalid could not be resolved\n {2}why: {2}.*E\w+.*\n {2}next: check the spelling/,
		);
	});

	test("its name is known to the --resolver alone, until that is silent", async () => {
		await using server = await openRawOddities();
		const known = { "events.test": ["127.0.0.1"] };
		await using names = await startNameServer(known);
		const resolver = `${names.host}:${names.port}`;
		const url = server.url.replace("127.0.0.1", "events.test");
		const words = ["list", url, "--resolver", resolver];
		expect(await runCli(words)).toMatchObject({ status: 0 });
		names.answers.set("events.test", "silence");
		expect(await runCli([...words, "--connect-timeout", "1s"])).toMatchObject({
			status: 3,
			stdout: "",
			stderr: [
				"mcp-events: the host name events.test could not be resolved",
				`  why:  the name server ${resolver} of --resolver did not answer (ETIMEOUT)`,
				"  next: check that it runs and can be reached, or leave --resolver out",
				"",
			].join("\n"),
		});
	});

	test("TLS is asked of a plain port", async () => {
		await using server = await openRawOddities();
		const run = await runCli(["list", server.url.replace("http:", "https:")]);
		expect(run.status).toBe(3);
		const host = `127.0.0.1:${server.port}`;
		expect(run.stderr).toContain(`mcp-events: ${host} does not speak TLS\n`);
		expect(run.stderr).toContain(`  next: write http://${host}/mcp\n`);
	});

	test("its certificate is of an unknown CA", async () => {
		await using server = await openRawOddities({ tls: keyPair("localhost") });
		const run = await runCli(["list", server.url]);
		expect(run.status).toBe(3);
		expect(run.stderr).toContain("its certificate is of an unknown CA");
		expect(run.stderr).toContain("--ca FILE");
	});
});

describe.concurrent("a server command", () => {
	test.each([
		["ends at once", 3, "the server command ended with status 3"],
		["answers with another id", 5, "another request than events/list"],
	])("%s", async (trait, status, text) => {
		const { command } = stdioServer("raw-stdio", rawCatalogue(), trait);
		const run = await runCli(["list", "--", ...command]);
		expect(run.stderr).toContain(text);
		expect(run).toMatchObject({ status, stdout: "" });
	});

	test("does not exist", async () => {
		const run = await runCli(["list", "--", "no-such-command-anywhere"]);
		expect(run.status).toBe(3);
		expect(run.stderr).toMatch(/^mcp-events: .*no-such-command-anywhere/);
	});
});

function discovery(capabilities: object): Answer {
	return ({ id }, response) => {
		const result = {
			resultType: "complete",
			supportedVersions: ["2026-07-28"],
			capabilities,
			ttlMs: 0,
			cacheScope: "private",
		};
		response
			.writeHead(200, { "content-type": "application/json" })
			.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
	};
}
