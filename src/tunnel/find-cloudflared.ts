// Where cloudflared is: named by CLOUDFLARED_BIN, on PATH, or in our cache, into which it is fetched on first use.
import { rmSync } from "node:fs";
import {
	access,
	constants,
	mkdir,
	mkdtemp,
	readdir,
	rename,
	rm,
	stat,
} from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, isAbsolute, join } from "node:path";
import { platform } from "node:process";
import { notFetched } from "./faults.ts";

export interface FindPieces {
	/** The process's own: the package that fetches reads it as such. */
	env: Record<string, string | undefined>;
	sleep(ms: number, signal?: AbortSignal): Promise<void>;
	atExit(act: () => void): () => void;
	/** A line on how the download goes; undefined when it is over. */
	onProgress(text: string | undefined): void;
	/** Brings cloudflared to a path; that of the `cloudflared` package by default. */
	install?: (to: string) => Promise<unknown>;
	signal: AbortSignal;
}

const NAME = platform === "win32" ? "cloudflared.exe" : "cloudflared";
const LOOK_EVERY_MS = 500;
/** A download that brings nothing for so long is given up. */
const STALLED_LOOKS = 60;

/** The program to start. Throws `tunnel-failed` where it is not here and cannot be fetched. */
export async function findCloudflared(pieces: FindPieces): Promise<string> {
	const { env } = pieces;
	if (env.CLOUDFLARED_BIN) return env.CLOUDFLARED_BIN;
	const cached = join(cacheFolder(env), NAME);
	const folders = (env.PATH ?? env.Path ?? "").split(delimiter);
	const candidates = folders.filter(isAbsolute).map((one) => join(one, NAME));
	for (const path of [...candidates, cached])
		if (await isProgram(path)) return path;
	await fetchCloudflared(cached, pieces);
	return cached;
}

function cacheFolder(env: FindPieces["env"]): string {
	const base = env.XDG_CACHE_HOME;
	const home = env.HOME ?? env.USERPROFILE ?? homedir();
	const cache = base && isAbsolute(base) ? base : join(home, ".cache");
	return join(cache, "mcp-events");
}

async function isProgram(path: string): Promise<boolean> {
	try {
		await access(path, constants.X_OK);
		return (await stat(path)).isFile();
	} catch {
		return false;
	}
}

/** Fetches into a folder of its own and moves the whole file: a broken download is never taken for the program. */
async function fetchCloudflared(to: string, pieces: FindPieces): Promise<void> {
	const { env, atExit, onProgress, signal } = pieces;
	const install = pieces.install ?? ((path) => installByPackage(path, env));
	let folder: string | undefined;
	let forget = () => {};
	try {
		await mkdir(dirname(to), { recursive: true });
		const made = await mkdtemp(`${to}-`);
		folder = made;
		forget = atExit(() => rmSync(made, { recursive: true, force: true }));
		const path = join(made, NAME);
		await watchDownload(install(path), made, pieces);
		await rename(path, to);
	} catch (error) {
		signal.throwIfAborted();
		throw notFetched(error, Boolean(env.HTTPS_PROXY ?? env.https_proxy));
	} finally {
		onProgress(undefined);
		forget();
		if (folder) await rm(folder, { recursive: true, force: true });
	}
}

async function installByPackage(
	to: string,
	env: FindPieces["env"],
): Promise<void> {
	// With VERBOSE set the package prints on stdout, where only records may stand.
	const { VERBOSE } = env;
	delete env.VERBOSE;
	try {
		const { install } = await import("cloudflared");
		await install(to);
	} finally {
		if (VERBOSE !== undefined) env.VERBOSE = VERBOSE;
	}
}

/** Tells how much has come; rejects where nothing comes any more, for the package waits for ever. */
async function watchDownload(
	installed: Promise<unknown>,
	folder: string,
	{ sleep, onProgress, signal }: FindPieces,
): Promise<void> {
	let isOver = false;
	const over = installed.finally(() => {
		isOver = true;
	});
	over.catch(() => {});
	const look = async () => {
		let before = 0;
		let stalled = 0;
		while (!isOver && stalled < STALLED_LOOKS) {
			onProgress(`fetching cloudflared (${megabytes(before)})`);
			await sleep(LOOK_EVERY_MS, signal);
			const size = await sizeOf(folder);
			stalled = size > before ? 0 : stalled + 1;
			before = size;
		}
		if (!isOver)
			throw new Error(
				`nothing came for ${(STALLED_LOOKS * LOOK_EVERY_MS) / 1000} s`,
			);
		await over;
	};
	await Promise.race([over, look()]);
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

async function sizeOf(folder: string): Promise<number> {
	const names = await readdir(folder);
	const sizes = names.map(
		async (name) => (await stat(join(folder, name))).size,
	);
	return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
