import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openOutput } from "../../../src/output/index.ts";
import { connect } from "../../../src/program/connect/connect.ts";
import { createWorld } from "../../../src/program/process/world.ts";
import type { ReferenceServer } from "../../../src/reference/index.ts";
import { listen } from "../../fixtures/servers/listen.ts";
import { openDemo } from "../../helpers/open-demo.ts";

let server: ReferenceServer;
beforeAll(async () => {
	server = await openDemo();
});
afterAll(() => server.close());

const FLAGS = {
	timeout: 5_000,
	"connect-timeout": 5_000,
	insecure: false,
	force: false,
	"max-message": 1_000_000,
};

function around() {
	const stderr = new PassThrough();
	const output = openOutput({
		stdout: new PassThrough(),
		stderr,
		env: {},
		form: "cloudevents",
		source: "",
		verbose: false,
		quiet: false,
		programName: "mcp-events",
	});
	const stop = new AbortController().signal;
	const world = createWorld(process, { stop, atExit: () => () => {} });
	return { world, output, stderr };
}

it("names the server to what is written of it, without its query", async () => {
	const { world, output } = around();
	const url = new URL(`${server.url}?key=SECRET`);
	const address = { kind: "http", url } as const;
	await using _ = await connect(address, FLAGS, { world, output });
	expect(output.source).toBe(`${server.url}?key=***`);
});

it("keeps credentials out of the log of messages", async () => {
	const path = join(tmpdir(), `mcp-events-connect-${process.pid}.ndjson`);
	const { world, output } = around();
	const flags = { ...FLAGS, header: ["X-Key: hunter2hunter2"] };
	const address = { kind: "http", url: new URL(server.url) } as const;
	const all = { ...flags, "log-rpc": path };
	await (await connect(address, all, { world, output })).close();
	const log = readFileSync(path, "utf8");
	rmSync(path);
	expect(log).toContain("server/discover");
	expect(log).not.toContain("hunter2");
});

it("tells a server its name, version and description, and nothing else of itself", async () => {
	const path = join(tmpdir(), `mcp-events-info-${process.pid}.ndjson`);
	const { world, output } = around();
	const flags = { ...FLAGS, "log-rpc": path };
	const address = { kind: "http", url: new URL(server.url) } as const;
	await (await connect(address, flags, { world, output })).close();
	const [first = ""] = readFileSync(path, "utf8").split("\n");
	rmSync(path);
	const [, info] = /clientInfo":(\{[^{}]*[{}])/.exec(first) ?? [];
	expect(Object.keys(JSON.parse(info ?? "{}"))).toEqual([
		"name",
		"version",
		"description",
	]);
});

it("does not show a token that the server repeats when it refuses it", async () => {
	await using refusing = await listen((request, response) => {
		response.writeHead(403).end(`unknown: ${request.headers["x-key"]}`);
	});
	const { world, output, stderr } = around();
	const flags = { ...FLAGS, header: ["X-Key: hunter2hunter2"] };
	const address = { kind: "http", url: new URL(refusing.url) } as const;
	const refused = connect(address, flags, { world, output });
	await output.fault(await refused.catch((fault: unknown) => fault));
	const told = String(stderr.read());
	expect(told).toContain("unknown: ***");
	expect(told).not.toContain("hunter2");
});

it("warns before credentials go to another host in plain sight", async () => {
	const { world, output, stderr } = around();
	const flags = { ...FLAGS, header: ["X-Key: hunter2"] };
	const address = {
		kind: "http",
		url: new URL("http://a.invalid/mcp"),
	} as const;
	await expect(connect(address, flags, { world, output })).rejects.toThrow();
	expect(String(stderr.read())).toMatch(
		/warning: credentials go to a\.invalid/,
	);
});

it("asks a command over stdio through no name server", async () => {
	const { world, output } = around();
	const address = { kind: "stdio" as const, command: "true", args: [] };
	const flags = { ...FLAGS, resolver: "127.0.0.1:5353" };
	await expect(
		connect(address, flags, { world, output }),
	).rejects.toMatchObject({
		code: "wrong-use",
		what: expect.stringContaining("--resolver"),
	});
});
