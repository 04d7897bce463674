import { randomBytes } from "node:crypto";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { principalOf } from "../../src/state/index.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const token = { name: "Authorization", value: "Bearer abcdefgh" };
const apiKey = { name: "x-api-key", value: "k" };

const hash = (folder: string, ...credentials: (typeof token)[]) =>
	principalOf(credentials, { folder, randomBytes });

it("is the same for the same credentials, in any order and another run", async () => {
	const folder = temporaryFolder();
	const first = await hash(folder, token, apiKey);
	expect(await hash(folder, apiKey, token)).toBe(first);
	expect(first).toMatch(/^[0-9a-f]{32}$/);
});

it.each([
	["another token", { name: "Authorization", value: "Bearer abcdefgi" }],
	["the same value elsewhere", { name: "x-api-key", value: token.value }],
])("is another for %s", async (_what, other) => {
	const folder = temporaryFolder();
	expect(await hash(folder, other)).not.toBe(await hash(folder, token));
});

it("is another in another state folder, so that nobody can look it up", async () => {
	const [one, other] = [temporaryFolder(), temporaryFolder()];
	expect(await hash(one, token)).not.toBe(await hash(other, token));
	expect(statSync(join(one, "principal.key")).mode & 0o777).toBe(0o600);
});

it("needs no key where there are no credentials", async () => {
	expect(await hash("/nowhere/at/all")).toBe("nobody");
});

it("is agreed on by processes that begin at the same time", async () => {
	const folder = temporaryFolder();
	const all = await Promise.all(
		Array.from({ length: 8 }, () => hash(folder, token)),
	);
	expect(new Set(all).size).toBe(1);
});

it("makes a new key in place of a torn one", async () => {
	const folder = temporaryFolder();
	const path = join(folder, "principal.key");
	writeFileSync(path, "torn");
	await hash(folder, token);
	expect(readFileSync(path)).toHaveLength(32);
});

it("says what to do where its key cannot be kept", async () => {
	const file = join(temporaryFolder(), "file");
	writeFileSync(file, "");
	await expect(hash(file, token)).rejects.toMatchObject({
		code: "file-failed",
		next: expect.stringContaining("--state"),
	});
});
