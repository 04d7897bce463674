// captures list, show, export and prune as users run them.
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { writeCaptureLine } from "../../src/captures/index.ts";
import { runCli } from "../helpers/run-cli.ts";

const ids = [1, 2, 3].map((n) => `cap_x_0b1c2d3e_${n}`);
const FILE = "2026-01-01T00-00-00-000Z-0b1c2d3e-000001.ndjson";

const line = (n: number, name: string, verdict = "valid") =>
	writeCaptureLine(ids[n - 1] ?? "", {
		receivedAtMs: Date.parse("2026-01-01T00:00:00Z") + n,
		method: "POST",
		path: "/hooks/a",
		headers: [
			["Host", "127.0.0.1:9"],
			["webhook-id", `msg_${n}`],
		],
		body: Buffer.from(
			`{"eventId":"evt_${n}","name":"${name}","data":{"n":1.50}}`,
		),
		verdict: { kind: verdict },
		answer: { status: verdict === "valid" ? 204 : 401 },
		subscription: name,
	});

const folders: string[] = [];
afterAll(() => {
	for (const folder of folders) rmSync(folder, { recursive: true });
});

function makeFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "mcp-events-captures-"));
	folders.push(folder);
	mkdirSync(join(folder, "rejected"));
	const kept = Buffer.concat([line(1, "a.made"), line(3, "b.made")]);
	writeFileSync(join(folder, FILE), kept);
	writeFileSync(join(folder, "rejected", FILE), line(2, "a.made", "no-match"));
	return folder;
}

const run = (folder: string, ...words: string[]) =>
	runCli(["captures", ...words, "--captures", folder], { stdoutForm: "any" });

describe.concurrent("captures list", () => {
	it.each([
		["everything", [], ids],
		["one event", ["--event", "b.made"], [ids[2]]],
		["one subscription", ["--subscription", "a.made"], [ids[0], ids[1]]],
		["one verdict", ["--verdict", "no-match"], [ids[1]]],
		["a time", ["--since", "2026-01-01T00:00:00.003Z"], [ids[2]]],
		["an age", ["--since", "1m"], []],
	])("gives %s as the captures that were kept", async (_what, words, found) => {
		const { lines, status } = await run(makeFolder(), "list", ...words);
		expect(lines.map((text) => JSON.parse(text).id)).toEqual(found);
		expect(status).toBe(0);
	});

	it("gives a table to people", async () => {
		const { lines } = await run(makeFolder(), "list", "-o", "table");
		expect(lines[0]).toMatch(/^ID +RECEIVED +EVENT +VERDICT +ANSWER$/);
		expect(lines[2]).toContain("no-match");
	});

	it("says where it looked when nothing was ever captured", async () => {
		const done = await runCli(["captures", "list"]);
		expect(done.status).toBe(0);
		expect(done.stderr).toMatch(/there are no captures yet in .*captures\n$/);
	});

	it("refuses a folder that is named and not there", async () => {
		expect((await run("/nowhere", "list")).status).toBe(3);
	});
});

describe.concurrent("captures show", () => {
	it("gives a page with the numbers as they were written", async () => {
		const words = ["show", ids[0] ?? "", "-o", "text"];
		const { stdout } = await run(makeFolder(), ...words);
		expect(stdout).toContain('    "n": 1.50\n');
		expect(stdout).toContain("webhook-id: msg_1");
	});

	it("says which capture is not there", async () => {
		const done = await run(makeFolder(), "show", "cap_x_0b1c2d3e_9");
		expect(done.status).toBe(2);
		expect(done.stderr).toContain("there is no capture cap_x_0b1c2d3e_9");
	});
});

describe.concurrent("captures export", () => {
	it("gives curl commands by default", async () => {
		const { stdout } = await run(makeFolder(), "export", ids[0] ?? "");
		expect(stdout).toMatch(
			/^curl -sS -X POST http:\/\/127\.0\.0\.1:9\/hooks\/a -H 'webhook-id: msg_1' .*--data-binary '\{"eventId":"evt_1".*\n$/,
		);
	});

	it.each([
		["raw", /^POST \/hooks\/a HTTP\/1\.1\r\nHost: /],
		["har", /^\{"log":\{"version":"1\.2"/],
	])("gives all as %s", async (form, start) => {
		const { stdout } = await run(makeFolder(), "export", "--as", form);
		expect(stdout).toMatch(start);
		for (const n of [1, 2, 3]) expect(stdout).toContain(`msg_${n}`);
	});

	it("gives a HAR log that is JSON, be it empty", async () => {
		const words = ["export", "--as", "har", "--event", "none"];
		const { stdout } = await run(makeFolder(), ...words);
		expect(JSON.parse(stdout).log.entries).toEqual([]);
	});
});

describe.concurrent("captures prune", () => {
	it("removes what it is told to, and says so", async () => {
		const folder = makeFolder();
		const done = await run(folder, "prune", "--older-than", "1d");
		expect(done.stderr).toMatch(/removed 3 captures \(\d+ bytes\) from /);
		expect(readdirSync(folder)).toEqual(["rejected"]);
	});

	it("removes nothing unless it is told what", async () => {
		const done = await run(makeFolder(), "prune");
		expect(done.status).toBe(2);
		expect(done.stderr).toContain("no filter is given");
	});
});

it("a mistyped flag names the whole command", async () => {
	const done = await runCli(["captures", "list", "--sinse", "1h"]);
	expect(done.status).toBe(2);
	expect(done.stderr).toContain("next: mcp-events captures list --help");
});
