import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Claim, openClaims } from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const KEY = { server: "http://a.example/mcp", principal: "nobody" };

const claim = (id: string, capture?: string): Claim => ({
	id,
	subscription: "made",
	via: "poll",
	name: "made",
	line: Buffer.from(`{"eventId":"${id}"}`),
	capture,
	at: 1_000,
});

/** `pid`: a process by its number; those in `alive` are. */
const open = (
	folder: string,
	{ pid = 1, alive = [] as number[], key = KEY, most = 10_000 } = {},
) =>
	openClaims(key, {
		folder,
		owner: { pid, host: "here", isAlive: (one) => alive.includes(one) },
		now: () => 5_000,
		randomBytes,
		damaged: () => {},
		most,
	});

const filesIn = (folder: string) => {
	const claims = join(folder, "claims");
	const [name = ""] = readdirSync(claims);
	return readdirSync(join(claims, name)).map((file) =>
		join(claims, name, file),
	);
};

it("gives an event to one process of several, and to none once it is settled", async () => {
	const folder = temporaryFolder();
	const one = await open(folder, { pid: 1, alive: [1, 2] });
	const other = await open(folder, { pid: 2, alive: [1, 2] });
	expect(await one.run(claim("e1"))).toBe("ours");
	expect(await other.run(claim("e1"))).toBe("theirs");
	await one.settle([claim("e1")], "done", 4_000);
	expect(await other.run(claim("e1"))).toBe("settled");
	expect(await (await open(folder)).run(claim("e1"))).toBe("settled");
	expect(other.runsSince(4_000)).toEqual([4_000]);
	expect(other.runsSince(4_001)).toEqual([]);
});

it("keeps what other principals and servers have apart", async () => {
	const folder = temporaryFolder();
	await (await open(folder)).run(claim("e1"));
	const others = { ...KEY, principal: "somebody" };
	const claims = await open(folder, { pid: 2, alive: [1, 2], key: others });
	expect(await claims.run(claim("e1"))).toBe("ours");
});

it("hands what a run that is gone has left to the next one, once, with the event", async () => {
	const folder = temporaryFolder();
	const gone = await open(folder, { pid: 1 });
	gone.wait(claim("waits", "cap_1"));
	await gone.run(claim("runs"));
	await gone.run(claim("fails"));
	await gone.failed(claim("fails"));
	await gone.run(claim("ended"));
	await gone.settle([claim("ended")], "done", 1);
	const next = await open(folder, { pid: 2, alive: [2] });
	expect(next.left.map(({ id, state }) => [id, state])).toEqual([
		["waits", "waiting"],
		["runs", "running"],
		["fails", "failed"],
	]);
	expect(next.left[0]).toMatchObject(claim("waits", "cap_1"));
	const third = await open(folder, { pid: 3, alive: [2, 3] });
	expect(third.left).toEqual([]);
	expect(await third.run(claim("runs"))).toBe("theirs");
});

it("doubts what a process had begun that is gone since", async () => {
	const folder = temporaryFolder();
	const claims = await open(folder, { pid: 2, alive: [2] });
	const gone = await open(folder, { pid: 1, alive: [2] });
	await gone.run(claim("e1"));
	gone.wait(claim("e2"));
	expect(await claims.run(claim("e1"))).toBe("in-doubt");
	expect(await claims.run(claim("e2"))).toBe("ours");
});

it("gives back what was let go of", async () => {
	const folder = temporaryFolder();
	const claims = await open(folder);
	await claims.run(claim("e1"));
	claims.release(claim("e1"));
	expect(await claims.run(claim("e1"))).toBe("ours");
});

it("remembers a bounded number of settled events, the last ones surely", async () => {
	const folder = temporaryFolder();
	const claims = await open(folder, { most: 10 });
	for (let n = 0; n < 55; n++)
		await claims.settle([claim(`e${n}`)], "done", undefined);
	for (let n = 45; n < 55; n++)
		expect(claims.wait(claim(`e${n}`))).toBe("settled");
	expect(claims.wait(claim("e0"))).toBe("ours");
	const bytes = filesIn(folder).reduce(
		(sum, one) => sum + statSync(one).size,
		0,
	);
	expect(bytes).toBeLessThan(4_000);
});

it("survives a line that a crash has cut off, and keeps the next one whole", async () => {
	const folder = temporaryFolder();
	await (await open(folder)).settle([claim("e1")], "done", 1);
	const log = filesIn(folder).find((one) => one.endsWith("settled")) ?? "";
	writeFileSync(log, '\n{"key":"0123', { flag: "a" });
	await (await open(folder)).settle([claim("e2")], "parked", 1);
	const claims = await open(folder);
	expect(claims.wait(claim("e1"))).toBe("settled");
	expect(claims.wait(claim("e2"))).toBe("settled");
});

it("writes files for their owner alone, and leaves no draft", async () => {
	const folder = temporaryFolder();
	const claims = await open(folder);
	await claims.run(claim("e1"));
	claims.wait(claim("e2", "cap_1"));
	await claims.settle([claim("e3")], "done", 1);
	const modes = spawnSync("stat", ["-c", "%a", ...filesIn(folder)]);
	expect(new Set(String(modes.stdout).trim().split("\n"))).toEqual(
		new Set(["600"]),
	);
	expect(filesIn(folder).filter((one) => one.endsWith(".tmp"))).toEqual([]);
	expect(filesIn(folder)).toHaveLength(3);
});

it("sets a damaged claim aside", async () => {
	const folder = temporaryFolder();
	await (await open(folder)).run(claim("e1"));
	const [path = ""] = filesIn(folder);
	writeFileSync(path, "{");
	expect((await open(folder)).left).toEqual([]);
	const [aside = ""] = filesIn(folder);
	expect(readFileSync(aside, "utf8")).toBe("{");
});
