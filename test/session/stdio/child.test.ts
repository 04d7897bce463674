import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { commandLine, startChild } from "../../../src/session/stdio/child.ts";
import { ENV, exchangeAll, openChild } from "./open-child.ts";

const folder = mkdtempSync(join(tmpdir(), "mcp-events-child-"));
afterAll(() => rmSync(folder, { recursive: true }));
const plainFile = join(folder, "plain.txt");
writeFileSync(plainFile, "no program");
chmodSync(plainFile, 0o644);

describe("a command that cannot be started", () => {
	it.each([
		[
			"no-such-program-anywhere",
			undefined,
			/no such program on PATH \(ENOENT\)/,
		],
		[plainFile, undefined, /may not be executed \(EACCES\)/],
		["sh", join(folder, "no-folder"), /or no such folder \(ENOENT\)/],
		["nul\0byte", undefined, /null bytes/],
	])("is named: %j", async (command, cwd, why) => {
		await expect(
			startChild({ command, args: ["x y"], env: ENV, cwd }),
		).rejects.toMatchObject({
			code: "child-not-started",
			what: expect.stringContaining(command),
			why: expect.stringMatching(why),
		});
	});
});

it.each([
	[["node", "server.js"], "node server.js"],
	[["sh", "it's a b"], `sh 'it'\\''s a b'`],
	[["node", "server.js", "--token", "hunter2"], "node server.js …"],
	[["env", "TOKEN=hunter2", "node"], "env …"],
])(
	"writes a command as one would type it, up to where a secret may stand: %j",
	([command = "", ...args], text) => {
		expect(commandLine({ command, args, env: {} })).toBe(text);
	},
);

const isAlive = (pid: unknown) => {
	try {
		return process.kill(Number(pid), 0);
	} catch {
		return false;
	}
};
const gone = async (pids: unknown[]) => {
	while (pids.some(isAlive))
		await new Promise((resolve) => setTimeout(resolve, 10));
};
const pidsOf = async (child: Awaited<ReturnType<typeof openChild>>) => {
	const [message] = await exchangeAll(child, {});
	if (message?.kind !== "result") throw new Error("no result");
	return [message.result.pid, message.result.grandchild];
};

describe("the end of a child", () => {
	it.each([
		// Before it would be sent SIGTERM.
		["polite", [], 2_000],
		// Two waits of two seconds, half a second for SIGKILL, and patience.
		["deaf to its stdin and to SIGTERM", ["stays"], 9_000],
	])("takes its own children with it: %s", async (_, words, limitMs) => {
		const child = await openChild("starts-a-grandchild.mjs", { words });
		const pids = await pidsOf(child);
		const begun = performance.now();
		await child.transport.close();
		expect(performance.now() - begun).toBeLessThan(limitMs);
		await gone(pids);
		expect(child.lastActs.size).toBe(0);
	});

	it("comes at once where there is no time for manners", async () => {
		const child = await openChild("starts-a-grandchild.mjs", {
			words: ["stays"],
		});
		const pids = await pidsOf(child);
		const [lastAct] = child.lastActs;
		lastAct?.();
		await gone(pids);
		await child.transport.close();
	});

	it("ends what is under way with a fault, and what comes after it", async () => {
		const child = await openChild("says-what-it-is-told.mjs");
		const asked = exchangeAll(child, {});
		const ended = expect(asked).rejects.toMatchObject({
			code: "connection-failed",
		});
		await child.transport.close();
		await ended;
		await expect(exchangeAll(child, {})).rejects.toMatchObject({
			code: "connection-failed",
		});
	});
});
