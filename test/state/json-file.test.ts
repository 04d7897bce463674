import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readJsonFile, writeJsonFile } from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const anything = (value: unknown) => value;

function reader(path: string, check: (value: unknown) => unknown = anything) {
	const told: string[] = [];
	const damaged = (text: string) => told.push(text);
	return {
		told,
		read: () => readJsonFile(path, check, { unique: "u", damaged }),
	};
}

it("keeps a value in a file and a folder that nobody else can read", async () => {
	const folder = join(temporaryFolder(), "new");
	const path = join(folder, "a.json");
	await writeJsonFile(path, { a: 1 }, "1");
	await writeJsonFile(path, { a: 2 }, "2");
	expect(await reader(path).read()).toEqual({ a: 2 });
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(statSync(folder).mode & 0o777).toBe(0o700);
	expect(readdirSync(folder)).toEqual(["a.json"]);
});

it("has nothing where there is no file", async () => {
	const { read, told } = reader(join(temporaryFolder(), "none.json"));
	expect(await read()).toBeUndefined();
	expect(told).toEqual([]);
});

it.each([
	["half of it", '{"a":'],
	["nothing in it", ""],
	["another shape", "[]"],
])("sets a damaged file aside and tells: %s", async (_what, text) => {
	const folder = temporaryFolder();
	const path = join(folder, "a.json");
	writeFileSync(path, text);
	const { read, told } = reader(path, (value) =>
		Array.isArray(value) ? undefined : value,
	);
	expect(await read()).toBeUndefined();
	expect(readdirSync(folder)).toEqual(["a.json.damaged-u"]);
	expect(readFileSync(join(folder, "a.json.damaged-u"), "utf8")).toBe(text);
	expect(told).toEqual([expect.stringContaining(path)]);
});

it("leaves the old value where the new one cannot be written", async () => {
	const folder = temporaryFolder();
	const path = join(folder, "a.json");
	await writeJsonFile(path, 1, "1");
	writeFileSync(join(folder, ".a.json.2.tmp"), "in the way");
	await expect(writeJsonFile(path, 2, "2")).rejects.toMatchObject({
		code: "file-failed",
		next: expect.stringContaining("--state"),
	});
	expect(await reader(path).read()).toBe(1);
});
