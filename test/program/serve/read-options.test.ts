import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { SourceKind } from "../../../src/program/serve/options.ts";
import {
	readServeOptions,
	type ServeFlags,
} from "../../../src/program/serve/read-options.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-events-serve-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** What holds where nothing is said. */
const DEFAULTS: ServeFlags = {
	stdio: false,
	port: 0,
	host: "127.0.0.1",
	path: "/mcp",
	heartbeat: 25_000,
	"poll-interval": 1_000,
	"conformance-controls": false,
	buffer: 10_000,
	seed: "mcp-events",
	speed: "1x",
	settle: 250,
	"allow-plain": false,
	"require-filter": false,
	"scan-interval": 250,
};

const read = (flags: Partial<ServeFlags>, source?: SourceKind, path?: string) =>
	readServeOptions({
		flags: { ...DEFAULTS, ...flags },
		args: { source, path },
		raw: Object.keys(flags).map((flag) => ({ type: "flag", flag, input: "" })),
	});

let files = 0;
function configFile(content: unknown): string {
	const path = join(folder, `${++files}.json`);
	const text = typeof content === "string" ? content : JSON.stringify(content);
	writeFileSync(path, text);
	return path;
}
const readConfig = (content: unknown, flags: Partial<ServeFlags> = {}) =>
	read({ ...flags, config: configFile(content) });

const token = ["me=env:T"];

describe("words of serve that contradict each other", () => {
	it.each<[string, Partial<ServeFlags>, SourceKind?, string?]>([
		["serve file needs the PATH of the file", {}, "file"],
		["serve dir needs the PATH of the folder", {}, "dir"],
		["serve sqlite needs the PATH of the file", {}, "sqlite"],
		["serve demo takes no PATH", {}, "demo", "x"],
		["--table means nothing to serve demo", { table: "t" }],
		["--seed means nothing to serve file", { seed: "1" }, "file", "x"],
		["--speed means nothing to serve dir", { speed: "2x" }, "dir", "x"],
		["serve inbound needs a --hook", {}, "inbound"],
		['--hook "x" cannot be read', { hook: ["x=github:typed"] }, "inbound"],
		["serve stdin cannot be combined with --stdio", { stdio: true }, "stdin"],
		[
			"inbound cannot be combined with --stdio",
			{ stdio: true, hook: ["a"] },
			"inbound",
		],
		["--port cannot be combined with --stdio", { stdio: true, port: 1 }],
		["--token cannot be combined with --stdio", { stdio: true, token }],
		["--tls-cert and --tls-key are given together", { "tls-cert": "c" }],
		["--tls-cert and --tls-key are given together", { "tls-key": "k" }],
		['--path "mcp" is no path', { path: "mcp" }],
		['--path "/a?b" is no path', { path: "/a?b" }],
		["--store is of no use without --token", { store: "s" }],
		["--allow-callback is of no use without", { "allow-callback": ["x"] }],
		[
			"--profile chatgpt offers nothing without --token",
			{ profile: "chatgpt" },
		],
		[
			"--profile chatgpt cannot be combined with --stdio",
			{ profile: "chatgpt", stdio: true },
		],
		[
			"--ttl-floor is longer than --ttl-ceiling",
			{ token, "ttl-floor": 2, "ttl-ceiling": 1 },
		],
		[
			"--ttl-default is longer than --ttl-ceiling",
			{ token, "ttl-default": 2, "ttl-ceiling": 1 },
		],
	])("%s", async (what, flags, source, path) => {
		await expect(read(flags, source, path)).rejects.toMatchObject({
			code: "wrong-use",
			what: expect.stringContaining(what),
			next: expect.stringMatching(/./),
		});
	});
});

describe("a configuration file", () => {
	it("says all that flags say, and paths from its own folder", async () => {
		const options = await readConfig({
			$schema: "serve.schema.json",
			sources: [
				{ kind: "demo", seed: "7" },
				{ kind: "dir", path: "inbox", settle: "1s" },
				{
					kind: "inbound",
					hooks: [
						{ name: "a" },
						{ name: "b", scheme: "github", secrets: ["@gh", "env:GH"] },
					],
				},
			],
			http: { port: 8931, tls: { cert: "c.pem", key: "/etc/k.pem" } },
			tokens: { me: "@tok", you: ["env:A", "env:B"] },
			webhooks: { store: "s", retryDelays: ["1s", "2m"], ttl: { floor: "1m" } },
			limits: { rate: "60/m", request: "2mb", streams: 5 },
			profile: "chatgpt",
			heartbeat: "5s",
			faults: ["drop=2"],
		});
		const at = (name: string) => join(folder, name);
		expect(options).toMatchObject({
			sources: [
				{ kind: "demo", seed: "7" },
				{ kind: "dir", path: at("inbox"), settleMs: 1_000 },
				{
					kind: "inbound",
					hooks: [
						{ name: "a", scheme: "plain", secrets: [] },
						{
							name: "b",
							scheme: "github",
							secrets: [`@${at("gh")}`, "env:GH"],
						},
					],
				},
			],
			http: {
				port: 8931,
				host: "127.0.0.1",
				tls: { cert: at("c.pem"), key: "/etc/k.pem" },
				rateLimit: 1,
			},
			tokens: [`me=@${at("tok")}`, "you=env:A", "you=env:B"],
			webhooks: {
				store: at("s"),
				retryDelaysMs: [1_000, 120_000],
				floorTtlMs: 60_000,
			},
			faults: ["drop=2"],
			served: {
				profile: "chatgpt",
				heartbeatMs: 5_000,
				maxStreams: 5,
				maxRequestBytes: 2 * 1024 ** 2,
				pollIntervalMs: 1_000,
			},
		});
	});

	it.each([
		{ tokens: { me: "typed-here" } },
		{ tokens: { me: ["env:A", "typed-here"] } },
		{ tokens: "typed-here" },
		{
			sources: [
				{
					kind: "inbound",
					hooks: [{ name: "a", scheme: "github", secrets: ["typed-here"] }],
				},
			],
		},
	])("never repeats a secret that stands in it: %j", async (config) => {
		const read = readConfig(config);
		await expect(read).rejects.toMatchObject({ code: "wrong-use" });
		const { what, why } = await read.catch((fault) => fault);
		expect(`${what} ${why}`).not.toContain("typed");
	});

	it("counts after what was typed, and leaves the source to the command line where it names none", async () => {
		const config = configFile({ heartbeat: "5s", pollInterval: "2s" });
		const options = await read({ config, heartbeat: 7_000 }, "file", "a.log");
		expect(options.served).toMatchObject({
			heartbeatMs: 7_000,
			pollIntervalMs: 2_000,
		});
		expect(options.sources).toMatchObject([{ kind: "file", path: "a.log" }]);
	});

	it.each<[unknown, string[]]>([
		["{", ["is not JSON at line 1"]],
		["[]", ["no JSON object"]],
		[{ sources: [] }, ["sources"]],
		[{ sorces: [{ kind: "demo" }] }, ["did you mean sources?"]],
		[{ sources: [{ kind: "dmo" }] }, ['is "dmo"', "one of demo, file"]],
		[{ sources: [{ kind: "file" }] }, ["path is missing"]],
		[{ sources: [{ kind: "demo", path: "x" }] }, ["path is not known"]],
		[{ sources: [{ kind: "dir", path: "x", settle: 5 }] }, ["settle is 5"]],
		[{ sources: [{ kind: "inbound" }] }, ["hooks is missing"]],
		[{ tokens: { me: "typed-here" } }, ["tokens.me"]],
		[{ http: { tls: { cert: "c" } } }, ["http.tls.key is missing"]],
		[{ heartbeat: "5 s" }, ['heartbeat is "5 s"']],
		[{ limits: { rate: "fast" } }, ['limits.rate is "fast"']],
		[
			{
				http: { port: 99_999 },
				profile: "old",
				era: 5,
				sources: [{ kind: "file" }],
			},
			["http.port is 99999", 'profile is "old"', "era is 5", "path is missing"],
		],
	])("%j is refused with all that is wrong with it", async (content, words) => {
		const fault = await readConfig(content).catch((error) => error);
		expect(fault.code).toBe("wrong-use");
		for (const word of words)
			expect(`${fault.what} ${fault.why}`).toContain(word);
		expect(fault.next).toContain("--config-schema");
	});

	it.each<[string, unknown, Partial<ServeFlags>]>([
		[
			"--table cannot be combined with --config",
			{ sources: [{ kind: "demo" }] },
			{ table: "t" },
		],
		[
			"two sources cannot both be stdin",
			{ sources: [{ kind: "stdin" }, { kind: "stdin" }] },
			{},
		],
		["--store is of no use without --token", { webhooks: { store: "s" } }, {}],
		[
			"--host cannot be combined with --stdio",
			{ http: { host: "::1" } },
			{ stdio: true },
		],
	])(
		"contradicts itself or what was typed: %s",
		async (what, content, flags) => {
			await expect(readConfig(content, flags)).rejects.toMatchObject({
				code: "wrong-use",
				what: expect.stringContaining(what),
			});
		},
	);
});
