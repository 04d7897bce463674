// What each command loads of the packages and rooms that take their time: a start that begins to load more fails here.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeCaptureLine } from "../../src/captures/index.ts";
import type { ReferenceServer } from "../../src/reference/index.ts";
import { openDemo } from "../helpers/open-demo.ts";
import { BINARY, pinnedEnvironment } from "../helpers/run-cli.ts";

const PRELOADED = fileURLToPath(
	new URL("../fixtures/programs/tell-loaded.cjs", import.meta.url),
);
/** Packages in the bundle, and those rooms of ours that are large. */
const PACKAGES = [
	...["@oclif/core", "undici", "@cfworker/json-schema", "chalk", "ora"],
	...["yaml", "chokidar", "cloudflared"],
];
const ROOMS = ["session", "tail", "receiver", "captures", "reference", "grade"];

const folder = mkdtempSync(join(tmpdir(), "mcp-events-loads-"));
const captures = join(folder, "captures.ndjson");
const secret = join(folder, "secret");
let server: ReferenceServer;

beforeAll(async () => {
	server = await openDemo();
	writeFileSync(secret, "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3\n");
	const line = writeCaptureLine("cap_x_0b1c2d3e_1", {
		receivedAtMs: 1,
		method: "POST",
		path: "/",
		headers: [["content-type", "application/json"]],
		body: Buffer.from("{}"),
		verdict: { kind: "valid" },
		answer: { status: 204 },
	});
	writeFileSync(captures, line);
});
afterAll(async () => {
	await server[Symbol.asyncDispose]();
	rmSync(folder, { recursive: true });
});

/** The packages, what is dear of Node itself, then the rooms, in the order above. */
async function loadedBy(
	words: string[],
	env: Record<string, string>,
): Promise<string> {
	const told = join(mkdtempSync(join(folder, "run-")), "loaded");
	const child = spawn(
		process.execPath,
		["--require", PRELOADED, BINARY, ...words],
		{
			cwd: folder,
			env: { ...pinnedEnvironment(folder), ...env, TELL_LOADED: told },
			stdio: "ignore",
		},
	);
	await once(child, "close");
	const loaded = readFileSync(told, "utf8").split("\n");
	const builtin = loaded.filter((name) => name.startsWith("node:"));
	const text = loaded
		.filter((path) => !path.startsWith("node:"))
		.map((path) => readFileSync(path, "utf8"))
		.join("\n");
	// Each module in a bundle begins with a comment that names its file.
	const isIn = (place: string) =>
		new RegExp(`^// (?:.*/)?${place}/`, "m").test(text);
	const packages = PACKAGES.filter((name) => isIn(`node_modules/${name}`));
	const rooms = ROOMS.filter((name) => isIn(`src/${name}`));
	return [...packages, ...builtin, "|", ...rooms].join(" ");
}

const TICK = "clock.tick -a periodMs=20 --count 1";

it.concurrent.each([
	["--version", "|"],
	["--help", "|"],
	["tail --help", "|"],
	["completion bash", "@oclif/core |"],
	["secret", "@oclif/core |"],
	["list URL", "@oclif/core undici | session"],
	["describe URL clock.tick", "@oclif/core undici | session"],
	[
		`poll URL ${TICK}`,
		"@oclif/core undici @cfworker/json-schema | session tail",
	],
	[
		`stream URL ${TICK}`,
		"@oclif/core undici @cfworker/json-schema | session tail",
	],
	[
		`tail URL ${TICK}`,
		"@oclif/core undici @cfworker/json-schema | session tail",
	],
	[
		`FORCE_COLOR=1 tail URL ${TICK} -o pretty`,
		"@oclif/core undici @cfworker/json-schema chalk | session tail",
	],
	[
		`tail ${TICK} -- NODE BINARY serve --stdio`,
		"@oclif/core @cfworker/json-schema | session tail",
	],
	[
		`tail URL ${TICK} --resume --exec true`,
		"@oclif/core undici @cfworker/json-schema | session tail captures",
	],
	[
		"listen --secret-file SECRET --for 100ms",
		"@oclif/core | session tail receiver captures",
	],
	[
		"subscribe URL clock.tick --to https://127.0.0.1:9/ --secret-file SECRET",
		"@oclif/core undici | session tail",
	],
	["subscriptions list", "@oclif/core | session tail"],
	["subscriptions prune URL", "@oclif/core undici | session tail"],
	["send --to URL --secret-file SECRET", "@oclif/core | captures"],
	["replay CAPTURES --to URL", "@oclif/core | captures"],
	["verify CAPTURES --secret-file SECRET", "@oclif/core | captures"],
	["captures list --captures CAPTURES", "@oclif/core | captures"],
	["captures export CAPTURES", "@oclif/core | captures"],
	["serve --stdio", "@oclif/core node:http2 | captures reference"],
	[
		"serve dir . --stdio",
		"@oclif/core chokidar node:http2 | captures reference",
	],
	[
		"check server URL --scenario events-discovery",
		"@oclif/core @cfworker/json-schema | session receiver grade",
	],
])("%s loads: %s", async (line, loaded) => {
	const places: Record<string, string> = {
		...{ URL: server.url, SECRET: secret, CAPTURES: captures },
		...{ NODE: process.execPath, BINARY },
	};
	const words = line.split(" ").map((word) => places[word] ?? word);
	const [setting = ""] = words;
	const [, name, value] = /^([A-Z_]+)=(.*)$/.exec(setting) ?? [];
	const env = name === undefined ? {} : { [name]: value ?? "" };
	const own = name === undefined ? words : words.slice(1);
	expect(await loadedBy(own, env)).toBe(loaded);
});
