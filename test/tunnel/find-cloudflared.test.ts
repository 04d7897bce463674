import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
	type FindPieces,
	findCloudflared,
} from "../../src/tunnel/find-cloudflared.ts";
import { makePieces } from "./tunnel-pieces.ts";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "find-cloudflared-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const cache = () => join(folder, "cache/mcp-events");
const find = (change: Partial<FindPieces>, env: FindPieces["env"] = {}) => {
	const pieces = makePieces({
		env: {
			PATH: join(folder, "bin"),
			XDG_CACHE_HOME: join(folder, "cache"),
			...env,
		},
		...change,
	});
	return { pieces, found: findCloudflared(pieces) };
};
const bring = (path: string) => writeFile(path, "#!/bin/sh\n", { mode: 0o755 });
const mustNotFetch = async () => {
	throw new Error("fetched");
};

describe("cloudflared", () => {
	it("is what CLOUDFLARED_BIN names before all", async () => {
		const env = { CLOUDFLARED_BIN: "/opt/cloudflared" };
		expect(await find({ install: mustNotFetch }, env).found).toBe(
			"/opt/cloudflared",
		);
	});

	it("is found on PATH, where it may be executed", async () => {
		const [data, bin] = [join(folder, "data"), join(folder, "bin")];
		for (const one of [data, bin]) mkdirSync(one);
		writeFileSync(join(data, "cloudflared"), "", { mode: 0o644 });
		await bring(join(bin, "cloudflared"));
		const env = { PATH: `${data}:${bin}` };
		expect(await find({ install: mustNotFetch }, env).found).toBe(
			join(bin, "cloudflared"),
		);
	});

	it("is fetched once into the cache, whole, and told of on the way", async () => {
		const { pieces, found } = find({ install: bring });
		expect(await found).toBe(join(cache(), "cloudflared"));
		expect(readdirSync(cache())).toEqual(["cloudflared"]);
		expect(pieces.progress[0]).toMatch(/^fetching cloudflared/);
		expect(pieces.progress.at(-1)).toBeUndefined();
		expect(pieces.lastActs.size).toBe(0);
		expect(await find({ install: mustNotFetch }).found).toBe(await found);
	});

	it("that cannot be fetched is a fault with the ways out, and leaves nothing", async () => {
		const install = async (path: string) => {
			await writeFile(path, "half of it");
			throw new Error("getaddrinfo ENOTFOUND github.com");
		};
		const { found } = find({ install }, { HTTPS_PROXY: "http://proxy:1" });
		await expect(found).rejects.toMatchObject({
			code: "tunnel-failed",
			why: "getaddrinfo ENOTFOUND github.com; the download does not use HTTPS_PROXY",
			next: expect.stringMatching(
				/install cloudflared, or CLOUDFLARED_BIN=PATH.*--public-url/,
			),
		});
		expect(readdirSync(cache())).toEqual([]);
	});

	it("whose download stalls is given up", async () => {
		const { found } = find({ install: () => new Promise(() => {}) });
		await expect(found).rejects.toMatchObject({ why: "nothing came for 30 s" });
	});

	it("is no longer fetched after a stop", async () => {
		const stop = new AbortController();
		stop.abort(new Error("stopped"));
		const install = () => new Promise(() => {});
		await expect(find({ install, signal: stop.signal }).found).rejects.toThrow(
			"stopped",
		);
		expect(readdirSync(cache())).toEqual([]);
	});

	it("comes by a package that can fetch it", async () => {
		expect((await import("cloudflared")).install).toBeTypeOf("function");
	});
});
