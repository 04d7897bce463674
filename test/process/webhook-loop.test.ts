// The commands about webhooks, joined: what send made, listen received; verify and replay go on from what was kept.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openRecorder } from "../helpers/open-recorder.ts";
import { runCli, startCli } from "../helpers/run-cli.ts";

it("what send makes is received, kept, verified and sent on by the other commands", async () => {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-loop-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	const file = join(folder, "hook.secret");
	const secret = ["--secret-file", file];
	const place = ["--captures", join(folder, "captures")];
	writeFileSync(file, (await runCli(["secret"], { stdoutForm: "any" })).stdout);

	const ready = join(folder, "ready");
	const words = ["listen", "--ready-file", ready, "--count", "1", ...place];
	const listener = startCli([...words, ...secret]);
	await expect.poll(() => readReady(ready), { timeout: 8_000 }).toBeDefined();
	const to = ["--to", readReady(ready) ?? ""];
	const event = ["--event", "a.made", "--data", '{"n":1.50}'];
	const spoiled = await runCli([
		"send",
		...to,
		...secret,
		...event,
		"--corrupt",
		"id",
	]);
	expect(spoiled.status).toBe(1);
	expect((await runCli(["send", ...to, ...secret, ...event])).status).toBe(0);
	const received = await listener.done;
	expect(received.lines[0]).toContain('"data":{"n":1.50}');

	const { stdout } = await runCli(["captures", "list", ...place]);
	const checked = await runCli(["verify", "-", ...secret], { stdin: stdout });
	const valid = checked.lines.map((line) => JSON.parse(line).valid);
	expect(valid).toEqual([false, true]);
	const handler = await openRecorder();
	const replay = ["replay", "-", "--to", handler.url, ...secret];
	expect((await runCli(replay, { stdin: stdout })).status).toBe(0);
	expect(handler.requests.map(({ body }) => body.toString())).toEqual(
		received.lines,
	);
});

function readReady(path: string): string | undefined {
	try {
		return JSON.parse(readFileSync(path, "utf8")).subscriptions[0].url;
	} catch {
		return undefined;
	}
}
