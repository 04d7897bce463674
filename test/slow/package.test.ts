// What `npm pack` ships, installed into an empty folder as a user would, and run in the places that programs forget.
import {
	execFileSync,
	type SpawnSyncOptions,
	spawnSync,
} from "node:child_process";
import {
	chmodSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** A path with spaces, which shells and URLs take apart. */
const folder = join(
	mkdtempSync(join(tmpdir(), "mcp-events-package-")),
	"a folder of a user",
);
const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const LIMIT_BYTES = 1_500_000;
/** A few seconds, on a machine that does something else besides. */
const LONGEST_INSTALL_MS = 20_000;

let tarball = "";
let installMs = 0;
const installed = join(folder, "node_modules/mcp-events");
const program = join(installed, "bin/mcp-events.js");

function run(args: string[], options: SpawnSyncOptions = {}) {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[program, ...args],
		{
			encoding: "utf8",
			timeout: 30_000,
			env: { PATH: process.env.PATH ?? "", HOME: folder },
			...options,
		},
	);
	return { status, stdout: String(stdout), stderr: String(stderr) };
}

/** Three events of its own server over stdio: every part that a tail needs. */
const tail = (options: SpawnSyncOptions = {}) =>
	run(
		[
			"tail",
			"clock.tick",
			"-a",
			"periodMs=50",
			"--count",
			"3",
			"--",
			process.execPath,
			program,
			"serve",
			"--stdio",
		],
		options,
	);

beforeAll(() => {
	mkdirSync(folder);
	const packed = execFileSync(
		"npm",
		["pack", "--ignore-scripts", "--json", "--pack-destination", folder],
		{ cwd: root, encoding: "utf8" },
	);
	tarball = join(folder, JSON.parse(packed)[0].filename);
	const startedAt = performance.now();
	execFileSync(
		"npm",
		[
			"install",
			"--ignore-scripts",
			"--offline",
			"--no-audit",
			"--no-fund",
			tarball,
		],
		{ cwd: folder, stdio: "pipe" },
	);
	installMs = performance.now() - startedAt;
}, 120_000);

afterAll(() => {
	if (isRoot) spawnSync("chmod", ["-R", "u+rwX", dirname(folder)]);
	rmSync(dirname(folder), { recursive: true, force: true });
});

describe("the package", () => {
	it("is under 1.5 MB, and installs nothing but itself", () => {
		expect(statSync(tarball).size).toBeLessThan(LIMIT_BYTES);
		expect(
			readdirSync(join(folder, "node_modules")).filter(
				(name) => !name.startsWith("."),
			),
		).toEqual(["mcp-events"]);
	});

	it("is installed within seconds, without scripts and without a network", () => {
		expect(installMs).toBeLessThan(LONGEST_INSTALL_MS);
	});

	it("ships the program, the manifest and the man pages, but neither sources nor tests", () => {
		const entries = readdirSync(installed).sort();
		expect(entries).toEqual(
			expect.arrayContaining([
				"bin",
				"dist",
				"man",
				"oclif.manifest.json",
				"LICENSE",
				"README.md",
			]),
		);
		for (const kept of ["src", "test", "build.mjs", "tsconfig.json"])
			expect(entries).not.toContain(kept);
	});

	it("is started by its name", () => {
		const bin = join(folder, "node_modules/.bin/mcp-events");
		const { stdout, status } = spawnSync(bin, ["--version"], {
			encoding: "utf8",
		});
		expect(stdout).toMatch(/^mcp-events\/\d+\.\d+\.\d+ /);
		expect(status).toBe(0);
	});
});

describe("the installed program", () => {
	it("shows events from a path with spaces", () => {
		const { status, stdout } = tail();
		expect(status).toBe(0);
		expect(stdout.trim().split("\n")).toHaveLength(3);
	});

	it("shows events with neither HOME nor any other variable", () => {
		const { status, stdout } = tail({ env: {} });
		expect(status).toBe(0);
		expect(stdout.trim().split("\n")).toHaveLength(3);
	});

	it("receives with neither, where a folder for its state is named, and asks for one else", () => {
		const secret = join(folder, "hook.secret");
		writeFileSync(secret, run(["secret"]).stdout);
		const words = ["listen", "--secret-file", secret, "--for", "100ms"];
		const asked = run(words, { env: {} });
		expect([asked.status, asked.stderr]).toEqual([
			2,
			expect.stringContaining("--state DIR"),
		]);
		const state = join(folder, "state");
		expect(run([...words, "--state", state], { env: {} }).status).toBe(0);
	});

	it.skipIf(isRoot)(
		"shows events from a folder that nobody may write (skipped where we are root, who may)",
		() => {
			const before = statSync(installed).mode;
			spawnSync("chmod", ["-R", "a-w", installed]);
			const { status, stdout } = tail({ cwd: installed });
			spawnSync("chmod", ["-R", "u+w", installed]);
			expect([status, stdout.trim().split("\n").length]).toEqual([0, 3]);
			expect(statSync(installed).mode).toBe(before);
		},
	);

	it.skipIf(!isRoot)(
		"shows events to another user, from a folder that nobody may write (skipped where we are not root)",
		() => {
			const copy = join(dirname(folder), "read only");
			cpSync(folder, copy, { recursive: true });
			spawnSync("chmod", ["-R", "a-w,a+rX", copy]);
			chmodSync(dirname(folder), 0o755);
			const binary = join(copy, "node_modules/mcp-events/bin/mcp-events.js");
			const words = [
				"tail",
				"clock.tick",
				"-a",
				"periodMs=50",
				"--count",
				"3",
				"--",
				process.execPath,
				binary,
				"serve",
				"--stdio",
			];
			const { status, stdout, stderr } = spawnSync(
				process.execPath,
				[binary, ...words],
				{
					cwd: copy,
					uid: NOBODY,
					gid: NOBODY,
					env: {},
					encoding: "utf8",
					timeout: 30_000,
				},
			);
			expect(stderr).not.toContain("EACCES");
			expect([status, stdout.trim().split("\n").length]).toEqual([0, 3]);
		},
	);

	it("has help for every command", () => {
		const manifest = join(installed, "oclif.manifest.json");
		const { commands } = JSON.parse(readFileSync(manifest, "utf8"));
		for (const id of Object.keys(commands))
			expect(run([...id.split(":"), "--help"]).stdout).toContain("USAGE");
	});
});
