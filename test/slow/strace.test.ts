// What the system is asked for: connections, proxies, files and their modes, as strace sees it.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ReferenceServer } from "../../src/reference/index.ts";
import { openDemo } from "../helpers/open-demo.ts";
import { hasProgram, runShell } from "../helpers/run-shell.ts";

/** Nothing listens there: whoever asked it would fail. */
const PROXIES = ["http_proxy", "https_proxy", "HTTP_PROXY", "ALL_PROXY"]
	.map((name) => `${name}=http://127.0.0.1:9`)
	.join(" ");

let server: ReferenceServer;
let folder: string;
beforeAll(async () => {
	server = await openDemo();
	folder = mkdtempSync(join(tmpdir(), "mcp-events-strace-"));
});
afterAll(async () => {
	await server.close();
	rmSync(folder, { recursive: true, force: true });
});

/** Runs the binary under strace; returns its status, its stderr and the calls of these kinds, one a line. */
async function trace(args: string[], kinds: string) {
	const file = join(folder, "calls");
	const strace = `strace -f -qq -s 500 -e trace=${kinds} -o '${file}'`;
	const script = `umask 000; exec env ${PROXIES} ${strace} "$@"`;
	const { status, stderr } = await runShell(script, args);
	return { status, stderr, calls: readFileSync(file, "utf8").split("\n") };
}

describe.skipIf(!hasProgram("strace"))("under strace", () => {
	test("list connects to its server alone, whatever proxy is set", async () => {
		const run = await trace(
			["list", server.url],
			"connect,sendto,sendmsg,bind",
		);
		expect(run).toMatchObject({ status: 0, stderr: "" });
		const { port } = new URL(server.url);
		const there = `sin_port=htons(${port}), sin_addr=inet_addr("127.0.0.1")`;
		const connects = run.calls.filter((call) =>
			/ connect\(\d+, \{sa_family=AF_INET/.test(call),
		);
		expect(connects.length).toBeGreaterThan(0);
		expect(connects.filter((call) => !call.includes(there))).toEqual([]);
		expect(
			run.calls.filter((call) => / (bind|sendto|sendmsg)\(/.test(call)),
		).toEqual([]);
	});

	test("--log-rpc makes a file that is its owner's from the first moment, and of no other", async () => {
		const log = join(folder, "rpc.ndjson");
		const run = await trace(
			["list", server.url, "--log-rpc", log],
			"openat,open,creat,chmod,fchmod",
		);
		expect(run.status).toBe(0);
		const opened = run.calls.filter((call) => call.includes(log));
		expect(opened.every((call) => /O_CREAT.*, 0600\) = /.test(call))).toBe(
			true,
		);
		expect(opened.length).toBeGreaterThan(0);
		expect(statSync(log).mode & 0o777).toBe(0o600);
	});

	test("--version opens no file of node_modules", async () => {
		const run = await trace(["--version"], "openat,open");
		expect(run.status).toBe(0);
		const opened = run.calls.filter((call) => !call.includes("ENOENT"));
		expect(opened.length).toBeGreaterThan(0);
		expect(opened.filter((call) => call.includes("node_modules"))).toEqual([]);
	});
});
