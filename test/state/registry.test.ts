import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isRecordOf, openRegistry } from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const facts = {
	server: "http://server.test/mcp",
	principal: "p1",
	event: "orders.created",
	arguments: { status: "paid" },
	url: "http://127.0.0.1:7/hooks/x",
	receiver: "listen" as const,
	paths: ["/hooks/x"],
};

/** The registry as the process `pid` sees it; `alive` are the others that run. */
function open(folder: string, pid = 1, alive: number[] = []) {
	const told: string[] = [];
	const registry = openRegistry({
		folder,
		owner: { pid, host: "here", isAlive: (other) => alive.includes(other) },
		now: () => 1_000,
		randomBytes,
		damaged: (text) => told.push(text),
	});
	return { registry, told };
}

it("remembers a subscription, and its secrets apart from it", async () => {
	const folder = temporaryFolder();
	const added = await open(folder).registry.add(facts, ["whsec_abc"]);
	await added.update({ id: "sub_1", refreshBefore: null, cursor: "c" });
	await added.release();
	const { registry } = open(folder);
	const [listed] = await registry.list();
	expect(listed).toEqual({
		isHeld: false,
		record: expect.objectContaining({
			...facts,
			id: "sub_1",
			refreshBefore: null,
			cursor: "c",
			createdAt: 1_000,
		}),
	});
	const { key } = added.record;
	expect(await registry.secretsOf(key)).toEqual(["whsec_abc"]);
	const record = join(folder, "subscriptions", `${key}.json`);
	const secrets = join(folder, "secrets", `${key}.json`);
	expect(readFileSync(record, "utf8")).not.toContain("whsec_");
	for (const path of [record, secrets])
		expect(statSync(path).mode & 0o777).toBe(0o600);
});

it("gives a subscription to one process at a time", async () => {
	const folder = temporaryFolder();
	const added = await open(folder).registry.add(facts, ["whsec_abc"]);
	const { key } = added.record;
	const other = open(folder, 2, [1]).registry;
	expect(await other.claim(key)).toBeUndefined();
	expect(await other.remove(key)).toBe(false);
	expect(await other.list()).toMatchObject([{ isHeld: true }]);
	await added.release();
	const claimed = await other.claim(key);
	expect(claimed).toMatchObject({
		record: { key, event: "orders.created" },
		secrets: ["whsec_abc"],
	});
	await claimed?.release();
});

it("keeps the newest of many changes that are made at once", async () => {
	const folder = temporaryFolder();
	const { registry } = open(folder);
	const added = await registry.add(facts, []);
	const cursors = Array.from({ length: 20 }, (_, n) => `c${n}`);
	await Promise.all(cursors.map((cursor) => added.update({ cursor })));
	await added.release();
	const [listed] = await registry.list();
	expect(listed?.record.cursor).toBe("c19");
});

it("forgets one with all that belongs to it", async () => {
	const folder = temporaryFolder();
	const { registry } = open(folder);
	const added = await registry.add(facts, ["whsec_abc"]);
	await added.release();
	expect(await registry.remove(added.record.key)).toBe(true);
	expect(await registry.list()).toEqual([]);
	for (const place of ["subscriptions", "secrets"])
		expect(readdirSync(join(folder, place))).toEqual([]);
});

it("sets a damaged record aside, tells, and goes on with the others", async () => {
	const folder = temporaryFolder();
	const { registry, told } = open(folder);
	const [broken, whole] = [
		await registry.add(facts, []),
		await registry.add(facts, []),
	];
	await broken.release();
	await whole.release();
	const path = join(folder, "subscriptions", `${broken.record.key}.json`);
	writeFileSync(path, '{"key":"');
	const listed = await registry.list();
	expect(listed.map(({ record }) => record.key)).toEqual([whole.record.key]);
	expect(told).toEqual([expect.stringContaining("set aside")]);
});

it("lists nothing where there is nothing yet", async () => {
	expect(await open(temporaryFolder()).registry.list()).toEqual([]);
});

it("reads the records of before principals were kept, as anybody's", async () => {
	const folder = temporaryFolder();
	const { registry } = open(folder);
	const added = await registry.add(facts, ["whsec_abc"]);
	const path = join(folder, "subscriptions", `${added.record.key}.json`);
	const { principal: _, ...old } = JSON.parse(readFileSync(path, "utf8"));
	writeFileSync(path, JSON.stringify(old));
	await added.release();
	const [listed] = await registry.list();
	const { server } = facts;
	expect(listed && isRecordOf(listed.record, { server, principal: "x" })).toBe(
		true,
	);
	expect(isRecordOf(facts, { server, principal: "x" })).toBe(false);
	expect(isRecordOf(facts, { server, principal: "p1" })).toBe(true);
});
