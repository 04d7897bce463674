import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import {
	openPosition,
	type PositionKey,
	type PositionOptions,
} from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const key: PositionKey = {
	server: "http://server.test/mcp",
	event: "orders.created",
	arguments: { status: "paid", below: 5 },
	principal: "p1",
};

/** As the process `pid` opens it; `alive` are the others that run. */
function open(
	folder: string,
	more: Partial<PositionOptions> & { pid?: number; alive?: number[] } = {},
	about: Partial<PositionKey> = {},
) {
	const { pid = 1, alive = [], ...options } = more;
	return openPosition(
		{ ...key, ...about },
		{
			folder,
			owner: { pid, host: "here", isAlive: (other) => alive.includes(other) },
			now: () => 5_000,
			randomBytes,
			damaged: () => {},
			window: 3,
			...options,
		},
	);
}

/** Leaves a cursor and the ids of four events. */
async function leave(folder: string): Promise<void> {
	const position = await open(folder);
	position.addSeen(["e1", "e2"]);
	position.addSeen(["e3", "e\n4"]);
	await position.save("c4");
	await position.release();
}

const fileOf = (folder: string, end: string) => {
	const name = readdirSync(join(folder, "positions")).find((one) =>
		one.endsWith(end),
	);
	return join(folder, "positions", name ?? `none${end}`);
};

it("finds what the last run left, up to the window", async () => {
	const folder = temporaryFolder();
	await leave(folder);
	const position = await open(folder);
	expect(position.earlier).toEqual({ cursor: "c4", savedAt: 5_000 });
	expect(position.seen).toEqual(["e2", "e3", "e\n4"]);
	await position.release();
	for (const end of [".json", ".seen"])
		expect(statSync(fileOf(folder, end)).mode & 0o777).toBe(0o600);
});

it("is found whatever the order of the arguments", async () => {
	const folder = temporaryFolder();
	await leave(folder);
	const other = { arguments: { below: 5, status: "paid" } };
	const position = await open(folder, {}, other);
	expect(position.earlier?.cursor).toBe("c4");
	await position.release();
});

it.each([
	["principal", { principal: "p2" }],
	["server", { server: "http://other.test/mcp" }],
	["event", { event: "orders.paid" }],
	["argument", { arguments: {} }],
])("is not that of another %s", async (_what, other) => {
	const folder = temporaryFolder();
	await leave(folder);
	const position = await open(folder, {}, other);
	expect(position.earlier).toBeUndefined();
	expect(position.seen).toEqual([]);
	await position.release();
});

it("is refused while another process has it, and says which", async () => {
	const folder = temporaryFolder();
	const first = await open(folder, { pid: 7 });
	await first.release();
	writeFileSync(
		fileOf(folder, ".seen").replace(".seen", ".lock"),
		JSON.stringify({ pid: 7, host: "here" }),
	);
	await expect(open(folder, { alive: [7] })).rejects.toMatchObject({
		code: "in-use",
		exitStatus: 2,
		why: expect.stringContaining("process 7 on here"),
		next: expect.stringContaining("--steal"),
	});
});

it("is saved no more by one that was robbed of it", async () => {
	const folder = temporaryFolder();
	const robbed = await open(folder);
	await robbed.save("c1");
	writeFileSync(
		fileOf(folder, ".lock"),
		JSON.stringify({ pid: 9, host: "here" }),
	);
	expect(await robbed.isOurs()).toBe(false);
	await expect(robbed.save("c2")).rejects.toMatchObject({ code: "taken-over" });
	await robbed.release();
	const thief = await open(folder, { alive: [9], steal: true });
	expect(thief.earlier?.cursor).toBe("c1");
	await thief.release();
});

it.each([".json", ".seen"])(
	"sets a damaged %s file aside, tells, and goes on",
	async (end) => {
		const folder = temporaryFolder();
		await leave(folder);
		writeFileSync(fileOf(folder, end), '"e1"\n{"half":\n');
		const told: string[] = [];
		const position = await open(folder, { damaged: (text) => told.push(text) });
		await position.release();
		expect(told).toEqual([expect.stringContaining("was set aside as")]);
		expect(readdirSync(join(folder, "positions")).join()).toContain("damaged");
	},
);

it("knows of a damaged position that there was one, and when", async () => {
	const folder = temporaryFolder();
	await leave(folder);
	writeFileSync(fileOf(folder, ".json"), "{");
	const { mtimeMs } = statSync(fileOf(folder, ".json"));
	const { earlier, seen, release } = await open(folder);
	await release();
	expect(earlier).toEqual({ cursor: undefined, savedAt: mtimeMs });
	expect(seen).not.toEqual([]);
});

it("does not mind a last id that a crash has cut off", async () => {
	const folder = temporaryFolder();
	await leave(folder);
	writeFileSync(fileOf(folder, ".seen"), '"e1"\n"e');
	const position = await open(folder);
	expect(position.seen).toEqual(["e1"]);
	await position.release();
});

it("grows no further than twice its window", async () => {
	const folder = temporaryFolder();
	const position = await open(folder);
	for (let n = 0; n < 100; n++) position.addSeen([`e${n}`]);
	const lines = readFileSync(fileOf(folder, ".seen"), "utf8").split("\n");
	expect(lines.length).toBeLessThanOrEqual(7);
	expect(lines.slice(-4)).toEqual(['"e97"', '"e98"', '"e99"', ""]);
	await position.release();
});

it("passes over what is saved where that is asked, and keeps it until the first save", async () => {
	const folder = temporaryFolder();
	await leave(folder);
	const afresh = await open(folder, { afresh: true });
	expect(afresh).toMatchObject({ earlier: undefined, passedOver: 5_000 });
	expect(afresh.seen).toEqual([]);
	await afresh.release();
	const later = await open(folder);
	expect(later.earlier?.cursor).toBe("c4");
	await later.release();
});

it("says what to do where it cannot be kept", async () => {
	const file = join(temporaryFolder(), "file");
	writeFileSync(file, "");
	await expect(open(file)).rejects.toMatchObject({
		code: "file-failed",
		next: expect.stringContaining("--state DIR"),
	});
});
